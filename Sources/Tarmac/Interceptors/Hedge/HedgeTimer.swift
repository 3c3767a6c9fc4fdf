/// Watches one request of a call that may have hedges: it stands in the engine's deadline heap, and there is no task for it.
// SAFETY: every field is constant; what changes is in the race and in the exchange, behind their locks.
final class HedgeTimer: DeadlineEntry, @unchecked Sendable {
    private let race: HedgeRace
    private let exchange: Exchange
    private let delay: Duration

    init(_ race: HedgeRace, _ exchange: Exchange, delay: Duration) {
        self.race = race
        self.exchange = exchange
        self.delay = delay
    }

    override var isDone: Bool { exchange.isEnded || exchange.abortReason != nil }

    override func expire(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        !isDone && race.hedge(after: delay) ? now + delay : nil
    }
}
