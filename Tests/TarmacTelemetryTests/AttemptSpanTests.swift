#if Tools
import HTTPTypes
import InMemoryTracing
import TarmacCore
import TarmacResilience
import TarmacStreams
import TarmacTelemetry
import TarmacTesting
import TarmacTransfer
import Testing
import Tracing

/// Starts a span for each exchange, as a transport does that traces its connections.
private struct TracingTransport: Transport {
    let tracer: any Tracer
    var name: String { "tracing" }
    var capabilities: TransportCapabilities { .everything }

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        tracer.startSpan("connection", ofKind: .producer).end()
        exchange.report(.receivedHead)
        exchange.report(.ended)
        return request.url.path == "/busy" ? .status(.serviceUnavailable) : .text("hello")
    }

    func shutdown() async {}
}

/// Adds an attribute to every span, as a sampler does, and hides the URL when it learns of it.
private struct RuleTracer: Tracer {
    let base = InMemoryTracer()

    func startSpan<Instant: TracerInstant>(
        _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind, at instant: @autoclosure () -> Instant,
        function: String, file fileID: String, line: UInt
    ) -> InMemorySpan {
        let span = base.startSpan(operationName, context: context(), ofKind: kind, at: instant(), function: function, file: fileID, line: line)
        span.updateAttributes { $0["sampling.rule"] = "all" }
        return span
    }

    func forceFlush() {}

    func inject<Carrier, Inject: Injector>(_ context: ServiceContext, into carrier: inout Carrier, using injector: Inject)
    where Inject.Carrier == Carrier {
        // The last chance to change a span before the request goes out.
        for span in base.activeSpans where span.spanID == context.inMemorySpanContext?.spanID {
            span.updateAttributes { $0["url.full"] = "hidden" }
        }
    }

    func extract<Carrier, Extract: Extractor>(_ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract)
    where Extract.Carrier == Carrier {}
}

@Suite("The span of a request, for the work below it and for the tracer")
struct AttemptSpanTests {
    private func client(_ tracer: any Tracer) -> Client {
        Client(transport: TransportFactory(name: "tracing") { _ in TracingTransport(tracer: tracer) }, services: [.shop]) {
            $0.telemetry = Telemetry(tracer: tracer)
            $0.retry = .exponential(maxAttempts: 2, base: .zero)
        }
    }

    @Test func workOfTheTransportBelongsToTheSpanOfItsRequest() async throws {
        let tracer = W3CTracer()
        await #expect(throws: TarmacError.self) { try await client(tracer).get("/busy") }
        let spans = tracer.base.finishedSpans, attempts = spans.filter { $0.kind == .client }
        let work = spans.filter { $0.operationName == "connection" }
        #expect(attempts.count == 2 && Set(attempts.map(\.spanID)).count == 2)
        #expect(work.map(\.parentSpanID) == attempts.map(\.spanID))
    }

    @Test func aStreamsRequestHasItsWorkBelowItAndItsReaderOutside() async throws {
        let tracer = W3CTracer()
        let outer = tracer.startSpan("outer")
        let seen = try await ServiceContext.$current.withValue(outer.context) {
            try await client(tracer).stream(.get("/hello")) { response in
                for try await _ in response.body {}
                return ServiceContext.current?.inMemorySpanContext?.spanID
            }
        }
        let attempt = try #require(tracer.base.finishedSpans.first { $0.kind == .client })
        #expect(tracer.base.finishedSpans.first { $0.operationName == "connection" }?.parentSpanID == attempt.spanID)
        #expect(seen == outer.spanID)
    }

    @Test func attributesThatTheTracerAddsOrChangesStay() async throws {
        let tracer = RuleTracer()
        try await client(tracer).get("/hello")
        let attempt = try #require(tracer.base.finishedSpans.first { $0.kind == .client })
        #expect(attempt.text("sampling.rule") == "all" && attempt.text("url.full") == "hidden")
        #expect(attempt.text("http.request.method") == "GET" && attempt.number("http.response.status_code") == 200)
    }
}
#endif
