/// Ends an exchange at its time limits.
typealias AttemptWatch = DeadlineTimer<AttemptLimits>

extension DeadlineTimer where Watch == AttemptLimits {
    convenience init(_ exchange: Exchange, policy: AttemptPolicy, options: ResolvedOptions, heap: DeadlineHeap) {
        self.init(AttemptLimits(exchange: exchange, policy: policy, values: options), in: heap)
    }

    /// Starts the time limits of an attempt that begins now.
    func start(now: Moment) {
        if let first = watch.policy.firstLook(now) { start(at: first) }
    }

    /// Sets whether a reader waits for the next bytes.
    func setAwaited(_ isAwaited: Bool) { watch.exchange.setAwaited(isAwaited) }
}

/// The time limits of an attempt.
struct AttemptLimits: DeadlineWatch {
    fileprivate let exchange: Exchange
    fileprivate let policy: AttemptPolicy
    fileprivate let values: ResolvedOptions

    var isDone: Bool { exchange.isEnded || exchange.abortReason != nil }

    func expire(_ now: Moment) -> Moment? {
        if isDone { return nil }
        let phase = exchange.phase
        let situation = AttemptPolicy.Situation(
            now: now, phase: phase, lastActivity: exchange.lastActivity, isAwaited: exchange.isAwaited,
            timedSince: exchange.timedSince, restartsTimeout: exchange.restartsTimeout)
        switch policy.decide(situation) {
        case .wait(let until): return until
        case .expire(let code):
            exchange.abort(.failed(error(code, phase: phase)))
            return nil
        }
    }

    private func error(_ code: TarmacError.Code, phase: TarmacError.Phase) -> TarmacError {
        let limits = values.values
        return switch code {
        case .connectTimeout:
            TarmacError(code, phase: phase, "no connection within \(limits.connectTimeout)", suggestion: "check host and port, or raise connectTimeout")
        case .idleTimeout:
            TarmacError(
                code, phase: phase, "no byte \(phase == .sending ? "left" : "arrived") for \(limits.idleTimeout)",
                suggestion: "raise idleTimeout if the server needs longer pauses")
        case .deadlineExceeded:
            TarmacError(code, phase: phase, "the call did not end within its deadline of \(limits.deadline)")
        default:
            TarmacError(code, phase: phase, "the attempt did not end within \(limits.timeout)", suggestion: "raise timeout, or stream a long body")
        }
    }
}
