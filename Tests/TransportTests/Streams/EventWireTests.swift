#if Tools
import HTTPTypes
import Tarmac
import TarmacStreams
import TarmacTesting
import Testing

/// Streams of events over sockets (WHATWG HTML §9.2).
@Suite("Events over the wire", .timeLimit(.minutes(5)))
struct EventWireTests {
    static let transports = [TransportUnderTest.asyncHTTPClient, .urlSession]

    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

    private func withClient<Value>(_ transport: TransportUnderTest, _ server: ScriptedServer, _ body: (Client) async throws -> Value) async throws -> Value {
        try await Tarmac.withClient(
            transport: transport.factory, services: [Service("s", host: Hosts(server.url().string))], configure: { $0.idleTimeout = .seconds(100) }, body)
    }

    /// Some events split anywhere, a reset, a body that ends, a status that says so.
    @Test(arguments: transports)
    func aStreamGoesOnAfterResetAndEnd(transport: TransportUnderTest) async throws {
        let server = try ScriptedServer(
            connections: [
                [.readRequest, .write(Self.head + "id: 1\nretry: 1\nda"), .hold("rest"), .write("ta: a\r\n\r\nid: 2\n"), .hold("end"), .reset],
                [.readRequest, .write(Self.head + "data: b\n\nid: 3\ndata: c\n\n"), .close],
                [.readRequest, .write("HTTP/1.1 204 No Content\r\n\r\n"), .close],
            ])
        defer { server.stop() }
        try await withClient(transport, server) { client in
            var events: [ServerSentEvent] = []
            server.open("rest")
            for try await event in client.events(.get("/news")) {
                if events.isEmpty { server.open("end") }
                events.append(event)
            }
            #expect(events.map(\.data) == ["a", "b", "c"])
            #expect(events.map(\.lastEventID) == ["1", "1", "3"])
            #expect(server.requests.map { $0.values("Last-Event-ID") } == [[], ["1"], ["3"]])
        }
    }

    /// The body of what is no stream of events may not end either.
    @Test(arguments: transports, ["200 OK\r\nContent-Type: text/plain", "201 Created\r\nContent-Type: text/event-stream"])
    func anotherResponseIsAnErrorWithItsFirstBytes(transport: TransportUnderTest, head: String) async throws {
        let server = try ScriptedServer([.readRequest, .write("HTTP/1.1 \(head)\r\n\r\ndata: a\n\n"), .stall])
        defer { server.stop() }
        try await withClient(transport, server) { client in
            let error = await #expect(throws: TarmacError.self) { for try await _ in client.events(.get("/")) {} }
            #expect([.unacceptableContentType, .unacceptableStatus].contains(error?.code) && error?.response?.body == Bytes("data: a\n\n"))
        }
    }

    @Test(arguments: transports)
    func whoLeavesTheLoopClosesTheConnection(transport: TransportUnderTest) async throws {
        let server = try ScriptedServer([.readRequest, .write(Self.head + "data: a\n\n"), .stall])
        defer { server.stop() }
        try await withClient(transport, server) { client in
            for try await _ in client.events(.get("/")) { break }
            try await server.isLeft()
        }
    }

    @Test(arguments: transports)
    func cancellationClosesTheConnection(transport: TransportUnderTest) async throws {
        let server = try ScriptedServer([.readRequest, .write(Self.head + "data: a\n\n"), .stall])
        defer { server.stop() }
        try await withClient(transport, server) { client in
            let reading = Task { for try await _ in client.events(.get("/")) { withUnsafeCurrentTask { $0?.cancel() } } }
            await #expect(throws: CancellationError.self) { try await reading.value }
            try await server.isLeft()
        }
    }

    /// The server can write no more than buffers hold until the loop goes on.
    @Test func aSlowLoopSlowsTheServerDown() async throws {
        let events = String(repeating: "data: 0123456789012345678901234567890123456789012345678\n\n", count: 1_170)
        let server = try ScriptedServer([.readRequest, .write(Self.head), .loop([.write(events)])])
        defer { server.stop() }
        try await withClient(.asyncHTTPClient, server) { client in
            var iterator = client.events(.get("/")).makeAsyncIterator()
            _ = try await iterator.next()
            let written = try await server.wait { $0.connections[0].isWriteStalled }.connections[0].bytesWritten
            #expect(written < 32 << 20)
            // It goes on where it was.
            for _ in 0..<10_000 { #expect(try await iterator.next()?.data.utf8.count == 49) }
        }
    }

    /// Issue 7: over HTTP/1.1 a stream holds a connection, and the calls have theirs.
    @Test(arguments: transports)
    func streamsTakeNoConnectionsFromCalls(transport: TransportUnderTest) async throws {
        let server = try ScriptedServer([
            .loop([
                .readRequest,
                .answer { $0.path == "/call" ? Bytes(ServerScript.Step.response(200, "{}")) : Bytes(Self.head + "data: a\n\n") },
            ])
        ])
        defer { server.stop() }
        try await withClient(transport, server) { client in
            let open = Watched(0)
            let reading = Task {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<100 { group.addTask { for try await _ in client.events(.get("/events")) { open.update { $0 += 1 } } } }
                    try await group.waitForAll()
                }
            }
            try await open.wait { $0 == 100 }
            for _ in 0..<10 { try await client.get("/call") }
            reading.cancel()
            await #expect(throws: CancellationError.self) { try await reading.value }
        }
    }

    @Test(arguments: transports)
    func linesComeAsTheyAreWritten(transport: TransportUnderTest) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n"
        let server = try ScriptedServer([
            .readRequest, .write(head + "4\r\n1\n2\n\r\n"), .hold("more"), .write("2\r\n3\n\r\n0\r\n\r\n"), .close,
        ])
        defer { server.stop() }
        try await withClient(transport, server) { client in
            var numbers: [Int] = []
            for try await number in client.records(.get("/"), of: Int.self) {
                numbers.append(number)
                if number == 2 { server.open("more") }
            }
            #expect(numbers == [1, 2, 3])
        }
    }
}
#endif
