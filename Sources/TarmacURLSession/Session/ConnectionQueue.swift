import TarmacCore

/// The exchanges of one host that a session has, and those that wait for one of its connections.
///
/// The exchange with the highest priority is next; among equals, the one that has waited longest.
struct ConnectionQueue<Call> {
    private struct Waiting {
        let number: Int
        let call: Call
    }

    /// The numbers of waiting exchanges of one priority, oldest first. The number of an exchange that was removed stays
    /// until its turn or until such numbers are the majority.
    private struct PriorityQueue {
        var numbers: ArraySlice<(id: ObjectIdentifier, number: Int)> = []
    }

    private let limit: Int
    private var running: Set<ObjectIdentifier> = []
    private var waiting: [ObjectIdentifier: Waiting] = [:]
    private var queues = [PriorityQueue](repeating: PriorityQueue(), count: CallPriority.allCases.count)
    private var last = 0

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { running.isEmpty && waiting.isEmpty }

    /// Adds an exchange. Returns whether it has a connection; otherwise it waits.
    mutating func enter(_ id: ObjectIdentifier, _ priority: CallPriority, _ call: Call) -> Bool {
        if running.count < limit {
            running.insert(id)
            return true
        }
        last += 1
        waiting[id] = Waiting(number: last, call: call)
        queues[priority.rawValue].numbers.append((id, last))
        return false
    }

    /// Removes an exchange that waits. One that has a connection keeps it.
    mutating func withdraw(_ id: ObjectIdentifier) {
        guard waiting.removeValue(forKey: id) != nil else { return }
        let kept = queues.reduce(0) { $0 + $1.numbers.count }
        guard kept > 64, kept > 2 * waiting.count else { return }
        for index in queues.indices {
            queues[index].numbers = ArraySlice(queues[index].numbers.filter { waiting[$0.id]?.number == $0.number })
        }
    }

    /// Frees the connection of an exchange. Returns the exchange that takes it.
    mutating func finish(_ id: ObjectIdentifier) -> Call? {
        guard running.remove(id) != nil else { return nil }
        for index in queues.indices.reversed() {
            while let next = queues[index].numbers.popFirst() {
                guard waiting[next.id]?.number == next.number, let call = waiting.removeValue(forKey: next.id)?.call else { continue }
                running.insert(next.id)
                return call
            }
        }
        return nil
    }

    /// Removes and returns the exchanges that wait.
    mutating func removeWaiting() -> [Call] {
        defer { (waiting, queues) = ([:], queues.map { _ in PriorityQueue() }) }
        return waiting.values.sorted { $0.number < $1.number }.map(\.call)
    }
}
