import HTTPTypes
import TarmacCore

/// Connections: reused, stale, refused, many, and closed at the end.
enum ConnectionCases {
    private static let reply = ServerScript.Step.response(200, "ok")

    static func keepAlive(_ rig: ConformanceRig) async throws {
        let server = try rig.server(.serving(reply))
        for _ in 0..<10 { try await rig.get(server.url()) }
        for _ in 0..<5 { try await rig.send(Request(.post, server.url(), body: .text("a"))) }
        for _ in 0..<5 {
            let (_, stream) = try await rig.stream(Request(.get, server.url()))
            _ = try await stream.collect(upTo: 10)
        }
        try requireEqual(server.log.connections.map(\.requests), [20], "the requests on each connection")
    }

    static func reports(_ rig: ConformanceRig) async throws {
        let server = try rig.server(.serving(reply))
        let (first, second) = (rig.flight(), rig.flight())
        try await rig.send(Request(.get, server.url()), on: first)
        try await rig.send(Request(.get, server.url()), on: second)
        try requireEqual(first.isReused, [false], "whether the first connection is reused")
        try requireEqual(second.isReused, [true], "whether the second connection is reused")
    }

    static func close(_ rig: ConformanceRig) async throws {
        let server = try rig.server(.serving(ServerScript.Step.response(200, headers: [("Connection", "close")], "ok")))
        for _ in 0..<3 { try rig.requireText(try await rig.get(server.url()), "ok", "a response with Connection: close") }
        try requireEqual(server.log.connections.map(\.requests), [1, 1, 1], "the requests on each connection")
        try await server.wait { $0.connections.allSatisfy(\.isEndedByPeer) }
    }

    static func perHost(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.loop([.readRequest, .hold("answer"), .reply(200, "ok")])])
        let flights = (0..<20).map { _ in rig.start(Request(.get, server.url()), on: rig.flight()) }
        try await server.received(count: 2)
        for _ in flights { server.pass("answer") }
        for flight in flights { try rig.requireText(try await flight.value, "ok", "one of 20") }
        try requireEqual(server.log.connections.count, 2, "the number of connections")
    }

    static func stale(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readRequest, .reply(200, "ok"), .hold("idle"), .close])
        for index in 0..<20 {
            try rig.requireText(try await rig.get(server.url()), "ok", "request \(index)")
            server.pass("idle")
            try await server.wait { $0.connections[index].end != nil }
        }
        try requireEqual(server.requests.count, 20, "the number of requests")
    }

    /// The connection closes during the request: the server cannot have acted on it in a way that matters for a GET.
    static func closedOnReuse(_ rig: ConformanceRig) async throws {
        let server = try rig.server(
            [[.readRequest, .reply(200, "first"), .readRequest, .close], [.readRequest, .reply(200, "again"), .readRequest, .close]],
            then: [.readRequest, .close])
        try rig.requireText(try await rig.get(server.url()), "first", "the first request")
        try rig.requireText(try await rig.get(server.url()), "again", "the second request")
        try requireEqual(server.requests.count, 3, "the number of requests")
        // Sent again at most once: now the new connection fails as well.
        try await rig.requireFailure(.connectionLost, of: "a GET whose fresh connection fails, too") { try await rig.get(server.url()) }
        try require(server.requests.count <= 5, "a GET was sent \(server.requests.count - 3) times")
    }

    static func resendReports(_ rig: ConformanceRig) async throws {
        let server = try rig.server([[.readRequest, .reply(200, "first"), .readRequest, .close]], then: .serving(reply))
        try await rig.get(server.url())
        let flight = rig.flight()
        try await rig.send(Request(.get, server.url()), on: flight)
        try requireEqual(flight.resends, 1, "the number of .resent reports")
    }

    /// The server may have acted on it: a second one must not reach it completely.
    static func postNotResent(_ rig: ConformanceRig) async throws {
        let server = try await failingPost(rig)
        let posts = server.requests.filter { $0.method == "POST" && $0.isComplete }
        try requireEqual(posts.count, 1, "the number of POST requests with their body")
    }

    static func postHeadNotResent(_ rig: ConformanceRig) async throws {
        let server = try await failingPost(rig)
        try requireEqual(server.requests.map(\.method), ["GET", "POST", "GET"], "the requests")
        try requireEqual(server.log.connections.map(\.requests), [2, 1], "the requests on each connection")
    }

    /// Sends a POST on a kept connection that closes after its arrival, and another request.
    private static func failingPost(_ rig: ConformanceRig) async throws -> ScriptedServer {
        let server = try rig.server([.readRequest, .reply(200, "first"), .readRequest, .close])
        try rig.requireText(try await rig.get(server.url()), "first", "the first request")
        let flight = rig.flight()
        try await rig.requireFailure(.connectionLost, of: "a POST on a connection that closes without an answer") {
            try await rig.send(Request(.post, server.url(), body: .text("once")), on: flight)
        }
        try requireEqual(flight.resends, 0, "the number of .resent reports")
        try rig.requireText(try await rig.get(server.url()), "first", "the request after the POST")
        return server
    }

    static func refused(_ rig: ConformanceRig) async throws {
        let port = try DeadPort.refusing()
        try await within(.seconds(3)) {
            try await rig.requireFailure(.connectionRefused, of: "a refused connection") { try await rig.get(port.url()) }
        }
    }

    static func unknownHost(_ rig: ConformanceRig) async throws {
        let url = HTTPURL(scheme: "http", host: "no-such-host.invalid", port: 9, path: "/", query: nil)
        try await within(.seconds(8)) {
            try await rig.requireFailure(.cannotFindHost, of: "a host without an address") { try await rig.get(url) }
        }
    }

    static func thousand(_ rig: ConformanceRig) async throws {
        let server = try rig.server(.serving { Bytes(ServerScript.Step.response(200, $0.target)) })
        let flights = (0..<1000).map { index in
            (index, rig.start(Request(.get, server.url("/\(index)")), on: rig.flight()))
        }
        for (index, flight) in flights { try rig.requireText(try await flight.value, "/\(index)", "request \(index)") }
        try requireEqual(Set(server.requests.map(\.target)).count, 1000, "the number of different requests")
        try requireEqual(server.requests.count, 1000, "the number of requests")
    }

    static func shutdown(_ rig: ConformanceRig) async throws {
        let waiting = try rig.server([.readRequest, .stall])
        let halfway = try rig.server([.readRequest, .write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"), .stall])
        let first = rig.start(Request(.get, waiting.url()), on: rig.flight())
        let second = rig.start(Request(.get, halfway.url()), on: rig.flight())
        let (_, stream) = try await rig.stream(Request(.get, halfway.url()))
        try await waiting.received()
        try await halfway.received(count: 2)
        await rig.transport.shutdown()
        for (flight, what) in [(first, "a waiting exchange"), (second, "a collecting exchange")] {
            try await rig.requireFailure(.clientShutDown, of: "\(what) at the shutdown") { try await flight.value }
        }
        try await rig.requireFailure(.clientShutDown, of: "a stream at the shutdown") {
            for try await _ in stream {}
        }
        try await waiting.wait { $0.connections.allSatisfy(\.isEndedByPeer) }
        try await halfway.wait { $0.connections.allSatisfy(\.isEndedByPeer) }
    }

    static func idleAtShutdown(_ rig: ConformanceRig) async throws {
        let server = try rig.server(.serving(reply))
        try await rig.get(server.url())
        await rig.transport.shutdown()
        try await rig.requireNoConnection()
    }

    static func afterShutdown(_ rig: ConformanceRig) async throws {
        let server = try rig.server(.serving(reply))
        try await rig.get(server.url())
        await rig.transport.shutdown()
        await rig.transport.shutdown()
        try await rig.requireFailure(.clientShutDown, of: "a request after the shutdown") { try await rig.get(server.url()) }
        try requireEqual(server.requests.count, 1, "the number of requests")
    }

    /// Fails work that does not end in time, because it waits for something else.
    @discardableResult
    static func within<Value: Sendable>(_ limit: Duration, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let race = Race<Value>()
        // LIFETIME: the work is part of the case, which the run ends; the timer is cancelled here.
        let working = Task { race.finish(await Result { try await work() }) }
        let timer = Task {
            try await Task.sleep(for: limit)
            race.finish(.failure(Unmet(reason: "it takes longer than \(limit)")))
        }
        defer {
            timer.cancel()
            working.cancel()
        }
        return try await race.value
    }
}
