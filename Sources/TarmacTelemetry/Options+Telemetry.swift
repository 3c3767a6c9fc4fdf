#if Telemetry
@_spi(TarmacRooms) public import TarmacCore

extension Options {
    /// The back ends that learn of the calls. Default: ``Telemetry/off``.
    ///
    /// ```swift
    /// options.telemetry = Telemetry(logger: logger, metrics: factory, tracer: tracer)
    /// ```
    public var telemetry: Telemetry? {
        get { self[TelemetryOption.self] }
        set { self[TelemetryOption.self] = newValue }
    }
}

enum TelemetryOption: OptionKey {
    static let name = "telemetry"
    static var defaultValue: Telemetry { .off }
    static var seat: Seat? { .callSpan }

    static func stages(_ value: Telemetry, in scope: StageScope) -> [SeatedStage] {
        var stages: [SeatedStage] = []
        if let tracer = value.tracer {
            let spans = scope.state(OpenSpans.self)
            stages.append(SeatedStage(.callSpan, CallSpanInterceptor(tracer: tracer, spans: spans)))
            stages.append(SeatedStage(.restoredTrace, RestoredTraceInterceptor(spans: spans)))
        }
        if value.tracer != nil || value.metrics != nil { stages.append(SeatedStage(.attemptSpan, AttemptSpanInterceptor(telemetry: value))) }
        return stages
    }

    static func observer(_ value: Telemetry, in scope: StageScope) -> (any EventObserver)? {
        if value.logger == nil, value.tracer == nil { return nil }
        return CallTelemetry(logger: value.logger, tracer: value.tracer, spans: value.tracer == nil ? nil : scope.state(OpenSpans.self))
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
