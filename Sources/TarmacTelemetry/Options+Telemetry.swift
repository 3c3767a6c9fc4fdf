#if Telemetry
@_spi(TarmacRooms) public import TarmacCore
import TarmacSupport

extension Options {
    /// The back ends that learn of the calls. Default: ``Telemetry/off``.
    ///
    /// ```swift
    /// options.telemetry = Telemetry(logger: logger, metrics: factory, tracer: tracer)
    /// ```
    public var telemetry: Telemetry? {
        get { self[Settings.telemetry] }
        set {
            self[Settings.telemetry] = newValue
            self[Settings.outboxObserver] = newValue.map(\.outboxes)
        }
    }
}

extension Settings {
    static let telemetry = Setting<Telemetry>("telemetry", default: .off) {
        $0.stages = { value, scope in
            var stages: [SeatedStage] = []
            if let tracer = value.tracer {
                let spans = scope.state(OpenSpans.self)
                stages.append(SeatedStage(.callSpan, CallSpanInterceptor(tracer: tracer, spans: spans)))
                stages.append(SeatedStage(.restoredTrace, RestoredTraceInterceptor(spans: spans)))
            }
            if value.tracer != nil || value.metrics != nil { stages.append(SeatedStage(.attemptSpan, AttemptSpanInterceptor(telemetry: value))) }
            return stages
        }
        $0.observer = { value, scope in
            if value.logger == nil, value.tracer == nil, value.calls == nil { return nil }
            let metrics = value.calls.map { ($0, scope.state(CountedCalls.self)) }
            let spans = value.tracer == nil ? nil : scope.state(OpenSpans.self)
            return CallTelemetry(
                logger: value.logger, warnings: scope.state(WarningGate.self), tracer: value.tracer, metrics: metrics, spans: spans)
        }
    }
}

extension Seat {
    /// Above the other stages, so that the requests that they send are within the span of the call.
    static let callSpan = Seat(.call, order: -1_000)
    /// Below the stages that send a request from another task than the call's, as the hedge does.
    static let restoredTrace = Seat(.repeating, order: 1_000)
    /// Directly above the transport, so that each request on the wire has a span, and no signature covers the fields of a trace,
    /// which proxies may change.
    static let attemptSpan = Seat(.signing, order: 1_000)
}
#endif
