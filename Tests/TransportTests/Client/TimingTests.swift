#if Tools
import Tarmac
import TarmacNIO
import TarmacStreams
import TarmacTesting
import TarmacURLSession
import Testing

/// Timings over sockets, from a server that pauses. A busy machine makes the sum of all spans longer and never shorter. It may note the end
/// of a span late, and so make the next one shorter, unless the server pauses only once the client has noted it.
@Suite("Timings over the wire", .timeLimit(.minutes(5)))
struct TimingTests {
    static let transports = [TransportUnderTest.asyncHTTPClient, .urlSession]
    private static let pause = Duration.milliseconds(40)

    private static func paused(_ body: String) -> ServerScript {
        [
            .readRequest, .hold("head"), .pause(pause), .write("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body.prefix(1))"),
            .hold("rest"), .pause(pause), .write("\(body.dropFirst())"),
        ]
    }

    @Test(arguments: transports)
    func pausesOfTheServerAreInTheRightSpans(transport: TransportUnderTest) async throws {
        let server = try ScriptedServer([.loop(Self.paused("\"hello\"").steps)])
        defer { server.stop() }
        let steps = Watched(StepCounts())
        try await Tarmac.withClient(transport: transport.factory, services: [Service("s", host: Hosts(server.url().string))]) {
            $0.observers = [StepObserver(steps: steps)]
        } _: { client in
            for (isReused, count) in [(false, 1), (true, 2)] {
                let call = Task { try await client.landed(for: .post("/", body: .text("12345"))) }
                try await steps.wait { $0.sent == count }
                server.pass("head")
                try await steps.wait { $0.heads == count }
                server.pass("rest")
                let timings = try #require(try await call.value.timings.first)
                let (wait, receive) = (try #require(timings.wait), try #require(timings.receive))
                #expect(wait >= Self.pause && receive >= Self.pause)
                #expect(timings.total >= wait + receive)
                #expect(timings.bytesSent == 5 && timings.bytesReceived == 7)
                guard transport.factory.name == TransportFactory.asyncHTTPClient.name else { continue }
                #expect(timings.version == .http1_1)
                #expect(timings.isReused == isReused)
                #expect((timings.connect != nil) == !isReused)
                #expect(timings.remoteAddress == "127.0.0.1:\(server.port)")
            }
        }
    }

    @Test(arguments: transports)
    func aFailureTellsHowFarItCame(transport: TransportUnderTest) async throws {
        let server = try ScriptedServer([.readRequest, .pause(Self.pause), .close])
        defer { server.stop() }
        try await Tarmac.withClient(transport: transport.factory, services: [Service("s", host: Hosts(server.url().string))]) { client in
            let error = await #expect(throws: TarmacError.self) { try await client.send(.post("/", body: .text("12345"))) }
            let timings = try #require(error?.timings.first)
            #expect(timings.wait == nil && timings.receive == nil)
            #expect(timings.bytesSent == 5)
            #expect(timings.total >= Self.pause)
        }
    }

    @Test(arguments: transports)
    func aServerThatAcceptsLateIsWaitedFor(transport: TransportUnderTest) async throws {
        let server = try ScriptedServer([.pause(Self.pause), .readRequest, .reply(200, "{}")])
        defer { server.stop() }
        try await Tarmac.withClient(transport: transport.factory, services: [Service("s", host: Hosts(server.url().string))]) { client in
            let timings = try #require(try await client.landed(for: .get("/")).timings.first)
            let spans = [timings.connect, timings.send, timings.wait].compactMap(\.self).reduce(.zero, +)
            #expect(spans >= Self.pause && timings.total >= spans)
        }
    }

    /// The body does not fit into the buffers of the connection.
    @Test(arguments: transports)
    func aServerThatReadsSlowlyIsInTheSpanOfSending(transport: TransportUnderTest) async throws {
        let size = 32 << 20
        let server = try ScriptedServer([.readHead, .pause(Self.pause), .readBody, .pause(Self.pause), .reply(200, "{}")])
        defer { server.stop() }
        try await Tarmac.withClient(transport: transport.factory, services: [Service("s", host: Hosts(server.url().string))]) { client in
            let body = Body.bytes(Bytes([UInt8](repeating: 7, count: size)))
            let timings = try #require(try await client.landed(for: .post("/", body: body)).timings.first)
            let (send, wait) = (try #require(timings.send), try #require(timings.wait))
            #expect(send >= Self.pause && send + wait >= Self.pause * 2 && timings.total >= send + wait)
            #expect(timings.bytesSent == Int64(size))
        }
    }

    @Test func aSlowHandshakeIsInTheSpanOfConnecting() async throws {
        let server = try await SlowHandshakeServer(Self.pause)
        let service = Service("s", host: Hosts(server.url), connection: ConnectionSettings { $0.trust = .only(pemFile: Fixture.root.pemFile) })
        try await Tarmac.withClient(transport: .asyncHTTPClient, services: [service]) { client in
            let first = try #require(try await client.landed(for: .get("/")).timings.first)
            let connect = try #require(first.connect)
            #expect(connect >= Self.pause && first.queued == .zero && first.total >= connect)
            let second = try #require(try await client.landed(for: .get("/")).timings.first)
            #expect(second.connect == nil && second.isReused == true)
        }
        await server.stop()
    }

    /// The server goes on only after the second call waits for its connection.
    @Test func aBusyConnectionIsInTheSpanOfQueueing() async throws {
        let server = try ScriptedServer([
            .loop([.readRequest, .hold("first"), .pause(Self.pause), .reply(200, "{}")], times: 1), .loop([.readRequest, .reply(200, "{}")]),
        ])
        defer { server.stop() }
        let service = Service("s", host: Hosts(server.url().string), connection: ConnectionSettings { $0.connectionsPerHost = 1 })
        let began = Watched(0)
        try await Tarmac.withClient(transport: .asyncHTTPClient, services: [service]) {
            $0.observers = [AttemptCount(began: began)]
        } _: { client in
            let first = Task { try await client.landed(for: .get("/first")) }
            _ = try await server.received(count: 1)
            let second = Task { try await client.landed(for: .get("/second")) }
            try await began.wait { $0 == 2 }
            server.open("first")
            let before = try #require(try await first.value.timings.first), after = try #require(try await second.value.timings.first)
            #expect(before.isReused == false && before.queued == .zero)
            #expect(after.isReused == true && after.connect == nil && after.queued >= Self.pause)
            // Its time begins when the first call has left the connection.
            #expect(after.start >= before.start + (before.connect ?? .zero) + Self.pause)
        }
    }

    @Test func aStreamOfHTTP2HasItsOwnSpans() async throws {
        try await SecureServer.run(.localhost, .http2) { server in
            let service = Service(
                "s", host: Hosts("https://localhost:\(server.port)"), connection: ConnectionSettings { $0.trust = .only(pemFile: Fixture.root.pemFile) })
            let steps = Watched(StepCounts())
            try await Tarmac.withClient(transport: .asyncHTTPClient, services: [service]) {
                $0.observers = [StepObserver(steps: steps)]
            } _: { client in
                let hello = try #require(try await client.landed(for: .get("/hello", as: String.self)).timings.first)
                #expect(hello.version == .http2 && hello.isReused == false && hello.connect != nil)
                let held = Task { try await client.landed(for: .get("/held", as: String.self)) }
                try await server.peers.wait { $0.count == 2 }
                try await steps.wait { $0.sent == 2 }
                let seen = ContinuousClock.now
                for _ in 0..<10 { _ = try await client.landed(for: .get("/hello", as: String.self)) }
                let opened = ContinuousClock.now
                server.gate.update { $0 = true }
                let timings = try #require(try await held.value.timings.first)
                let (send, wait, receive) = (try #require(timings.send), try #require(timings.wait), try #require(timings.receive))
                #expect(timings.version == .http2 && timings.isReused == true && timings.connect == nil)
                #expect(wait >= opened - seen && timings.total >= send + wait + receive)
                #expect(timings.bytesReceived == 4)
            }
        }
    }

    /// A redirect of a stream is followed without its body, which is never read.
    @Test(arguments: transports)
    func aBodyThatIsLeftUnreadHasTimings(transport: TransportUnderTest) async throws {
        let server = try ScriptedServer([
            .loop([
                .readRequest,
                .choose { request in
                    request.target == "/there" ? [.reply(200, "{}")] : [.reply(302, headers: [("Location", "/there")], String(repeating: "x", count: 100_000))]
                },
            ])
        ])
        defer { server.stop() }
        let timed = Watched<[AttemptTimings]>([])
        try await Tarmac.withClient(transport: transport.factory, services: [Service("s", host: Hosts(server.url().string))]) {
            $0.observers = [TimingsObserver(timed: timed)]
        } _: { client in
            try await client.stream(.get("/here")) { response in
                for try await _ in response.body {}
            }
            try await timed.wait { $0.count == 2 }
            #expect(timed.value.map(\.attempt).sorted() == [1, 2])
            #expect(timed.value.allSatisfy { $0.wait != nil && $0.receive != nil })
        }
    }
}

/// How many requests were sent, and how many heads have come, as the client notes it.
private struct StepCounts: Sendable {
    var sent = 0, heads = 0
}

private struct StepObserver: EventObserver {
    let steps: Watched<StepCounts>
    func receive(_ event: CallEvent) {
        switch event.kind {
        case .requestSent: steps.update { $0.sent += 1 }
        case .responseStarted: steps.update { $0.heads += 1 }
        default: break
        }
    }
}

private struct AttemptCount: EventObserver {
    let began: Watched<Int>
    func receive(_ event: CallEvent) { if case .attemptStarted = event.kind { began.update { $0 += 1 } } }
}

private struct TimingsObserver: EventObserver {
    let timed: Watched<[AttemptTimings]>
    func receive(_ event: CallEvent) { if case .attemptTimed(let timings) = event.kind { timed.update { $0.append(timings) } } }
}
#endif
