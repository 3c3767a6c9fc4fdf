#if Tools
import InMemoryTracing
import MetricsTestKit
import Tarmac
import TarmacNIO
import TarmacTelemetry
import TarmacTesting
import TarmacURLSession
import Testing
import Tracing

/// Telemetry of calls to a server, over both transports.
@Suite("Telemetry over the wire", .timeLimit(.minutes(1)))
struct TelemetryWireTests {
    static let transports = [TransportUnderTest.asyncHTTPClient, .urlSession]

    private struct Rig: Sendable {
        let tracer = TraceparentTracer()
        let metrics = TestMetrics()
        let server: TracedServer

        /// The spans of requests, in the order of their ends.
        var attempts: [FinishedInMemorySpan] { tracer.base.finishedSpans.filter { $0.kind == .client } }
        var calls: [FinishedInMemorySpan] { tracer.base.finishedSpans.filter { $0.kind == .internal } }
    }

    private func run(_ transport: TransportUnderTest, _ body: @escaping @Sendable (Client, Rig) async throws -> Void) async throws {
        try await TracedServer.run { server in
            let rig = Rig(server: server)
            let services = [Tarmac.Service("s", host: Hosts("http://127.0.0.1:\(server.port)"))]
            try await Tarmac.withClient(transport: transport.factory, services: services) {
                $0.telemetry = Telemetry(metrics: rig.metrics, tracer: rig.tracer)
                $0.retry = .exponential(maxAttempts: 2, base: .zero)
            } _: { client in
                try await body(client, rig)
            }
        }
    }

    @Test(arguments: transports)
    func theServerSeesTheSpanOfItsRequest(transport: TransportUnderTest) async throws {
        try await run(transport) { client, rig in
            try await client.get("/hello/{name}", ["name": "ann"])
            let attempt = try #require(rig.attempts.first), call = try #require(rig.calls.first)
            #expect(rig.server.traces.value == [attempt.traceparent])
            #expect(attempt.parentSpanID == call.spanID && attempt.operationName == "GET /hello/{name}")
            #expect(attempt.attributes["server.port"]?.toSpanAttribute() == .int64(Int64(rig.server.port)))
            #expect(attempt.attributes["http.response.status_code"]?.toSpanAttribute() == .int64(200))
            #expect(rig.metrics.timers.map(\.values.count) == [1])
            guard transport.factory.name == TransportFactory.asyncHTTPClient.name else { return }
            #expect(attempt.attributes["network.protocol.version"]?.toSpanAttribute() == .string("1.1"))
            #expect(attempt.attributes["network.peer.address"]?.toSpanAttribute() == .string("127.0.0.1"))
            #expect(attempt.attributes["network.peer.port"]?.toSpanAttribute() == .int64(Int64(rig.server.port)))
        }
    }

    @Test(arguments: transports)
    func aRepeatHasASpanOfItsOwn(transport: TransportUnderTest) async throws {
        try await run(transport) { client, rig in
            try await client.get("/busy")
            #expect(rig.server.traces.value == rig.attempts.map(\.traceparent))
            #expect(rig.attempts.map { $0.attributes["http.request.resend_count"]?.toSpanAttribute() } == [nil, .int64(1)])
            #expect(rig.attempts.map { $0.attributes["error.type"]?.toSpanAttribute() } == [.string("503"), nil])
        }
    }

    @Test(arguments: transports)
    func aStreamIsInFlightUntilItsBodyEnds(transport: TransportUnderTest) async throws {
        try await run(transport) { client, rig in
            try await client.stream(.get("/hello/{name}", ["name": "ann"])) { response in
                #expect(rig.attempts.isEmpty && rig.metrics.meters.map(\.lastValue) == [1])
                for try await _ in response.body {}
                #expect(rig.attempts.count == 1 && rig.metrics.meters.map(\.lastValue) == [0])
            }
            #expect(rig.attempts.map { $0.attributes["error.type"]?.toSpanAttribute() } == [nil])
        }
    }

    @Test(arguments: transports)
    func aForeignOriginDoesNotLearnOfTheTrace(transport: TransportUnderTest) async throws {
        try await run(transport) { client, rig in
            try await client.get("/away{?to}", ["to": "http://localhost:\(rig.server.port)/hello/ann"])
            #expect(rig.server.traces.value == [rig.attempts.first?.traceparent, nil])
            #expect(rig.attempts.count == 2)
        }
    }
}

/// A tracer in memory that writes its context as W3C's Trace Context has it.
private struct TraceparentTracer: Tracer {
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
    where Extract.Carrier == Carrier {}
}

extension FinishedInMemorySpan {
    fileprivate var traceparent: String { "00-\(traceID)/\(spanID)-01" }
}
#endif
