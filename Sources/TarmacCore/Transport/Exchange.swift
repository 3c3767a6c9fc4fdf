@_spi(TarmacRooms) import TarmacHTTP

/// One request on the wire. It connects an attempt with its transport.
///
/// The attempt aborts the exchange and reads its progress. The transport reads the delivery of the body and reports progress. Time limits and
/// cancellation both arrive as an abort, so a transport has only one way to end early.
public final class Exchange: Sendable {
    /// The way in which the response body is delivered.
    public enum Delivery: Sendable {
        /// The whole body at once. A body of more than `limit` bytes causes `TarmacError(.bodyTooLarge)`.
        case collected(limit: Int)
        /// A stream. The response is returned as soon as its head has arrived.
        case streamed
    }

    /// The reason why the attempt aborts an exchange.
    public enum AbortReason: Sendable {
        case cancelled
        /// A time limit was reached, or the client was shut down.
        case failed(TarmacError)

        /// The error that the transport throws.
        public var error: any Error {
            switch self {
            case .cancelled: CancellationError()
            case .failed(let error): error
            }
        }
    }

    /// A report of the transport.
    public enum Report: Sendable {
        /// The connection is ready. `isReused` states whether it carried a request before; `nil` if the transport cannot tell.
        case connected(isReused: Bool?)
        case sentHead
        case sentBody(bytes: Int)
        /// The head and the body are sent.
        case sentAll
        case informational(status: Int)
        case receivedHead
        /// The length of the response body, if the server stated it. The report is optional.
        case contentLength(Int64)
        case receivedBody(bytes: Int)
        /// The transport sent the request a second time by itself, over a new connection.
        case resent
        /// The connection is used although no pin of the host matches it.
        case pins(PinNotice)
        /// The connection is less protected than the settings say, such as after certificates were renewed that cannot be used.
        case warning(String)
        /// The measurements of the transport about the connection. The report is optional, at any time before the end.
        case network(NetworkTimings)
        /// The last byte of the response was delivered, or the exchange failed.
        case ended

        fileprivate var isReceipt: Bool {
            switch self {
            case .receivedHead, .receivedBody: true
            default: false
            }
        }

        /// Whether the time of the report is a mark of ``AttemptTimings``.
        fileprivate var isMark: Bool {
            switch self {
            case .connected, .sentAll: true
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

    fileprivate typealias Abort = @Sendable (AbortReason) -> Void

    fileprivate struct State {
        // The small fields come last, where they fill one word: every call in flight has this.
        var abortReason: AbortReason?
        var abort: Abort?
        var lastActivity: Moment
        /// The start of the exchange. For an upload, the time of the last progress of the request.
        var timedSince: Moment
        var marks = AttemptMarks()
        var resends = 0
        var phase: TarmacError.Phase = .connecting
        var isEnded = false, isAwaited = true, isHandedOn = false
        var leavesResend = false
    }

    /// The way in which the response body is delivered.
    public let delivery: Delivery
    /// The priority of the call, as a hint for transports that can pass one on.
    public let priority: CallPriority
    /// The networks that the request may use, for transports with ``TransportCapabilities/networkAccess``.
    public let networkAccess: NetworkAccess
    /// Whether the request needs a new connection, because the previous one led to a server that does not serve
    /// the URL (RFC 9110 §15.5.20). It is a hint for transports that can choose.
    public let needsFreshConnection: Bool
    /// Whether sent bytes count as progress for the time limits.
    package let restartsTimeout: Bool
    private let state: Locked<State>
    private let time: any TimeSource
    private let observe: (@Sendable (Report) -> Void)?

    /// Makes an exchange. `observe` receives every report, on the threads of the transport.
    public convenience init(
        delivery: Delivery, time: any TimeSource = .system, observe: (@Sendable (Report) -> Void)? = nil
    ) {
        self.init(delivery: delivery, time: time, now: time.moment, observe: observe)
    }

    package init(
        delivery: Delivery, priority: CallPriority = .normal, restartsTimeout: Bool = false, networkAccess: NetworkAccess = NetworkAccess(),
        needsFreshConnection: Bool = false, time: any TimeSource, now: Moment, observe: (@Sendable (Report) -> Void)?
    ) {
        self.delivery = delivery
        self.priority = priority
        self.restartsTimeout = restartsTimeout
        self.networkAccess = networkAccess
        self.needsFreshConnection = needsFreshConnection
        self.time = time
        self.observe = observe
        state = Locked(State(lastActivity: now, timedSince: now))
    }

    // MARK: For the transport

    /// Sets the closure that ends the exchange. It is called at once if the exchange is already aborted, and never after `.ended`.
    public func onAbort(_ abort: @escaping @Sendable (AbortReason) -> Void) {
        let (reason, _) = state.withLock { state -> (AbortReason?, replaced: Abort?) in
            guard state.abortReason == nil, !state.isEnded else { return (state.abortReason, nil) }
            defer { state.abort = abort }
            return (nil, state.abort)
        }
        if let reason { abort(reason) }
    }

    /// Reports the progress of the exchange. Any thread may call it.
    public func report(_ report: Report) {
        // The clock is read only for reports that reset the idle limit or that are marks of the timings.
        let isProgress = restartsTimeout && report.isDispatch, isReceipt = report.isReceipt
        let now = isReceipt || isProgress || report.isMark ? time.moment : nil
        state.withLock { state -> Abort? in
            if let now, isReceipt || isProgress { state.lastActivity = now }
            if let now, isProgress { state.timedSince = now }
            state.note(report, now)
            guard state.isEnded else { return nil }
            defer { state.abort = nil }
            return state.abort
        }
        observe?(report)
    }

    /// Notes that the body is being prepared before any byte of it can be sent.
    package func prepareBody() {
        guard restartsTimeout else { return }
        let now = time.moment
        state.withLock { ($0.lastActivity, $0.timedSince) = (now, now) }
    }

    /// The reason why the exchange was aborted. `nil` if it was not.
    public var abortReason: AbortReason? { state.withLock { $0.abortReason } }

    /// Notes, before the exchange fails, that only the connection failed and that the request must not be sent
    /// again unchanged (`Request.Sending.isOnce`). The stage that made the request has to make another one.
    package func leaveResend() {
        state.withLock { $0.leavesResend = true }
    }

    // MARK: For the attempt

    /// Aborts the exchange. Only the first reason counts.
    ///
    /// - Returns: whether this call aborted it.
    @discardableResult
    package func abort(_ reason: AbortReason) -> Bool {
        let (isFirst, abort) = state.withLock { state -> (Bool, Abort?) in
            guard state.abortReason == nil, !state.isEnded else { return (false, nil) }
            state.abortReason = reason
            defer { state.abort = nil }
            return (true, state.abort)
        }
        abort?(reason)
        return isFirst
    }

    /// Notes whether a reader waits for the next bytes from now on.
    package func setAwaited(_ isAwaited: Bool) {
        let now = isAwaited ? time.moment : nil
        state.withLock { state in
            state.isAwaited = isAwaited
            if let now { state.lastActivity = now }
        }
    }

    /// Notes that the body was passed to its reader. The time of the reader does not count for the attempt.
    package func handOn() {
        state.withLock { $0.isHandedOn = true }
    }

    /// The time since which the attempt's time limit runs. `nil` if it no longer runs: after the end of a
    /// collected body, and after the head of a streamed one.
    package var timedSince: Moment? {
        state.withLock { $0.isHandedOn ? nil : $0.timedSince }
    }

    package var isAwaited: Bool { state.withLock { $0.isAwaited } }

    /// The phase that the exchange has reached.
    package var phase: TarmacError.Phase { state.withLock { $0.phase } }
    /// The time at which a byte last moved.
    package var lastActivity: Moment { state.withLock { $0.lastActivity } }
    package var isEnded: Bool { state.withLock { $0.isEnded } }
    /// The number of times that the transport sent the request again by itself.
    package var resends: Int { state.withLock { $0.resends } }
    /// Whether another request may replace this one at once.
    package var leavesResend: Bool { state.withLock { $0.leavesResend && $0.abortReason == nil } }
    /// The address that the transport reported for the server or the proxy, with its port.
    package var remoteAddress: String? { state.withLock { $0.marks.network?.fields.remoteAddress } }

    /// Returns where the time of the attempt went until `end`, or until the last byte of the response.
    func timings(attempt: Int, queued: Duration, since began: Moment, endedBy end: Moment?, version: ProtocolVersion?) -> AttemptTimings {
        let (marks, last) = state.withLock { ($0.marks, $0.lastActivity) }
        return AttemptTimings(
            marks, attempt: attempt, queued: queued, began: began, end: end ?? (marks.head == nil ? time.moment : last), version: version)
    }
}

extension Exchange.State {
    fileprivate mutating func note(_ report: Exchange.Report, _ now: Moment?) {
        switch report {
        case .connected(let isReused):
            marks.isReused = isReused
            marks.connected = now
            phase = .sending
        case .sentHead: phase = .sending
        case .resent:
            phase = .sending
            resends += 1
            marks = AttemptMarks(isReused: marks.isReused)
        case .sentBody(let bytes): marks.bytesSent += Int64(bytes)
        case .sentAll:
            marks.sent = now
            if phase == .connecting || phase == .sending { phase = .waiting }
        case .informational, .contentLength, .pins, .warning: break
        case .network(let timings): marks.network = timings
        case .receivedHead:
            marks.head = now
            phase = .receiving
        case .receivedBody(let bytes):
            phase = .receiving
            marks.bytesReceived += Int64(bytes)
        case .ended: isEnded = true
        }
    }
}
