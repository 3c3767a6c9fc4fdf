import Tarmac
import TarmacTesting
import Testing

struct ScriptedServerTests {
    private static let get = "GET /a?b=1 HTTP/1.1\r\nHost: h\r\nX-One: 1\r\nx-one:  2\r\n\r\n"

    @Test func recordsHeadsAsWritten() async throws {
        let server = try ScriptedServer(.serving(ServerScript.Step.response(200, "hello")))
        let peer = try RawPeer(server)
        peer.send(Self.get)
        let request = try #require(try await server.received().first)
        #expect(request.method == "GET")
        #expect(request.target == "/a?b=1")
        #expect(request.headers.map(\.name) == ["Host", "X-One", "x-one"])
        #expect(request.values("X-ONE") == ["1", "2"])
        server.stop()
        #expect(peer.read().hasSuffix("\r\n\r\nhello"))
    }

    @Test(arguments: [
        ("Content-Length: 5\r\n\r\nhello", [Int](), "hello"),
        ("Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3;x=y\r\nllo\r\n0\r\nT: 1\r\n\r\n", [2, 3], "hello"),
        ("\r\n", [], ""),
    ])
    func readsBodies(head: String, chunks: [Int], body: String) async throws {
        let server = try ScriptedServer([.readRequest, .reply()])
        let peer = try RawPeer(server)
        peer.send("POST / HTTP/1.1\r\nHost: h\r\n\(head)")
        let log = try await server.wait { $0.connections.first?.end == .closed }
        #expect(log.requests.first?.body == Bytes(body))
        #expect(log.requests.first?.chunks == chunks)
        #expect(log.requests.first?.isComplete == true)
    }

    @Test func answersManyRequestsOnOneConnection() async throws {
        let server = try ScriptedServer(.serving { Bytes($0.target) })
        let peer = try RawPeer(server)
        for index in 0..<3 {
            peer.send("GET /\(index) HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(peer.read(2) == "/\(index)")
        }
        #expect(server.log.connections.map(\.requests) == [3])
    }

    @Test func holdsAtAGateUntilItOpens() async throws {
        let server = try ScriptedServer([.readRequest, .write("a"), .hold("b"), .write("b"), .hold("c"), .write("c")])
        let peer = try RawPeer(server)
        peer.send(Self.get)
        #expect(peer.read(1) == "a")
        try await server.wait { $0.connections.first?.gate == "b" }
        server.pass("b")
        #expect(peer.read(1) == "b")
        try await server.wait { $0.connections.first?.gate == "c" }
        server.open("c")
        #expect(peer.read() == "c")
    }

    @Test func noticesAPeerThatLeavesWhileItHolds() async throws {
        let server = try ScriptedServer([.readRequest, .stall])
        var peer: RawPeer? = try RawPeer(server)
        peer?.send(Self.get)
        try await server.received()
        peer = nil
        try await server.isLeft()
        #expect(server.log.connections.first?.end == .peerClosed)
    }

    @Test func noticesAResetInTheMiddleOfABigBody() async throws {
        let server = try ScriptedServer([.readRequest, .fill(65, count: 64 << 20)])
        let peer = try RawPeer(server)
        peer.send(Self.get)
        _ = peer.read(1000)
        try await server.wait { $0.connections.first?.isWriteStalled == true }
        peer.reset()
        try await server.isLeft()
        #expect(server.log.connections[0].bytesWritten < 32 << 20)
    }

    @Test func resets() async throws {
        let server = try ScriptedServer([.readRequest, .write("a"), .hold("reset"), .reset])
        let peer = try RawPeer(server)
        peer.send(Self.get)
        #expect(peer.read(1) == "a")
        server.open("reset")
        #expect(peer.read() == "!")
    }

    @Test func fillsBigBodiesExactly() async throws {
        let server = try ScriptedServer([.readRequest, .fill(65, count: 3_000_001), .write("b")])
        let peer = try RawPeer(server)
        peer.send(Self.get)
        let body = peer.read()
        #expect(body.utf8.count == 3_000_002)
        #expect(body.hasSuffix("ab") == false && body.hasSuffix("Ab"))
    }

    @Test func drainsABodyAsFastAsItsGatesSay() async throws {
        let server = try ScriptedServer([.readHead, .readSome(3), .hold("rest"), .readBody, .reply()])
        let peer = try RawPeer(server)
        peer.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello")
        let log = try await server.wait { $0.connections.first?.gate == "rest" }
        #expect(log.requests.first?.bodyLength == 3)
        server.open("rest")
        try await server.wait { $0.requests.first?.isComplete == true }
    }

    @Test func loopsCount() async throws {
        let server = try ScriptedServer([.loop([.readRequest, .write("x"), .loop([.write("y")], times: 2)], times: 2), .write("z")])
        let peer = try RawPeer(server)
        peer.send(Self.get + Self.get)
        #expect(peer.read() == "xyyxyyz")
    }

    @Test func endsOnWhatIsNotHTTP() async throws {
        let server = try ScriptedServer([.readRequest, .stall])
        let peer = try RawPeer(server)
        peer.send("SSH-2.0-x\r\n\r\n")
        #expect(peer.read() == "")
        try await server.wait { $0.connections.first?.end == .malformed }
    }

    @Test func eachConnectionMayHaveItsOwnScript() async throws {
        let server = try ScriptedServer(connections: [[.write("first")]], then: [.write("other")])
        #expect(try RawPeer(server).read() == "first")
        #expect(try RawPeer(server).read() == "other")
        #expect(try RawPeer(server).read() == "other")
    }

    @Test func stoppingClosesEverything() async throws {
        let server = try ScriptedServer([.stall])
        let peer = try RawPeer(server)
        try await server.wait { $0.connections.count == 1 }
        server.stop()
        server.stop()
        #expect(peer.read() == "")
        #expect(server.log.connections[0].end == .stopped)
    }

    @Test func refusesAfterwards() async throws {
        let server = try ScriptedServer(.serving(ServerScript.Step.response()))
        let first = try RawPeer(server)
        try await server.wait { $0.connections.count == 1 }
        server.refuseConnections()
        first.send(Self.get)
        try await server.received()
        let second = try RawPeer(server)
        #expect(second.read() == "!")
    }
}
