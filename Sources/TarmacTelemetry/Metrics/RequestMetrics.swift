#if Telemetry
import CoreMetrics
@_spi(TarmacRooms) import TarmacCore

/// The metrics of requests on the wire. Their number is bounded: see ``RequestMetrics/limit``.
final class RequestMetrics: Sendable {
    /// The largest number of combinations of dimensions of one metric, as OpenTelemetry's SDKs have it. All further ones are counted under
    /// `otel.metric.overflow`.
    static let limit = 2_000

    private let durations: BoundedMetrics<RequestDimensions, Timer>
    private let active: BoundedMetrics<ServerDimensions, Meter>

    init(_ factory: any MetricsFactory) {
        let absent = AbsentDimensions(for: factory)
        durations = BoundedMetrics { dimensions in
            Timer(
                label: "http.client.request.duration", dimensions: absent.shown(RequestDimensions.pairs(dimensions)), preferredDisplayUnit: .seconds,
                factory: factory)
        }
        active = BoundedMetrics { dimensions in
            Meter(label: "http.client.active_requests", dimensions: absent.shown(ServerDimensions.pairs(dimensions)), factory: factory)
        }
    }

    /// Counts a request that goes out. Decrement the meter when it has ended.
    func begin(_ facts: AttemptFacts) -> Meter {
        let meter = active.metric(ServerDimensions(facts))
        meter.increment()
        return meter
    }

    func record(_ duration: Duration, of facts: AttemptFacts, withTemplate: Bool) {
        let (seconds, attoseconds) = duration.withinACentury.components
        durations.metric(RequestDimensions(facts, withTemplate: withTemplate))
            .recordNanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
#endif
