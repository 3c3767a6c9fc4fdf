@_spi(TarmacRooms) import TarmacCore

/// The state of a ``Transfer`` (pure except for the task it holds).
struct TransferState<Value: Sendable>: Sendable {
    struct Ending {
        var task: Task<Void, Never>?
        var waits: [Settlement<Value>]
    }

    private var result: Result<Value, any Error>?
    private var waits = SlotArray<Settlement<Value>>()
    private var task: Task<Void, Never>?
    /// The number of the current run: failures of paused runs are ignored.
    private var number = 0
    private(set) var isPaused = true
    /// The last paused run, which may still hold its file.
    private var ending: Task<Void, Never>?

    /// Starts a run in one step with its number, so that no pause can occur in between and leave a run without an
    /// owner.
    ///
    /// - Parameter launch: Creates the task of the run, which first waits for the one before.
    mutating func resume(_ launch: (_ number: Int, _ before: Task<Void, Never>?) -> Task<Void, Never>) {
        guard isPaused, result == nil else { return }
        isPaused = false
        number += 1
        task = launch(number, ending)
    }

    /// Pauses the transfer; returns the run to cancel.
    mutating func pause() -> Task<Void, Never>? {
        guard !isPaused, result == nil else { return nil }
        isPaused = true
        number += 1
        ending = task
        defer { task = nil }
        return task
    }

    /// Completes the transfer and returns the waits; `nil` if the result does not count. A success of any run counts:
    /// one that was paused too late has still completed.
    mutating func land(_ result: Result<Value, any Error>, _ number: Int) -> [Settlement<Value>]? {
        guard self.result == nil, result.isSuccess || number == self.number && !isPaused else { return nil }
        (self.result, isPaused) = (result, false)
        return waits.all
    }

    /// Whether a run that has waited for the one before is still current.
    func isPresent(_ number: Int) -> Bool { number == self.number && result == nil && !isPaused }

    mutating func cancel() -> Ending? {
        guard result == nil else { return nil }
        result = .failure(CancellationError())
        defer { task = nil }
        return Ending(task: task, waits: waits.all)
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

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}
