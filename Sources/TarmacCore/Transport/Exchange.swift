/// One request on the wire: the thread between an attempt and its transport.
///
/// The attempt aborts through it and reads from it how far the exchange has come; the transport learns from it how to
/// deliver, and reports to it. Time limits and cancellation both arrive as an abort, so a transport has one way to end.
public final class Exchange: Sendable {
    /// How the response's body is wanted.
    public enum Delivery: Sendable {
        /// The whole body in one piece; more than `limit` bytes is `TarmacError(.bodyTooLarge)`.
        case collected(limit: Int)
        /// A stream, returned as soon as the head is there.
        case streamed
    }

    /// Why an exchange is ended from above.
    public enum AbortReason: Sendable {
        case cancelled
        /// A time limit, or the shutdown of the client.
        case failed(TarmacError)

        /// What the transport throws.
        public var error: any Error {
            switch self {
            case .cancelled: CancellationError()
            case .failed(let error): error
            }
        }
    }

    /// What a transport reports.
    public enum Report: Sendable {
        /// A connection is there; `isReused` if it had carried a request before, `nil` if the transport cannot tell.
        case connected(isReused: Bool?)
        case sentHead
        case sentBody(bytes: Int)
        /// Head and body are sent.
        case sentAll
        case informational(status: Int)
        case receivedHead
        /// The length of the response's body, if the server stated it; optional to report.
        case contentLength(Int64)
        case receivedBody(bytes: Int)
        /// The transport itself sent the request a second time, on a fresh connection.
        case resent
        /// The connection is used although no pin of the host fits it.
        case pins(PinNotice)
        /// The last byte of the response was delivered, or the exchange failed.
        case ended

        fileprivate var isReceipt: Bool {
            switch self {
            case .receivedHead, .receivedBody: true
            default: false
            }
        }

        fileprivate var isDispatch: Bool {
            switch self {
            case .connected, .sentHead, .sentBody, .sentAll, .resent: true
            default: false
            }
        }
    }

    fileprivate struct State {
        var phase: TarmacError.Phase = .connecting
        var abortReason: AbortReason?
        var abort: (@Sendable (AbortReason) -> Void)?
        var lastActivity: ContinuousClock.Instant
        /// When it began, and for an upload, when the request last came on.
        var timedSince: ContinuousClock.Instant
        var isEnded = false
        var isAwaited = true
        var isHandedOn = false
        var received: Int64 = 0
        var sent: Int64 = 0
        var isReused: Bool?
        var resends = 0
        var leavesResend = false
    }

    /// How the response's body is wanted.
    public let delivery: Delivery
    /// Who goes first; a hint for transports that can pass one on.
    public let priority: CallPriority
    /// The networks the request may go over, for transports with ``TransportCapabilities/networkAccess``.
    public let networkAccess: NetworkAccess
    /// Whether the request is to go over a connection that has carried none before, because the one it went over led to a
    /// server that it was not for (RFC 9110 §15.5.20); a hint for transports that can choose.
    public let needsFreshConnection: Bool
    /// Whether the time limits count what is sent as progress.
    package let isUpload: Bool
    private let state: Locked<State>
    private let time: any TimeSource
    private let observe: (@Sendable (Report) -> Void)?

    /// - Parameter observe: is told every report; called on the transport's own threads.
    public convenience init(
        delivery: Delivery, time: any TimeSource = .system, observe: (@Sendable (Report) -> Void)? = nil
    ) {
        self.init(delivery: delivery, time: time, now: time.now, observe: observe)
    }

    package init(
        delivery: Delivery, priority: CallPriority = .normal, isUpload: Bool = false, networkAccess: NetworkAccess = .all,
        needsFreshConnection: Bool = false, time: any TimeSource, now: ContinuousClock.Instant, observe: (@Sendable (Report) -> Void)?
    ) {
        self.delivery = delivery
        self.priority = priority
        self.isUpload = isUpload
        self.networkAccess = networkAccess
        self.needsFreshConnection = needsFreshConnection
        self.time = time
        self.observe = observe
        state = Locked(State(lastActivity: now, timedSince: now))
    }

    // MARK: For the transport

    /// Says how to end the exchange. Called at once if it is aborted already; never called after `.ended`.
    public func onAbort(_ abort: @escaping @Sendable (AbortReason) -> Void) {
        let reason = state.withLock { state -> AbortReason? in
            if state.abortReason == nil, !state.isEnded { state.abort = abort }
            return state.abortReason
        }
        if let reason { abort(reason) }
    }

    /// Tells how far the exchange has come. Safe from any thread.
    public func report(_ report: Report) {
        // Only what the idle limit is about is worth a look at the clock.
        let isProgress = isUpload && report.isDispatch
        let now = report.isReceipt || isProgress ? time.now : nil
        state.withLock { state in
            if let now { state.lastActivity = now }
            if let now, isProgress { state.timedSince = now }
            state.note(report)
        }
        observe?(report)
    }

    /// Notes that a body is being made ready before any of it can leave.
    package func prepareBody() {
        guard isUpload else { return }
        let now = time.now
        state.withLock { ($0.lastActivity, $0.timedSince) = (now, now) }
    }

    /// Why the exchange was aborted, if it was.
    public var abortReason: AbortReason? { state.withLock { $0.abortReason } }

    /// Notes, before it fails, that the connection alone was at fault and that the request may not be sent again as it is
    /// (``Request/Sending/once``): who made it has to make another.
    package func leaveResend() {
        state.withLock { $0.leavesResend = true }
    }

    // MARK: For the attempt

    /// Ends the exchange; only the first reason counts. Returns whether this call ended it.
    @discardableResult
    package func abort(_ reason: AbortReason) -> Bool {
        let (isFirst, abort) = state.withLock { state -> (Bool, (@Sendable (AbortReason) -> Void)?) in
            guard state.abortReason == nil, !state.isEnded else { return (false, nil) }
            state.abortReason = reason
            defer { state.abort = nil }
            return (true, state.abort)
        }
        abort?(reason)
        return isFirst
    }

    /// Notes whether somebody waits for the next bytes from now on.
    package func setAwaited(_ isAwaited: Bool) {
        let now = isAwaited ? time.now : nil
        state.withLock { state in
            state.isAwaited = isAwaited
            if let now { state.lastActivity = now }
        }
    }

    /// Notes that the body goes to its reader, whose time is not the attempt's.
    package func handOn() {
        state.withLock { $0.isHandedOn = true }
    }

    /// Since when the attempt's time limit runs; `nil` when it does not any more: behind the end of a body the attempt waits for,
    /// and behind the head of another.
    package var timedSince: ContinuousClock.Instant? {
        state.withLock { $0.isHandedOn ? nil : $0.timedSince }
    }

    package var isAwaited: Bool { state.withLock { $0.isAwaited } }

    /// How far it has come.
    package var phase: TarmacError.Phase { state.withLock { $0.phase } }
    /// When a byte last moved.
    package var lastActivity: ContinuousClock.Instant { state.withLock { $0.lastActivity } }
    package var isEnded: Bool { state.withLock { $0.isEnded } }
    /// How often the transport sent the request again by itself.
    package var resends: Int { state.withLock { $0.resends } }
    /// Whether another request in the place of this one may go out at once.
    package var leavesResend: Bool { state.withLock { $0.leavesResend && $0.abortReason == nil } }
    package var isConnectionReused: Bool? { state.withLock { $0.isReused } }
}

extension Exchange.State {
    fileprivate mutating func note(_ report: Exchange.Report) {
        switch report {
        case .connected(let isReused):
            self.isReused = isReused
            phase = .sending
        case .sentHead: phase = .sending
        case .resent:
            phase = .sending
            resends += 1
        case .sentBody(let bytes): sent += Int64(bytes)
        case .sentAll: if phase == .connecting || phase == .sending { phase = .waiting }
        case .informational, .contentLength, .pins: break
        case .receivedHead: phase = .receiving
        case .receivedBody(let bytes):
            phase = .receiving
            received += Int64(bytes)
        case .ended:
            isEnded = true
            abort = nil
        }
    }
}
