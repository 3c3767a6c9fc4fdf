#if Tools
import MetricsTestKit
import NIOCore
import NIOSSL
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacNIO
import TarmacStreams
import TarmacSupport
import TarmacTelemetry
import TarmacTesting
import TarmacURLSession
import Testing

/// The metric of open connections, over real sockets.
@Suite("Open connections", .timeLimit(.minutes(1)))
struct OpenConnectionTests {
    private let metrics = TestMetrics()

    private var meters: [TestMeter] { metrics.meters.filter { $0.label == "http.client.open_connections" } }

    /// The number of connections in a state, over all other dimensions.
    private func open(_ state: String? = nil) -> Double {
        meters.filter { meter in state == nil || meter.dimensions.contains { $0 == ("http.connection.state", state ?? "") } }
            .reduce(0) { $0 + ($1.lastValue ?? 0) }
    }

    private func dimensions(_ state: String) -> [String: String] {
        meters.map { Dictionary($0.dimensions) { $1 } }.first { $0["http.connection.state"] == state } ?? [:]
    }

    /// Runs a client, and checks what holds in every case.
    private func run(
        _ url: HTTPURL, _ transport: TransportFactory = .asyncHTTPClient, _ settings: ConnectionSettings = ConnectionSettings(),
        _ more: [Service] = [], sourceLocation: SourceLocation = #_sourceLocation, _ body: (Client) async throws -> Void
    ) async throws {
        let service = Service("s", host: "\(url.scheme)://\(url.authority)", connection: settings)
        try await Tarmac.withClient(transport: transport, services: [service] + more) {
            $0.telemetry = Telemetry(metrics: metrics)
            $0.allowsInsecureHTTP = true
        } _: { client in
            try await body(client)
        }
        // TLS tells the server of the end, which may come a little later.
        await eventually(sourceLocation: sourceLocation) { meters.allSatisfy { $0.lastValue == 0 } }
        #expect(meters.allSatisfy { $0.values.allSatisfy { $0 >= 0 } }, sourceLocation: sourceLocation)
    }

    private func trusting(_ change: (inout ConnectionSettings) -> Void = { _ in }) -> ConnectionSettings {
        ConnectionSettings {
            $0.trust = .onlyPEM(Bytes(TestCertificates.root))
            change(&$0)
        }
    }

    private func server2(_ more: [HTTP2Server.Action] = []) async throws -> HTTP2Server {
        try await HTTP2Server { _ in [.headers([(":status", "200"), ("content-type", "text/plain")]), .data("ok", ends: true)] + more }
    }

    // MARK: States

    @Test func aConnectionIsIdleBetweenItsRequestsAndCountedOnce() async throws {
        let server = try await NIORawServer { _ in [ok] }
        try await run(server.url()) { client in
            for _ in 0..<3 {
                try await client.get("/")
                #expect(open("idle") == 1 && open("active") == 0)
            }
        }
        #expect(server.seen.connections == 1 && meters.count == 2)
        #expect(
            dimensions("idle") == [
                "http.connection.state": "idle", "server.address": "127.0.0.1", "server.port": "\(server.port)", "network.protocol.version": "1.1",
                "url.scheme": "http",
            ])
    }

    @Test func aConnectionIsActiveWhileABodyArrivesAndClosesWithItsReader() async throws {
        let server = try await NIORawServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")] }
        try await run(server.url()) { client in
            try await client.stream(.get("/")) { _ in
                #expect(open("active") == 1 && open("idle") == 0)
            }
            await eventually { open() == 0 }
        }
    }

    @Test func streamsOfOneConnectionAreOneConnectionOverHTTP2() async throws {
        let server = try await server2()
        try await run(server.url(), .asyncHTTPClient, trusting()) { client in
            try await client.get("/")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 { group.addTask { try await client.get("/") } }
                try await group.waitForAll()
            }
            #expect(open("idle") == 1 && open("active") == 0)
        }
        #expect(server.seen.connections == 1 && meters.allSatisfy { $0.values.allSatisfy { $0 <= 1 } })
        #expect(dimensions("active")["network.protocol.version"] == "2" && dimensions("active")["url.scheme"] == "https")
    }

    // MARK: Ends

    @Test func aConnectionThatTheServerClosesIsNotOpen() async throws {
        let server = try await NIORawServer { _ in [ok, .close] }
        try await run(server.url()) { client in
            try await client.get("/")
            await eventually { open() == 0 }
        }
    }

    @Test func aConnectionThatBreaksIsNotOpen() async throws {
        let server = try await NIORawServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .reset] }
        try await run(server.url()) { client in
            await #expect(throws: TarmacError.self) { try await client.get("/") }
            await eventually { open() == 0 }
        }
        #expect(meters.contains { $0.values.contains(1) })
    }

    @Test(arguments: [
        ConnectionSettings { $0.idleConnectionTimeout = .milliseconds(1) }, ConnectionSettings { $0.connectionLifetime = .milliseconds(20) },
        ConnectionSettings { $0.usesPerConnection = 1 },
    ])
    func anIdleConnectionThatClosesByItsSettingsIsNotOpen(_ settings: ConnectionSettings) async throws {
        let server = try await NIORawServer { _ in [ok] }
        try await run(server.url(), .asyncHTTPClient, settings) { client in
            for _ in 0..<3 {
                try await client.get("/")
                // No further call tells it.
                await eventually { open() == 0 }
            }
        }
        #expect(server.seen.connections == 3)
    }

    @Test(arguments: [true, false]) func anIdleConnectionThatEndsIsNotOpenOverHTTP2(_ isOfAge: Bool) async throws {
        let server = try await server2(isOfAge ? [] : [.goAway(last: Int(Int32.max), closes: false)])
        try await run(server.url(), .asyncHTTPClient, trusting { if isOfAge { $0.connectionLifetime = .milliseconds(20) } }) { client in
            for _ in 0..<3 {
                try await client.get("/")
                await eventually { open() == 0 }
            }
        }
    }

    @Test func connectionsOfReplacedCertificatesAreCountedUntilTheyClose() async throws {
        let context = try NIOSSLContext(configuration: TestCertificates.server(TestCertificates.localhost))
        let server = try await NIORawServer(prepare: { try $0.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context)) }) { _ in [ok] }
        let trust = Locked(TestCertificates.root)
        let settings = ConnectionSettings {
            $0.rotation = .init { settings in settings.trust = .onlyPEM(Bytes(trust.withLock { $0 })) }
        }
        try await run(server.url(scheme: "https", host: "localhost"), .asyncHTTPClient, settings) { client in
            try await client.get("/")
            trust.withLock { $0 += "\n" }
            try await client.get("/")
            #expect(server.seen.connections == 2 && open("idle") == 2)
        }
    }

    /// Requests that end in every way, some of them in the same moment as their responses.
    @Test(arguments: [1, 2, 3]) func afterRequestsThatEndInAllWaysNoneIsOpen(_ seed: UInt64) async throws {
        let server = try await NIORawServer { request in
            switch request.head.split(separator: " ").dropFirst().first {
            case "/close": [ok, .close]
            case "/reset": [.reset]
            case "/cut": [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"), .close]
            default: [ok]
            }
        }
        let server2 = try await server2()
        var generator = SeededGenerator(seed: seed)
        let plan = (0..<400).map { _ in (path: ["/", "/", "/close", "/reset", "/cut"].randomElement(using: &generator), isLeft: Bool.random(using: &generator))
        }
        let settings = trusting { $0.connectionsPerHost = 4 }
        let secure = Service("secure", host: "\(try server2.url())", connection: settings)
        try await run(server.url(), .asyncHTTPClient, settings, [secure]) { client in
            await withTaskGroup(of: Void.self) { group in
                for (number, (path, isLeft)) in plan.enumerated() {
                    group.addTask {
                        let call = Task { number % 3 == 0 ? try await client[secure].get("/") : try await client.get("\(path ?? "/")") }
                        if isLeft { call.cancel() }
                        _ = await call.result
                    }
                }
            }
        }
        #expect(meters.contains { $0.values.contains { $0 > 1 } })
    }

    // MARK: Peers

    @Test func requestsThroughAForwardingProxyShareItsConnections() async throws {
        let proxy = try await NIORawServer { _ in [ok] }
        let settings = ConnectionSettings { $0.proxy = .http(host: "localhost", port: proxy.port, authorization: nil) }
        try await run(HTTPURL("http://shop.example"), .asyncHTTPClient, settings) { client in
            try await client.get("/")
            try await client.get("http://other.example/")
        }
        #expect(dimensions("idle")["server.address"] == "localhost" && dimensions("idle")["server.port"] == "\(proxy.port)")
    }

    @Test func theSocketOfAMachineHasNoPort() async throws {
        let path = "/tmp/tarmac-\(UInt32.random(in: 0 ... .max)).sock"
        let server = try await NIORawServer(unixSocket: path) { _ in [ok] }
        try await run(HTTPURL("http://shop.example"), .asyncHTTPClient, ConnectionSettings { $0.unixSocket = path }) { client in try await client.get("/") }
        #expect(dimensions("idle")["server.address"] == path && dimensions("idle")["server.port"] == nil)
        await server.stop()
        FileDescriptor.removeFile(path)
    }

    // MARK: Who counts

    @Test func aTransportThatDoesNotSeeItsConnectionsHasNoSuchMetric() async throws {
        let server = try await NIORawServer { _ in [ok] }
        try await run(server.url(), .urlSession) { client in try await client.get("/") }
        #expect(meters.isEmpty && metrics.timers.count == 1)
    }

    @Test func aRequestWithoutAConnectionCountsNothing() async throws {
        let dead = try DeadPort.refusing()
        try await run(HTTPURL("http://127.0.0.1:\(dead.port)")) { client in
            await #expect(throws: TarmacError.self) { try await client.get("/") }
        }
        #expect(meters.isEmpty)
    }

    /// A connection that several telemetries use is counted by the first one.
    @Test func aConnectionHasOneTelemetry() async throws {
        let server = try await NIORawServer { _ in [ok] }, other = TestMetrics()
        try await run(server.url()) { client in
            try await client.get("/") { $0.telemetry = .off }
            #expect(meters.isEmpty)
            try await client.get("/")
            try await client.get("/") { $0.telemetry = Telemetry(metrics: other) }
            #expect(open("idle") == 1)
        }
        #expect(server.seen.connections == 1 && !other.meters.contains { $0.label == "http.client.open_connections" })
    }
}
#endif
