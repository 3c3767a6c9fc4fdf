@_spi(TarmacRooms) import TarmacCore

/// The state of a ``Transfer`` (pure except for the task it holds).
struct TransferState<Value: Sendable>: Sendable {
    struct Ending {
        var task: Task<Void, Never>?
        var waits: [Settlement<Value>]
    }

    private(set) var result: Result<Value, any Error>?
    private var waits = SlotArray<Settlement<Value>>()
    private var task: Task<Void, Never>?

    /// Keeps the task of the transfer, unless it has ended already.
    mutating func begin(_ task: Task<Void, Never>) { if result == nil { self.task = task } }

    /// Completes the transfer and returns the waits; `nil` if it had ended before.
    mutating func land(_ result: Result<Value, any Error>) -> [Settlement<Value>]? {
        guard self.result == nil else { return nil }
        (self.result, task) = (result, nil)
        return waits.all
    }

    mutating func cancel() -> Ending? {
        let task = task
        return land(.failure(CancellationError())).map { Ending(task: task, waits: $0) }
    }

    /// Adds a wait and returns its number. If there is a result, it settles the wait and returns `nil`.
    mutating func add(_ wait: Settlement<Value>) -> Int? {
        guard let result else { return waits.enter(wait) }
        wait.settle(result)
        return nil
    }

    /// Removes a wait that has ended.
    mutating func remove(_ number: Int) { _ = waits.leave(number) }

    /// The number of waits.
    var waiting: Int { waits.all.count }
}
