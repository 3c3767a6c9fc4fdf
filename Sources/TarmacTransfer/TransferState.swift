@_spi(TarmacRooms) import TarmacCore

/// The state of a ``Transfer`` (pure except for the task it holds).
struct TransferState<Value: Sendable>: Sendable {
    struct Ending {
        var task: Task<Void, Never>?
        var waits: [TransferWait<Value>]
    }

    private var result: Result<Value, any Error>?
    private var waits: [TransferWait<Value>] = []
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
    mutating func land(_ result: Result<Value, any Error>, _ number: Int) -> [TransferWait<Value>]? {
        guard self.result == nil, result.isSuccess || number == self.number && !isPaused else { return nil }
        (self.result, isPaused) = (result, false)
        return takeWaits()
    }

    /// Whether a run that has waited for the one before is still current.
    func isPresent(_ number: Int) -> Bool { number == self.number && result == nil && !isPaused }

    mutating func cancel() -> Ending? {
        guard result == nil else { return nil }
        result = .failure(CancellationError())
        defer { task = nil }
        return Ending(task: task, waits: takeWaits())
    }

    /// Adds a wait; returns the result if there is one.
    mutating func add(_ wait: TransferWait<Value>) -> Result<Value, any Error>? {
        if result == nil { waits.append(wait) }
        return result
    }

    /// Removes a wait that has ended.
    mutating func remove(_ wait: TransferWait<Value>) { waits.removeAll { $0 === wait } }

    /// The number of waits.
    var waiting: Int { waits.count }

    private mutating func takeWaits() -> [TransferWait<Value>] {
        defer { waits = [] }
        return waits
    }
}

extension Result {
    fileprivate var isSuccess: Bool {
        if case .success = self { true } else { false }
    }
}

/// A wait for the result of a transfer; the first of result and cancellation counts.
final class TransferWait<Value: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Value, any Error>)
        case done(Result<Value, any Error>?)
    }
    private let state = Locked(State.new)

    func begin(_ continuation: CheckedContinuation<Value, any Error>) {
        let early = state.withLock { state -> Result<Value, any Error>? in
            if case .done(let result) = state { return result }
            state = .waiting(continuation)
            return nil
        }
        if let early { continuation.resume(with: early) }
    }

    func finish(_ result: Result<Value, any Error>) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .new:
                state = .done(result)
                return nil
            case .waiting(let continuation):
                state = .done(nil)
                return continuation
            case .done: return nil
            }
        }
        continuation?.resume(with: result)
    }
}
