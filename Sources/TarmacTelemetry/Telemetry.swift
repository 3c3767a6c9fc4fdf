#if Telemetry
public import CoreMetrics
public import Logging
public import Tracing
public import TarmacCore

/// The back ends that learn of a client's calls: a logger of swift-log, metrics of swift-metrics, a tracer of
/// swift-distributed-tracing.
///
/// ```swift
/// let client = Client(transport: .asyncHTTPClient, services: [.shop]) {
///     $0.telemetry = Telemetry(logger: logger, metrics: factory, tracer: tracer)
/// }
/// ```
/// Names and values follow OpenTelemetry's conventions for HTTP clients. Secrets are masked as in errors and events.
/// Documentation/Telemetry.md lists what each back end receives.
public struct Telemetry: Sendable {
    /// No back end. A call or a service can set it to be silent.
    public static let off = Telemetry()

    /// The back ends of the process: those that `LoggingSystem`, `MetricsSystem` and `InstrumentationSystem` were bootstrapped with.
    ///
    /// - Parameter label: the label of the logger.
    public static func bootstrapped(label: String = "tarmac") -> Telemetry {
        Telemetry(logger: Logger(label: label), metrics: MetricsSystem.factory, tracer: InstrumentationSystem.tracer)
    }

    let logger: Logger?
    let tracer: (any Tracer)?
    let metrics: RequestMetrics?
    let calls: CallMetrics?
    let connections: ConnectionMetrics?
    let outboxes: OutboxMetrics?
    /// The methods that appear by their names; every other one is `_OTHER`. Default: those of RFC 9110 and `PATCH`.
    public var knownMethods: Set<String> = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]
    /// Whether metrics have the dimension `url.template`. Default: `false`. Spans have the template always.
    public var measuresTemplates = false

    /// Makes telemetry for the given back ends. A back end that is `nil` receives nothing and costs nothing.
    ///
    /// - Parameters:
    ///   - logger: receives the ends of calls: successes at `debug`, repeats at `warning`, failures at `error`.
    ///   - metrics: makes the metrics, such as `http.client.request.duration` and `tarmac.client.active_calls`.
    ///   - tracer: starts a span for each call and one for each of its requests.
    public init(logger: Logger? = nil, metrics: (any MetricsFactory)? = nil, tracer: (any Tracer)? = nil) {
        self.logger = logger
        self.tracer = tracer
        self.metrics = metrics.map { RequestMetrics($0) }
        calls = metrics.map { CallMetrics($0) }
        connections = metrics.map { ConnectionMetrics($0) }
        outboxes = metrics.map { OutboxMetrics($0) }
    }
}

extension Telemetry: MaskedReflectable {
    /// The names of the back ends.
    public var description: String {
        let parts = [logger == nil ? nil : "logs", metrics == nil ? nil : "metrics", tracer == nil ? nil : "traces"].compactMap(\.self)
        return parts.isEmpty ? "off" : parts.joined(separator: ", ")
    }
}
#endif
