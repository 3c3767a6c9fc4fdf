/// One call that waits for the answer of a shared flight. Whoever settles it first decides: the flight, the call's own
/// time limits, or its caller.
// SAFETY: what changes is behind the lock; the rest is constant.
final class CoalesceWait: DeadlineEntry, @unchecked Sendable {
    private enum State {
        case new
        case waiting(UnsafeContinuation<Response, any Error>)
        case settledEarly(Result<Response, any Error>)
        case done
    }
    private struct Watched {
        var state = State.new
        weak var flight: SharedFlight?
    }
    let context: CallContext
    private let watched = Locked(Watched())
    private let joined: ContinuousClock.Instant
    private let timeout: Duration?

    init(_ context: CallContext) {
        self.context = context
        joined = context.runtime.time.now
        timeout = context.options.values.timeout.duration
    }

    /// Returns with the flight's answer, or throws what ended the flight, or this wait.
    func value(of flight: SharedFlight) async throws -> Response {
        watched.withLock { $0.flight = flight }
        let heap = context.runtime.deadlines
        let first = policy(flight).firstLook
        if let first { heap.add(self, at: first) }
        defer { if first != nil { heap.remove(self) } }
        context.whenCancelled { [weak self] in self?.settle(.failure(CancellationError())) }
        return try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { wait($0) }
        } onCancel: {
            settle(.failure(CancellationError()))
        }
    }

    private func wait(_ continuation: UnsafeContinuation<Response, any Error>) {
        let early = watched.withLock { watched -> Result<Response, any Error>? in
            if case .settledEarly(let result) = watched.state {
                watched.state = .done
                return result
            }
            watched.state = .waiting(continuation)
            return nil
        }
        if let early { continuation.resume(with: early) }
    }

    func settle(_ result: Result<Response, any Error>) {
        let continuation = watched.withLock { watched -> UnsafeContinuation<Response, any Error>? in
            switch watched.state {
            case .new:
                watched.state = .settledEarly(result)
                return nil
            case .waiting(let continuation):
                watched.state = .done
                return continuation
            case .settledEarly, .done: return nil
            }
        }
        continuation?.resume(with: result)
    }

    override var isDone: Bool {
        watched.withLock {
            switch $0.state {
            case .settledEarly, .done: true
            case .new, .waiting: false
            }
        }
    }

    override func expire(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        guard !isDone, let flight = watched.withLock({ $0.flight }) else { return nil }
        switch policy(flight).decide(now: now, attemptStart: flight.attemptStart) {
        case .wait(let until): return until
        case .late: settle(.failure(context.deadlineExceeded(.waiting)))
        case .timedOut: settle(.failure(timedOut))
        }
        return nil
    }

    /// The flight itself watches the attempts of the call that began it.
    private func policy(_ flight: SharedFlight) -> CoalesceWaitPolicy {
        CoalesceWaitPolicy(joined: joined, timeout: flight.id == context.id ? nil : timeout, deadline: context.deadline)
    }

    private var timedOut: TarmacError {
        TarmacError(
            .timeout, phase: .waiting, "the attempt of the call whose flight it shares did not end within \(context.options.values.timeout)",
            suggestion: "raise timeout, or set coalesces to false for this call")
    }
}
