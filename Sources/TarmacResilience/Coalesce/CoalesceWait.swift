@_spi(TarmacRooms) import TarmacCore

/// A request whose response several calls wait for.
protocol SharedRequest: AnyObject, Sendable {
    /// The id of the call that began it.
    var id: UInt64 { get }
    /// The start of the current attempt. `nil` while there is none.
    var attemptStart: Moment? { get }
    /// The rules that judge the response.
    var needs: SharingRules { get }
    /// The actions on the response that only one of the calls may take.
    var rights: SharingRights { get }
}

/// The rules that judge a response.
struct SharingRules: Sendable {
    private let options: ResolvedOptions
    private let needsJSON: Bool
    private let ignoresBody: Bool
    private let accepts: AcceptableContentTypes

    init(_ call: CallContext) {
        options = call.options
        needsJSON = call.needsJSON
        ignoresBody = call.ignoresBody
        accepts = call.accepts
    }

    /// The limits that end the request.
    var end: SharedEndPolicy { SharedEndPolicy(options.values) }

    static func == (one: Self, other: Self) -> Bool {
        one.options === other.options && one.needsJSON == other.needsJSON && one.ignoresBody == other.ignoresBody && one.accepts == other.accepts
    }
}

/// The failure of a shared request.
struct SharedFailure: Error {
    let error: any Error
    /// Whether it is about the call that sends the request, and says nothing about the server.
    var isOfLeaderAlone = false
}

/// A call that waits for the response of a shared flight. The flight, the call's own time limits or its cancellation
/// ends the wait.
struct CoalesceWait: Sendable {
    let context: CallContext
    private let settlement = Settlement<Response>()
    private let joined: Moment
    private let timeout: Duration?

    init(_ context: CallContext) {
        self.context = context
        joined = context.time.moment
        timeout = context.options.values.timeout.duration
    }

    /// Returns the flight's response, or throws the ``SharedFailure`` of the flight or the failure of this wait.
    func value(of flight: some SharedRequest) async throws -> Response {
        // The flight itself watches the attempts of the call that began it.
        let policy = CoalesceWaitPolicy(joined: joined, timeout: flight.id == context.id ? nil : timeout, deadline: context.deadline)
        return try await settlement.value(for: context, watch: Watch(wait: self, flight: flight, policy: policy), from: policy.firstLook)
    }

    func settle(_ result: Result<Response, SharedFailure>) { settlement.settle(result.mapError { $0 }) }

    /// The time limits of the wait.
    private struct Watch: DeadlineWatch {
        let wait: CoalesceWait
        let flight: any SharedRequest
        let policy: CoalesceWaitPolicy

        var isDone: Bool { wait.settlement.isSettled }

        func expire(_ now: Moment) -> Moment? {
            if isDone { return nil }
            switch policy.decide(now: now, attemptStart: flight.attemptStart) {
            case .wait(let until): return until
            case .late: wait.settlement.settle(.failure(wait.context.deadlineExceeded(.waiting)))
            case .timedOut: wait.settlement.settle(.failure(wait.timedOut))
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
