/// The time limits of one attempt and its phases (pure; the watch acts on it).
struct AttemptPolicy: Sendable {
    /// The value of ``Options/timeout``, or `nil` if it is unlimited.
    let timeout: Duration?
    /// The end of ``Options/connectTimeout``, or `nil` if it is unlimited or the transport does not report
    /// connections.
    let connectEnd: Moment?
    let idle: Duration?
    /// The end of the whole call's time.
    let deadline: Moment?

    /// The progress of the exchange.
    struct Situation {
        let now: Moment
        let phase: TarmacError.Phase
        let lastActivity: Moment
        /// Whether a reader waits for the next bytes. A slow reader does not reach the idle limit.
        let isAwaited: Bool
        /// The start of ``Options/timeout``. For an upload, it is the last time bytes were sent. It is `nil` once the
        /// limit has ended, because a body that is passed on is controlled by its reader.
        let timedSince: Moment?
        /// Whether the request is an upload, which may take long to send while it makes progress.
        var restartsTimeout = false
    }

    enum Decision: Equatable {
        case wait(until: Moment?)
        case expire(TarmacError.Code)
    }

    func decide(_ situation: Situation) -> Decision {
        let limits = limits(situation)
        if let passed = limits.filter({ $0.at <= situation.now }).min(by: { $0.at < $1.at }) { return .expire(passed.code) }
        return .wait(until: limits.map(\.at).min())
    }

    private func limits(_ situation: Situation) -> [(at: Moment, code: TarmacError.Code)] {
        var limits: [(Moment, TarmacError.Code)] = []
        if let deadline { limits.append((deadline, .deadlineExceeded)) }
        if let timeout, let since = situation.timedSince { limits.append((since + timeout, .timeout)) }
        if let connectEnd, situation.phase == .connecting { limits.append((connectEnd, .connectTimeout)) }
        if let idle {
            // A body that has not begun, or that no reader waits for, has no gap yet: check again after a full idle
            // time.
            let isUnderway = situation.phase == .receiving || situation.restartsTimeout && situation.phase == .sending
            let hasGap = isUnderway && situation.isAwaited
            let since = hasGap ? situation.lastActivity : situation.now
            limits.append((since + idle, .idleTimeout))
        }
        return limits
    }

    /// Returns the time of the first check.
    func firstLook(_ start: Moment) -> Moment? {
        earlier(earlier(deadline, timeout.map { start + $0 }), earlier(connectEnd, idle.map { start + $0 }))
    }

    private func earlier(_ one: Moment?, _ other: Moment?) -> Moment? {
        guard let one else { return other }
        guard let other else { return one }
        return min(one, other)
    }
}
