#if Telemetry
import CoreMetrics
@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// The metrics of outboxes. Several ones count together.
final class OutboxMetrics: OutboxObserver {
    fileprivate struct State {
        var counts: [ObjectIdentifier: OutboxCount] = [:]
        var changes = 0
    }
    private struct Meters {
        let waiting, inFlight, dead, oldestAge: Meter

        init(_ factory: any MetricsFactory) {
            func entries(_ state: String) -> Meter { Meter(label: "tarmac.outbox.entries", dimensions: [("tarmac.state", state)], factory: factory) }
            (waiting, inFlight, dead) = (entries("waiting"), entries("inFlight"), entries("dead"))
            oldestAge = Meter(label: "tarmac.outbox.oldest_age", factory: factory)
        }

        func set(_ sum: OutboxCount) {
            waiting.set(sum.waiting)
            inFlight.set(sum.inFlight)
            dead.set(sum.dead)
            oldestAge.set(sum.oldestAge / .seconds(1))
        }
    }

    private let factory: any MetricsFactory
    private let state = Locked(State())
    /// Made for the first outbox.
    private let meters = Locked<Meters?>(nil)

    init(_ factory: any MetricsFactory) { self.factory = factory }

    func outbox(_ outbox: ObjectIdentifier, has entries: OutboxCount?) {
        var shown = state.withLock { state in
            state.counts[outbox] = entries
            state.changes += 1
            return (sum: state.sum, change: state.changes)
        }
        let meters = madeMeters()
        // Another outbox may set an older sum behind this one. Whoever sets the last one looks again.
        while true {
            meters.set(shown.sum)
            let now = state.withLock { ($0.sum, $0.changes) }
            if now.1 == shown.change { return }
            shown = now
        }
    }

    private func madeMeters() -> Meters {
        if let known = meters.withLock({ $0 }) { return known }
        // A factory may call anything, so the metrics are made outside of the lock. The first ones are kept.
        let made = Meters(factory)
        return meters.withLock { meters in
            let first = meters ?? made
            meters = first
            return first
        }
    }
}

extension OutboxMetrics.State {
    fileprivate var sum: OutboxCount {
        counts.values.reduce(into: OutboxCount(waiting: 0, inFlight: 0, dead: 0, oldestAge: .zero)) { sum, one in
            sum.waiting += one.waiting
            sum.inFlight += one.inFlight
            sum.dead += one.dead
            sum.oldestAge = max(sum.oldestAge, one.oldestAge)
        }
    }
}
#endif
