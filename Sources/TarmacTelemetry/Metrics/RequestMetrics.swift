#if Telemetry
import CoreMetrics
@_spi(TarmacRooms) import TarmacCore

/// The metrics of requests on the wire. Their number is bounded: see ``RequestMetrics/limit``.
final class RequestMetrics: Sendable {
    /// The largest number of combinations of dimensions of one metric, as OpenTelemetry's SDKs have it. All further ones are counted under
    /// `otel.metric.overflow`.
    static let limit = 2_000

    private let factory: any MetricsFactory
    private let state = Locked(State())

    fileprivate struct State {
        var durations: [RequestDimensions: Timer] = [:]
        var active: [ServerDimensions: Meter] = [:]
        var durationOverflow: Timer?
        var activeOverflow: Meter?
    }

    init(_ factory: any MetricsFactory) { self.factory = factory }

    /// Counts a request that goes out. Decrement the meter when it has ended.
    func begin(_ facts: AttemptFacts) -> Meter {
        let meter = meter(ServerDimensions(facts))
        meter.increment()
        return meter
    }

    func record(_ duration: Duration, of facts: AttemptFacts, withTemplate: Bool) {
        let (seconds, attoseconds) = duration.withinACentury.components
        timer(RequestDimensions(facts, withTemplate: withTemplate)).recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    // A factory may call anything, so metrics are made outside of the lock. The first one is kept.

    private func timer(_ dimensions: RequestDimensions) -> Timer {
        let (known, isFull) = state.withLock { ($0.durations[dimensions] ?? ($0.isFull ? $0.durationOverflow : nil), $0.isFull) }
        if let known { return known }
        let made = Timer(
            label: "http.client.request.duration", dimensions: isFull ? RequestDimensions.overflow : dimensions.pairs,
            preferredDisplayUnit: .seconds, factory: factory)
        return state.withLock { $0.keep(made, isFull ? nil : dimensions) }
    }

    private func meter(_ dimensions: ServerDimensions) -> Meter {
        let (known, isFull) = state.withLock { ($0.active[dimensions] ?? ($0.hasManyServers ? $0.activeOverflow : nil), $0.hasManyServers) }
        if let known { return known }
        let made = Meter(label: "http.client.active_requests", dimensions: isFull ? ServerDimensions.overflow : dimensions.pairs, factory: factory)
        return state.withLock { $0.keep(made, isFull ? nil : dimensions) }
    }
}

extension RequestMetrics.State {
    fileprivate var isFull: Bool { durations.count >= RequestMetrics.limit }
    fileprivate var hasManyServers: Bool { active.count >= RequestMetrics.limit }

    fileprivate mutating func keep(_ timer: Timer, _ dimensions: RequestDimensions?) -> Timer {
        let kept = dimensions.map { durations[$0] } ?? durationOverflow
        if let kept { return kept }
        if let dimensions { durations[dimensions] = timer } else { durationOverflow = timer }
        return timer
    }

    fileprivate mutating func keep(_ meter: Meter, _ dimensions: ServerDimensions?) -> Meter {
        let kept = dimensions.map { active[$0] } ?? activeOverflow
        if let kept { return kept }
        if let dimensions { active[dimensions] = meter } else { activeOverflow = meter }
        return meter
    }
}
#endif
