#if Telemetry
import HTTPTypes
import Logging
import TarmacCore
import TarmacSupport
import Tracing

/// Writes the log of calls, counts them, and ends their spans. Events are masked before they come here.
struct CallTelemetry: EventObserver {
    let logger: Logger?
    let warnings: WarningGate
    let tracer: (any Tracer)?
    let metrics: (calls: CallMetrics, counted: CountedCalls)?
    /// The spans of the calls, if there is a tracer.
    let spans: OpenSpans?

    func receive(_ event: CallEvent) {
        if let metrics { metrics.calls.note(event, of: metrics.counted) }
        guard let end = CallEnd(event.kind) else {
            note(event)
            return log(event, within: spans?.open(event.call))
        }
        let span = closed(event)
        log(event, within: span)
        if let span { end.end(span, attempts: event.attempt) }
    }

    /// Returns the span of a call that has ended. A call that no stage saw, because its request could not be built or an interceptor of the
    /// app answered it, gets a span now.
    private func closed(_ event: CallEvent) -> (any Span)? {
        guard let spans, let tracer else { return nil }
        let (span, isFirst) = spans.close(event.call)
        if span != nil || !isFirst { return span }
        // The name of an inline call holds its template.
        let target = CallTarget(endpoint: event.endpoint, template: event.endpoint)
        let started = tracer.startSpan(target.name, ofKind: .internal)
        started.updateAttributes { target.describe(in: &$0, service: event.service) }
        return started
    }

    /// Notes on the span that the response came from the cache.
    private func note(_ event: CallEvent) {
        guard case .stage(let stage as any NotedEvent) = event.kind, let source = stage.cacheOutcome else { return }
        spans?.open(event.call)?.updateAttributes { $0["tarmac.cache"] = source }
    }

    private func log(_ event: CallEvent, within span: (any Span)?) {
        guard let logger, let line = LogLine(event), line.level >= logger.logLevel else { return }
        if case .warning(let text) = event.kind, !warnings.passes(text, at: event.instant) { return }
        guard let span else { return logger.log(level: line.level, "\(line.text)", metadata: line.metadata) }
        // A provider of metadata finds the trace here.
        ServiceContext.$current.withValue(span.context) {
            logger.log(level: line.level, "\(line.text)", metadata: line.metadata)
        }
    }
}

/// The end of a call, as its span tells it.
private struct CallEnd {
    var status: Int?
    var errorType: String?
    var reason: String?

    init?(_ kind: CallEvent.Kind) {
        switch kind {
        case .landed(let status, _): self.status = status.code
        case .failed(let error, _):
            status = error.status?.code
            errorType = error.code.name
            reason = error.reason
        case .cancelled: errorType = "cancelled"
        default: return nil
        }
    }

    func end(_ span: any Span, attempts: Int) {
        span.updateAttributes { attributes in
            attributes["tarmac.attempts"] = attempts
            attributes["http.response.status_code"] = status
            attributes["error.type"] = errorType
        }
        if errorType != nil { span.setStatus(SpanStatus(code: .error, message: reason)) }
        span.end()
    }
}
#endif
