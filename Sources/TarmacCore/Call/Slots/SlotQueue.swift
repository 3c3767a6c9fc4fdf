/// The order in which calls get slots: bounded, by priority, in order of arrival within one, and fair to the lowest
/// (pure).
struct SlotQueue<Ticket> {
    private let limit: Int
    private(set) var inFlight = 0
    private var queues = CallPriority.allCases.map { _ in Queue<Ticket>() }
    /// The calls that are sent again. They go ahead of all others. Their number never exceeds that of the calls that
    /// once ran together.
    private var replays = Queue<Ticket>()
    /// The number of replays that are about to enter. Slots are kept for them.
    private(set) var expected = 0
    /// The number of times in a row that a lower priority was passed over.
    private var passedOver = 0
    /// The number of waiting tickets that may be gone.
    private var abandoned = 0
    /// The number of times that a lower priority is passed over before it goes first.
    private static var mostPassedOver: Int { 4 }

    init(limit: Int) { self.limit = max(1, limit) }

    var waiting: Int { queues.reduce(replays.count) { $0 + $1.count } }

    /// Takes a slot if one is free and nothing waits for it, or if one was kept. If a kept slot is not free yet, it
    /// stays kept until the ticket waits.
    ///
    /// New calls wait behind all replays that are about to enter. A token may allow only few uses, and without this
    /// rule a replay whose thread is late would be refused again and again.
    mutating func enter(isExpected: Bool = false, isReplay: Bool = false) -> Bool {
        guard inFlight < limit, isExpected || isOpen(toReplay: isReplay) else { return false }
        if isExpected { expected -= 1 }
        inFlight += 1
        return true
    }

    private func isOpen(toReplay isReplay: Bool) -> Bool {
        isReplay ? inFlight + expected < limit && replays.count == 0 : expected == 0 && waiting == 0
    }

    /// Keeps a slot for a replay that is about to enter. If none is free, it keeps the next one.
    mutating func expect() { expected += 1 }

    /// Stops keeping a slot, because the replay has a place in the queue or does not enter.
    mutating func cease() { expected -= 1 }

    /// Returns the next ticket that waited behind a replay, after the replay entered or was dropped, while slots are
    /// free.
    mutating func next() -> Ticket? {
        guard inFlight < limit, expected == 0 || replays.count > 0 && inFlight + expected < limit, let next = pop() else { return nil }
        inFlight += 1
        return next
    }

    mutating func wait(_ ticket: Ticket, priority: CallPriority, isReplay: Bool = false) {
        if isReplay { replays.append(ticket) } else { queues[priority.rawValue].append(ticket) }
    }

    /// Gives a slot back. Returns the waiting ticket that takes it over, or `nil`.
    mutating func leave() -> Ticket? {
        if replays.count > 0 || expected == 0, let next = pop() { return next }
        inFlight -= 1
        return nil
    }

    /// Notes that a waiting ticket is gone. Gone tickets are removed once they are half of the queue. So a stalled
    /// queue does not grow, and leaving stays cheap.
    mutating func abandon(_ isGone: (Ticket) -> Bool) {
        abandoned += 1
        guard abandoned >= 64, abandoned * 2 >= waiting else { return }
        abandoned = 0
        replays.removeAll(where: isGone)
        for index in queues.indices { queues[index].removeAll(where: isGone) }
    }

    /// Removes all waiting tickets and returns them in order.
    mutating func removeAll() -> [Ticket] {
        var tickets: [Ticket] = []
        while let ticket = pop() { tickets.append(ticket) }
        return tickets
    }

    private mutating func pop() -> Ticket? {
        if replays.count > 0 { return replays.popFirst() }
        guard let lowest = queues.firstIndex(where: { $0.count > 0 }), let highest = queues.lastIndex(where: { $0.count > 0 }) else { return nil }
        let isLowestsTurn = lowest < highest && passedOver >= Self.mostPassedOver
        passedOver = lowest < highest && !isLowestsTurn ? passedOver + 1 : 0
        return queues[isLowestsTurn ? lowest : highest].popFirst()
    }
}

/// A first-in, first-out queue that does not move the remaining elements.
private struct Queue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var count: Int { elements.count - head }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func removeAll(where isGone: (Element) -> Bool) {
        elements = elements[head...].filter { $0.map { !isGone($0) } ?? false }
        head = 0
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head > 64, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
