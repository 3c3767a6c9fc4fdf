import HTTPTypes
import TarmacCore

/// Aborts in every phase: the error is thrown at once, and the abort reaches the server.
enum AbortCases {
    private static let half = "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\nhalf"

    static func before(_ rig: ConformanceRig) async throws {
        let server = try rig.server(.serving(ServerScript.Step.response()))
        let flight = rig.flight()
        flight.exchange.abort(.cancelled)
        try await rig.requireCancellation(of: "an exchange aborted before it was sent") {
            try await rig.send(Request(.get, server.url()), on: flight)
        }
        try requireEqual(server.requests.count, 0, "the number of requests")
    }

    static func connecting(_ rig: ConformanceRig) async throws {
        let port = try DeadPort.silent()
        let flight = rig.flight()
        let call = rig.start(Request(.get, port.url()), on: flight)
        // The start of a connection attempt cannot be observed. The abort must work before and after it.
        try await Task.sleep(for: .milliseconds(50))
        flight.exchange.abort(.cancelled)
        try await ended(call, rig, "an exchange aborted while connecting")
    }

    static func queued(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.loop([.readRequest, .hold("answer"), .reply(200, "ok")])])
        let first = rig.start(Request(.get, server.url("/first")), on: rig.flight())
        try await server.received()
        let flights = (0..<50).map { _ in rig.flight() }
        let calls = flights.map { rig.start(Request(.get, server.url("/queued")), on: $0) }
        try await Task.sleep(for: .milliseconds(50))
        for flight in flights { flight.exchange.abort(.cancelled) }
        for call in calls { try await ended(call, rig, "an exchange aborted while it waited for a connection") }
        server.open("answer")
        try rig.requireText(try await first.value, "ok", "the first request")
        try rig.requireText(try await rig.get(server.url("/last")), "ok", "the last request")
        try requireEqual(server.requests.map(\.path), ["/first", "/last"], "the requests sent")
    }

    static func sending(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readHead, .hold("drain"), .readBody, .reply(200, "never")])
        let source = UploadSource(total: 64 << 20)
        let flight = rig.flight()
        let call = rig.start(Request(.post, server.url(), body: .stream(source.stream, length: 64 << 20)), on: flight)
        try await server.received()
        _ = try await source.settled()
        flight.exchange.abort(.cancelled)
        try await ended(call, rig, "an exchange aborted while sending")
        server.open("drain")
        try await server.isLeft()
        try require(!server.requests[0].isComplete, "the whole body was sent")
    }

    static func waiting(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readRequest, .stall])
        let flight = rig.flight()
        let call = rig.start(Request(.get, server.url()), on: flight)
        try await server.received()
        flight.exchange.abort(.cancelled)
        try await ended(call, rig, "an exchange aborted while waiting")
        try await server.isLeft()
        try requireEqual(server.requests.count, 1, "the number of requests")
    }

    static func collecting(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readRequest, .write(half), .stall])
        let flight = rig.flight()
        let call = rig.start(Request(.get, server.url()), on: flight)
        try await flight.wait { $0.contains(where: \.isReceivedHead) }
        flight.exchange.abort(.cancelled)
        try await ended(call, rig, "an exchange aborted while collecting")
        try await server.isLeft()
    }

    static func streaming(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readRequest, .write(half), .stall])
        let flight = rig.flight(.streamed)
        let (_, stream) = try await rig.stream(Request(.get, server.url()), on: flight)
        var iterator = stream.makeAsyncIterator()
        try requireEqual(try await iterator.next()?.array.first, UInt8(ascii: "h"), "the first byte")
        // LIFETIME: ends with the line after it.
        let aborting = Task { flight.exchange.abort(.failed(TarmacError(.timeout, phase: .receiving))) }
        try await rig.requireFailure(.timeout, of: "a stream aborted by a time limit") {
            while try await iterator.next() != nil {}
        }
        _ = await aborting.value
        try await rig.requireFailure(.timeout, of: "an aborted stream, asked again,") { try await iterator.next() }
        try await server.isLeft()
    }

    static func reason(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readRequest, .stall])
        let flight = rig.flight()
        let call = rig.start(Request(.get, server.url()), on: flight)
        try await server.received()
        try require(flight.exchange.abort(.failed(TarmacError(.deadlineExceeded, phase: .waiting))), "the first abort does not count")
        try require(!flight.exchange.abort(.cancelled), "a second abort counts, too")
        try await ConnectionCases.within(.seconds(20)) {
            try await rig.requireFailure(.deadlineExceeded, of: "an exchange aborted by a time limit") { try await call.value }
        }
        try await server.isLeft()
    }

    static func dropped(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readRequest, .write(half), .stall])
        let flight = rig.flight(.streamed)
        try await readOne(rig, server, flight)
        try await flight.hasEnded()
        try await server.isLeft()
    }

    // A separate function, so that stream and iterator are released when it returns.
    private static func readOne(_ rig: ConformanceRig, _ server: ScriptedServer, _ flight: ObservedExchange) async throws {
        let (_, stream) = try await rig.stream(Request(.get, server.url()), on: flight)
        var iterator = stream.makeAsyncIterator()
        try requireEqual(try await iterator.next()?.array.first, UInt8(ascii: "h"), "the first byte")
    }

    static func unread(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readRequest, .write(half), .stall])
        let flight = rig.flight(.streamed)
        try await rig.send(Request(.get, server.url()), on: flight)
        try await flight.hasEnded()
        try await server.isLeft()
    }

    static func cancelledReader(_ rig: ConformanceRig) async throws {
        let server = try rig.server([.readRequest, .write(half), .stall])
        let flight = rig.flight(.streamed)
        let hasRead = Watched(false)
        // LIFETIME: cancelled and awaited below.
        let reader = Task {
            let (_, stream) = try await rig.stream(Request(.get, server.url()), on: flight)
            for try await _ in stream { hasRead.update { $0 = true } }
        }
        try await hasRead.wait { $0 }
        reader.cancel()
        try await ConnectionCases.within(.seconds(20)) {
            try await rig.requireCancellation(of: "a cancelled reader") { try await reader.value }
        }
        try await flight.hasEnded()
        try await server.isLeft()
    }

    static func afterTheEnd(_ rig: ConformanceRig) async throws {
        let server = try rig.server(.serving(ServerScript.Step.response(200, "ok")))
        let flight = rig.flight()
        try await rig.send(Request(.get, server.url()), on: flight)
        try await flight.hasEnded()
        try require(!flight.exchange.abort(.cancelled), "an ended exchange can be aborted")
        try rig.requireText(try await rig.get(server.url()), "ok", "the next request")
        try requireEqual(server.log.connections.count, 1, "the number of connections")
    }

    private static func ended(_ call: Task<Response, any Error>, _ rig: ConformanceRig, _ what: String) async throws {
        try await ConnectionCases.within(.seconds(20)) {
            try await rig.requireCancellation(of: what) { try await call.value }
        }
    }
}
