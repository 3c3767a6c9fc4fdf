import TarmacTesting
import Testing

/// Each fault byte for byte, over a socket; and what the ledger says the server did.
@Suite("Faults: the server", .timeLimit(.minutes(5)))
struct FaultServerTests {
    private static let whole = "HTTP/1.1 200 Status\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    private static let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"

    // The fault, what a peer reads until the end ("!" for a reset), and how often the server acted.
    @Test(
        arguments: [
            (.refuse, "!", 0), (.loseResponse, "", 1), (.reset(atByte: 12), "HTTP/1.1 200!", 1), (.reset(atByte: 0), "!", 1),
            (.truncate(toBytes: 1), String(whole.dropLast()), 1), (.truncate(toBytes: 9), String(whole.dropLast()), 1),
            (.wrongLength(by: 5), "HTTP/1.1 200 Status\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{}", 1),
        ] as [(Fault, String, Int)])
    func aFaultThatEndsTheConnection(fault: Fault, bytes: String, deeds: Int) throws {
        let server = try FaultServer(.script([fault]))
        defer { server.stop() }
        let peer = try RawPeer(port: server.port)
        peer.send(Self.get)
        // A reset takes with it what has not been read yet.
        let read = peer.read()
        #expect(read == bytes || read == "!" && bytes.hasSuffix("!"))
        #expect(server.ledger.count(.init("GET", "/a")) == deeds)
        #expect(server.ledger.faults == [fault: 1] && server.ledger.arrivals == 1)
    }

    // The fault, what a peer reads, and whether the connection answers the next request.
    @Test(
        arguments: [
            (nil, whole, 1), (.drip(size: 3), whole, 1), (.drip(size: 20, every: .milliseconds(1)), whole, 1),
            (.status(503, retryAfter: 7), "HTTP/1.1 503 Status\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n", 0),
            (.wrongLength(by: -1), "HTTP/1.1 200 Status\r\nContent-Type: application/json\r\nContent-Length: 1\r\n\r\n{}", 1),
        ] as [(Fault?, String, Int)])
    func aFaultThatLeavesTheConnection(fault: Fault?, bytes: String, deeds: Int) throws {
        let server = try FaultServer(.script([fault]))
        defer { server.stop() }
        let peer = try RawPeer(port: server.port)
        peer.send(Self.get)
        #expect(peer.read(bytes.utf8.count) == bytes)
        #expect(server.ledger.count(.init("GET", "/a")) == deeds)
        peer.send(Self.get)
        #expect(peer.read(Self.whole.utf8.count) == Self.whole)
        #expect(server.ledger.count(.init("GET", "/a")) == deeds + 1)
    }

    @Test func aStallLastsUntilThePeerLeaves() async throws {
        let server = try FaultServer(.script([.stall(atByte: 8)]))
        defer { server.stop() }
        var peer: RawPeer? = try RawPeer(port: server.port)
        peer?.send(Self.get)
        #expect(peer?.read(8) == "HTTP/1.1")
        #expect(server.log.connections.first?.end == nil)
        peer = nil
        try await server.wait { $0.connections.first?.isEndedByPeer == true }
    }

    @Test func garbageIsNoHTTP() throws {
        let server = try FaultServer(.script([.garbage]))
        defer { server.stop() }
        let peer = try RawPeer(port: server.port)
        peer.send(Self.get)
        #expect(!peer.read().hasPrefix("HTTP/"))
    }

    @Test func onlyAKeptConnectionIsStale() throws {
        let server = try FaultServer(FaultPlan { _ in .staleConnection })
        defer { server.stop() }
        let peer = try RawPeer(port: server.port)
        peer.send(Self.get)
        #expect(peer.read(Self.whole.utf8.count) == Self.whole)
        peer.send(Self.get)
        #expect(peer.read() == "!")
        #expect(server.ledger.count(.init("GET", "/a")) == 1 && server.ledger.arrivals("GET", "/a") == 2)
    }

    @Test func aPortIsRefusedAndListenedAtAgain() async throws {
        let server = try FaultServer(.none)
        defer { server.stop() }
        let port = server.port
        try await server.refuseConnections()
        #expect(try RawPeer(port: port).read() == "!")
        try await server.acceptConnections()
        let peer = try RawPeer(port: port)
        peer.send(Self.get)
        #expect(peer.read(Self.whole.utf8.count) == Self.whole)
        #expect(server.port == port)
    }

    @Test func theLedgerKnowsHarmFromRepeats() throws {
        let server = try FaultServer(.none)
        defer { server.stop() }
        let peer = try RawPeer(port: server.port)
        let keyed = "POST /k HTTP/1.1\r\nHost: h\r\nIdempotency-Key: k1\r\nContent-Length: 2\r\n\r\nhi"
        for text in [Self.get, Self.get, keyed, keyed, keyed.replacing("k1", with: "k2")] {
            peer.send(text)
            _ = peer.read(Self.whole.utf8.count)
        }
        #expect(server.ledger.harm.isEmpty)
        #expect(server.ledger.deeds == [.init("GET", "/a"): 2, .init("POST", "/k", idempotencyKey: "k1"): 2, .init("POST", "/k", idempotencyKey: "k2"): 1])
        for _ in 0..<2 {
            peer.send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")
            _ = peer.read(Self.whole.utf8.count)
        }
        #expect(server.ledger.harm == [.init("POST", "/p")])
    }
}
