@_spi(TarmacRooms) import TarmacCore

/// A call that waits for the response of a shared flight. The flight, the call's own time limits or its cancellation
/// ends the wait.
struct CoalesceWait: Sendable {
    let context: CallContext
    private let settlement = Settlement<Response>()
    private let joined: Moment
    private let timeout: Duration?

    init(_ context: CallContext) {
        self.context = context
        joined = context.runtime.time.moment
        timeout = context.options.values.timeout.duration
    }

    /// Returns the flight's response, or throws the failure of the flight or of this wait.
    func value(of flight: SharedFlight) async throws -> Response {
        // The flight itself watches the attempts of the call that began it.
        let policy = CoalesceWaitPolicy(joined: joined, timeout: flight.id == context.id ? nil : timeout, deadline: context.deadline)
        return try await settlement.value(for: context, watch: Watch(wait: self, flight: flight, policy: policy), from: policy.firstLook)
    }

    func settle(_ result: Result<Response, any Error>) { settlement.settle(result) }

    /// The time limits of the wait.
    private struct Watch: DeadlineWatch {
        let wait: CoalesceWait
        let flight: SharedFlight
        let policy: CoalesceWaitPolicy

        var isDone: Bool { wait.settlement.isSettled }

        func expire(_ now: Moment) -> Moment? {
            if isDone { return nil }
            switch policy.decide(now: now, attemptStart: flight.attemptStart) {
            case .wait(let until): return until
            case .late: wait.settle(.failure(wait.context.deadlineExceeded(.waiting)))
            case .timedOut: wait.settle(.failure(wait.timedOut))
            }
            return nil
        }
    }

    private var timedOut: TarmacError {
        TarmacError(
            .timeout, phase: .waiting, "the attempt of the call whose flight it shares did not end within \(context.options.values.timeout)",
            suggestion: "raise timeout, or set coalesces to false for this call")
    }
}
