#if Telemetry
import CoreMetrics

/// How the metrics of a factory state a dimension without a value (pure).
///
/// OpenTelemetry leaves it out. The collectors of Prometheus had one set of names for each metric, and swift-prometheus ended the process at a
/// second one. There an empty value means the same as none, in every version. A multiplexer may lead there, too.
struct AbsentDimensions {
    let areEmpty: Bool

    init(for factory: any MetricsFactory) {
        areEmpty = factory is MultiplexMetricsHandler || String(reflecting: type(of: factory)).contains("Prometheus")
    }

    func shown(_ pairs: [(name: String, value: String?)]) -> [(String, String)] {
        pairs.compactMap { pair in (pair.value ?? (areEmpty ? "" : nil)).map { (pair.name, $0) } }
    }
}
#endif
