#if Tools
import InMemoryLogging
import InMemoryTracing
import Logging
import MetricsTestKit
import ServiceLifecycle
import Tarmac
import TarmacNIO
import TarmacStreams
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
        let tracer: TraceparentTracer
        let metrics = TestMetrics()
        let logs = InMemoryLogHandler()
        let server: TracedServer

        var telemetry: Telemetry {
            var logger = Logger(label: "test") { [logs] _ in logs }
            logger.logLevel = .debug
            return Telemetry(logger: logger, metrics: metrics, tracer: tracer)
        }

        /// The spans of requests, in the order of their ends.
        var inFlight: Double? { metrics.meters.first { $0.label == "http.client.active_requests" }?.lastValue }
        var attempts: [FinishedInMemorySpan] { tracer.base.finishedSpans.filter { $0.kind == .client } }
        var calls: [FinishedInMemorySpan] { tracer.base.finishedSpans.filter { $0.kind == .internal } }
        /// The spans of the server.
        var served: [FinishedInMemorySpan] { tracer.base.finishedSpans.filter { $0.kind == .server } }
    }

    private func run(_ transport: TransportUnderTest, _ body: @escaping @Sendable (Client, Rig) async throws -> Void) async throws {
        let tracer = TraceparentTracer()
        try await TracedServer.run(tracer: tracer) { server in
            let rig = Rig(tracer: tracer, server: server)
            let services = [Tarmac.Service("s", host: Hosts("http://127.0.0.1:\(server.port)"))]
            try await Tarmac.withClient(transport: transport.factory, services: services) {
                $0.telemetry = rig.telemetry
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
            // The server hangs its own work on the request.
            #expect(rig.served.map(\.parentSpanID) == [attempt.spanID] && rig.served.map(\.traceID) == [call.traceID])
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
                #expect(rig.attempts.isEmpty && rig.inFlight == 1)
                for try await _ in response.body {}
                #expect(rig.attempts.count == 1 && rig.inFlight == 0)
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

    @Test(arguments: transports)
    func theLogHasALineForEachRepeatAndForTheEnd(transport: TransportUnderTest) async throws {
        try await run(transport) { client, rig in
            try await client.get("/busy")
            #expect(rig.logs.entries.map(\.level) == [.warning, .debug])
            #expect(rig.logs.entries.map { "\($0.message)" } == ["call is repeated", "call landed"])
            #expect(rig.logs.entries.map { $0.metadata["http.response.status_code"] } == ["503", "200"])
            #expect(rig.logs.entries.last?.metadata["tarmac.attempts"] == "2")
            let error = await #expect(throws: TarmacError.self) { try await client.get("/nowhere") }
            let line = try #require(rig.logs.entries.last)
            #expect(line.level == .error && line.metadata["error.type"] == "\(error?.code.name ?? "")")
            #expect(line.metadata["http.response.status_code"] == "404")
        }
    }

    @MainActor @Test(arguments: transports)
    func anOwnersCallKeepsItsParentOverTheWire(transport: TransportUnderTest) async throws {
        try await run(transport) { client, rig in
            let outer = rig.tracer.startSpan("outer")
            await startOwned(client, within: outer.context)
            outer.end()
            let call = try #require(rig.calls.first { $0.operationName != "outer" })
            #expect(call.parentSpanID == outer.spanID)
            #expect(rig.attempts.map(\.parentSpanID) == [call.spanID])
            #expect(rig.served.map(\.parentSpanID) == rig.attempts.map(\.spanID) && rig.served.map(\.traceID) == [outer.traceID])
        }
    }

    /// A server that calls another service and its client end in the order that the guide gives: first the server, with the requests that
    /// it has begun, and then the client.
    @Test(arguments: transports)
    func aServerAndItsClientEndTogether(transport: TransportUnderTest) async throws {
        let tracer = TraceparentTracer(), release = Watched(false)
        try await TracedServer.run(tracer: tracer, release: release) { upstream in
            let rig = Rig(tracer: tracer, server: upstream)
            let services = [Tarmac.Service("s", host: Hosts("http://127.0.0.1:\(upstream.port)"))]
            let inner = Client(transport: transport.factory, services: services) { $0.telemetry = rig.telemetry }
            let end = Watched<TarmacError.Code?>(nil)
            try await TracedServer.run(tracer: tracer, client: inner) { front, group in
                try await Tarmac.withClient(transport: transport.factory, services: [.init("f", host: Hosts("http://127.0.0.1:\(front.port)"))]) {
                    $0.telemetry = Telemetry(tracer: tracer)
                } _: { outer in
                    async let answer: String = outer.get("/through/held", as: String.self)
                    try await upstream.traces.wait { !$0.isEmpty }
                    await group.triggerGracefulShutdown()
                    release.update { $0 = true }
                    #expect(try await answer == "hello")
                }
            }
            do { try await inner.get("/hello/late") } catch let error as TarmacError { end.update { $0 = error.code } }
            #expect(end.value == .clientShutDown)
            // One trace from the first request to the last server.
            #expect(Set(rig.attempts.prefix(2).map(\.traceID)).count == 1 && rig.served.count == 2)
            #expect(Set(rig.served.compactMap(\.parentSpanID)) == Set(rig.attempts.prefix(2).map(\.spanID)))
        }
    }
}

@MainActor private final class Screen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
}

@MainActor private func startOwned(_ client: Client, within context: ServiceContext) async {
    let screen = Screen()
    await withCheckedContinuation { continuation in
        ServiceContext.$current.withValue(context) {
            _ = client.start(.get("/hello/{name}", ["name": "ann"]), owner: screen) { _, _ in continuation.resume() }
        }
    }
}
#endif
