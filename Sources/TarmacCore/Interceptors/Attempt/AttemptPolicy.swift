/// The time limits of one attempt: how long each phase may last (pure; the watch acts on it).
struct AttemptPolicy: Sendable {
    /// ``Options/timeout``; `nil` when unlimited.
    let timeout: Duration?
    /// The end of ``Options/connectTimeout``; `nil` when unlimited or when the transport does not tell.
    let connectEnd: ContinuousClock.Instant?
    let idle: Duration?
    /// The end of the whole call.
    let deadline: ContinuousClock.Instant?

    /// How far the exchange has come.
    struct Situation {
        let now: ContinuousClock.Instant
        let phase: TarmacError.Phase
        let lastActivity: ContinuousClock.Instant
        /// Whether somebody waits for the next bytes; a reader that takes its time does not run into the idle limit.
        let isAwaited: Bool
        /// Since when ``Options/timeout`` runs: for an upload, since it last came on. `nil` when it runs no more: a body handed
        /// on is its reader's business.
        let timedSince: ContinuousClock.Instant?
        /// Whether the request is an upload, which may take long to send, but not without coming on.
        var isUpload = false
    }

    enum Decision: Equatable {
        case wait(until: ContinuousClock.Instant?)
        case expire(TarmacError.Code)
    }

    func decide(_ situation: Situation) -> Decision {
        let limits = limits(situation)
        if let passed = limits.filter({ $0.at <= situation.now }).min(by: { $0.at < $1.at }) { return .expire(passed.code) }
        return .wait(until: limits.map(\.at).min())
    }

    private func limits(_ situation: Situation) -> [(at: ContinuousClock.Instant, code: TarmacError.Code)] {
        var limits: [(ContinuousClock.Instant, TarmacError.Code)] = []
        if let deadline { limits.append((deadline, .deadlineExceeded)) }
        if let timeout, let since = situation.timedSince { limits.append((since + timeout, .timeout)) }
        if let connectEnd, situation.phase == .connecting { limits.append((connectEnd, .connectTimeout)) }
        if let idle {
            // A body that has not begun, or that nobody waits for, has no gap yet: look again after a full idle span.
            let isUnderway = situation.phase == .receiving || situation.isUpload && situation.phase == .sending
            let hasGap = isUnderway && situation.isAwaited
            let since = hasGap ? situation.lastActivity : situation.now
            limits.append((since + idle, .idleTimeout))
        }
        return limits
    }

    /// When to look first.
    func firstLook(_ start: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        earlier(earlier(deadline, timeout.map { start + $0 }), earlier(connectEnd, idle.map { start + $0 }))
    }

    private func earlier(_ one: ContinuousClock.Instant?, _ other: ContinuousClock.Instant?) -> ContinuousClock.Instant? {
        guard let one else { return other }
        guard let other else { return one }
        return min(one, other)
    }
}
