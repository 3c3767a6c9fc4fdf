#if Tools
import InMemoryTracing
import Tracing

/// A tracer in memory that writes its context as W3C's Trace Context has it, and reads it on the other side.
struct TraceparentTracer: Tracer {
    let base = InMemoryTracer()

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind, at instant: @autoclosure () -> Instant,
        function: String, file fileID: String, line: UInt
    ) -> InMemorySpan {
        base.startSpan(operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID, line: line)
    }

    func forceFlush() {}

    func inject<Carrier, Inject: Injector>(_ context: ServiceContext, into carrier: inout Carrier, using injector: Inject)
    where Inject.Carrier == Carrier {
        guard let span = context.inMemorySpanContext else { return }
        injector.inject("00-\(span.traceID)/\(span.spanID)-01", forKey: "traceparent", into: &carrier)
    }

    func extract<Carrier, Extract: Extractor>(_ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract)
    where Extract.Carrier == Carrier {
        guard let field = extractor.extract(key: "traceparent", from: carrier), field.hasPrefix("00-"), field.hasSuffix("-01") else { return }
        let parts = field.dropFirst(3).dropLast(3).split(separator: "/")
        guard parts.count == 2 else { return }
        context.inMemorySpanContext = InMemorySpanContext(traceID: String(parts[0]), spanID: String(parts[1]), parentSpanID: nil)
    }
}

extension FinishedInMemorySpan {
    var traceparent: String { "00-\(traceID)/\(spanID)-01" }
}
#endif
