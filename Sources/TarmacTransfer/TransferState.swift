import TarmacCore

/// Where a ``Transfer`` stands (pure but for the task it holds).
struct TransferState<Value: Sendable>: Sendable {
    struct Ending {
        var task: Task<Void, Never>?
        var waits: [TransferWait<Value>]
    }

    private var result: Result<Value, any Error>?
    private var waits: [TransferWait<Value>] = []
    private var task: Task<Void, Never>?
    /// The run a failure belongs to: those of runs that were paused count for nothing.
    private var number = 0
    private(set) var isPaused = true
    /// The run that was paused last, which may not have let go of its file yet.
    private var ending: Task<Void, Never>?

    /// Starts a run, in one step with its number, so that no pause falls between them and leaves a run nobody waits for.
    ///
    /// - Parameter launch: makes the task of the run, which first waits for the one before.
    mutating func resume(_ launch: (_ number: Int, _ before: Task<Void, Never>?) -> Task<Void, Never>) {
        guard isPaused, result == nil else { return }
        isPaused = false
        number += 1
        task = launch(number, ending)
    }

    /// The run to cancel.
    mutating func pause() -> Task<Void, Never>? {
        guard !isPaused, result == nil else { return nil }
        isPaused = true
        number += 1
        ending = task
        defer { task = nil }
        return task
    }

    /// Those who wait; `nil` when the landing does not count. A success counts whichever run it is of: one that was paused too late has
    /// landed all the same.
    mutating func land(_ result: Result<Value, any Error>, _ number: Int) -> [TransferWait<Value>]? {
        guard self.result == nil, result.isSuccess || number == self.number && !isPaused else { return nil }
        (self.result, isPaused) = (result, false)
        return takeWaits()
    }

    /// Whether a run that waited for the one before still has something to do.
    func isPresent(_ number: Int) -> Bool { number == self.number && result == nil && !isPaused }

    mutating func cancel() -> Ending? {
        guard result == nil else { return nil }
        result = .failure(CancellationError())
        defer { task = nil }
        return Ending(task: task, waits: takeWaits())
    }

    /// The result, if it is there.
    mutating func add(_ wait: TransferWait<Value>) -> Result<Value, any Error>? {
        if result == nil { waits.append(wait) }
        return result
    }

    /// One that waits no longer is let go.
    mutating func remove(_ wait: TransferWait<Value>) { waits.removeAll { $0 === wait } }

    /// How many wait.
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

/// One that waits for a transfer; the first of landing and cancellation counts.
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
