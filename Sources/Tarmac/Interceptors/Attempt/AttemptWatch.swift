/// Ends an exchange when one of its time limits has passed.
// SAFETY: every field is constant; what changes is in the exchange, behind its lock.
final class AttemptWatch: DeadlineEntry, @unchecked Sendable {
    private let exchange: Exchange
    private let policy: AttemptPolicy
    private let values: ResolvedOptions
    private let heap: DeadlineHeap

    init(_ exchange: Exchange, policy: AttemptPolicy, options: ResolvedOptions, heap: DeadlineHeap) {
        self.exchange = exchange
        self.policy = policy
        self.values = options
        self.heap = heap
    }

    func start(at now: ContinuousClock.Instant) {
        if let first = policy.firstLook(now) { heap.add(self, at: first) }
    }

    func stop() { heap.remove(self) }

    /// Whether a reader waits for the next bytes.
    func setAwaited(_ isAwaited: Bool) {
        exchange.setAwaited(isAwaited)
    }

    override var isDone: Bool { exchange.isEnded || exchange.abortReason != nil }

    override func expire(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        if isDone { return nil }
        let phase = exchange.phase
        let situation = AttemptPolicy.Situation(
            now: now, phase: phase, lastActivity: exchange.lastActivity, isAwaited: exchange.isAwaited,
            timedSince: exchange.timedSince, isUpload: exchange.isUpload)
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
