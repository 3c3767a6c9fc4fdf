#if NIO
import HTTPTypes
import NIOHTTP2
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacNIO
import TarmacTesting
import Testing

/// HTTP/2 by ALPN.
@Suite(.timeLimit(.minutes(5)))
struct NIOHTTP2Tests {
    private func with<Result>(_ server: HTTP2Server, _ body: (any Transport) async throws -> Result) async throws -> Result {
        try await TestCertificates.withFile(TestCertificates.root) { file in
            try await withTransport(ConnectionSettings { $0.trust = .only(pemFile: file) }, body)
        }
    }

    private static let ok: [HTTP2Server.Action] = [.headers([(":status", "200")]), .data("ok", ends: true)]

    @Test func requestsShareAConnection() async throws {
        let server = try await HTTP2Server { _ in Self.ok }
        let flights = (0..<3).map { _ in Flight() }
        try await with(server) { transport in
            for flight in flights {
                let response = try await transport.get(server.url("/p?q=1"), flight)
                #expect(response.version == .http2)
                #expect(response.text == "ok")
                #expect(response.headers.isEmpty)
            }
        }
        #expect(server.seen.connections == 1)
        #expect(server.seen.requests.first?[":path"] == "/p?q=1")
        #expect(
            flights.map { $0.log.first } == [
                "connected(isReused: Optional(false))", "connected(isReused: Optional(true))", "connected(isReused: Optional(true))",
            ])
        #expect(flights.allSatisfy { $0.count("ended") == 1 })
    }

    @Test func oneVersionCanBeRuledOut() async throws {
        let server = try await HTTP2Server { _ in Self.ok }
        let url = try server.url()
        let code = try await TestCertificates.withFile(TestCertificates.root) { file in
            let settings = ConnectionSettings {
                $0.trust = .only(pemFile: file)
                $0.httpVersions = .http1Only
            }
            return try await withTransport(settings) { await $0.failure(Request(.get, url)) }
        }
        #expect(code != nil)
        #expect(server.seen.requests.isEmpty)
    }

    @Test(arguments: [3, 600_000]) func bodiesGoBothWays(_ count: Int) async throws {
        let server = try await HTTP2Server { request in
            [.headers([(":status", "201"), ("x-a", "1"), ("x-a", "2")]), .data(request.body), .headers([("x-sum", "9")], ends: true)]
        }
        let text = String(repeating: "y", count: count)
        let chunks = ByteStream(
            AsyncStream {
                $0.yield(Bytes(text)); $0.finish()
            })
        try await with(server) { transport in
            for body in [Body.text(text), .stream(chunks), .none] {
                let response = try await transport.send(Request(.post, server.url(), body: body), exchange: Flight().exchange)
                #expect(response.status == .created)
                #expect(response.text == (body.isNone ? "" : text))
                #expect(response.headers.map { "\($0)" } == ["x-a: 1", "x-a: 2"])
                #expect(response.trailers?[HTTPField.Name("x-sum")!] == "9")
            }
        }
        #expect(server.seen.connections == 1)
    }

    @Test func informationalResponsesAreReported() async throws {
        let server = try await HTTP2Server { _ in [.headers([(":status", "103"), ("link", "x")])] + Self.ok }
        let flight = Flight()
        try await with(server) { transport in
            let response = try await transport.get(server.url(), flight)
            #expect(response.text == "ok")
        }
        #expect(flight.log.contains("informational(status: 103)"))
    }

    @Test func abortResetsTheStreamAndKeepsTheConnection() async throws {
        let server = try await HTTP2Server { $0.number == 0 ? [] : Self.ok }
        let flight = Flight()
        try await with(server) { transport in
            let response = Task { try await transport.get(server.url(), flight) }
            await eventually { !server.seen.requests.isEmpty }
            flight.exchange.abort(.cancelled)
            await #expect(throws: CancellationError.self) { try await response.value }
            await eventually { server.seen.resets != 0 }
            _ = try await transport.get(server.url())
        }
        #expect(server.seen.connections == 1)
    }

    @Test func abortBeforeTheStreamOpensSendsNothing() async throws {
        let server = try await HTTP2Server { _ in Self.ok }
        let url = try server.url()
        let flights = (0..<50).map { _ in Flight() }
        try await with(server) { transport in
            _ = try await transport.get(url)
            for flight in flights {
                let response = Task { try await transport.get(url, flight) }
                flight.exchange.abort(.cancelled)
                _ = await response.result
            }
            _ = try await transport.get(url)
        }
        // The abort may come late, when a stream is open already; before that nothing may be sent.
        #expect(server.seen.requests.count <= 2 + flights.count { $0.count("sentHead") == 1 })
        #expect(server.seen.connections == 1)
    }

    @Test func refusedStreamIsSentAgainWhateverItsMethod() async throws {
        let server = try await HTTP2Server { $0.number == 0 ? [.reset(.refusedStream)] : Self.ok }
        let flight = Flight()
        try await with(server) { transport in
            let response = try await transport.send(Request(.post, server.url(), body: .text("x")), exchange: flight.exchange)
            #expect(response.text == "ok")
        }
        #expect(flight.count("resent") == 1)
        #expect(server.seen.requests.map(\.body) == ["x", "x"])
    }

    /// RFC 9113 §8.7: also where AsyncHTTPClient closes the connection before the stream hears that it is refused.
    @Test func aServerGoingAwayMayRefuseMoreThanOnce() async throws {
        let server = try await HTTP2Server { request in
            request.number < 3 ? [.goAway(last: Int(Int32.max), closes: false), .reset(.refusedStream)] : Self.ok
        }
        let flight = Flight()
        try await with(server) { transport in
            let response = try await transport.send(Request(.post, server.url(), body: .text("x")), exchange: flight.exchange)
            #expect(response.text == "ok")
        }
        #expect(flight.count("resent") == 3)
        #expect(server.seen.requests.map(\.body) == ["x", "x", "x", "x"])
    }

    /// Some servers name the highest stream there is and close, whatever they have in hand.
    @Test(arguments: [(HTTPRequest.Method.get, true), (.post, false)])
    func aConnectionThatGoesAwayWithARequestIsReplacedForWhatMayBeRepeated(_ method: HTTPRequest.Method, _ lands: Bool) async throws {
        let server = try await HTTP2Server { $0.number < 3 ? [.goAway(last: Int(Int32.max))] : Self.ok }
        let url = try server.url()
        let code = try await with(server) { await $0.failure(Request(method, url)) }
        #expect(code == (lands ? nil : .connectionLost))
        #expect(server.seen.requests.count == (lands ? 4 : 1))
    }

    @Test func aServerThatAlwaysRefusesIsGivenUp() async throws {
        let server = try await HTTP2Server { _ in [.reset(.refusedStream)] }
        let url = try server.url()
        #expect(try await with(server) { await $0.failure(Request(.post, url)) } == .requestUnprocessed)
        #expect(server.seen.requests.count == 5)
    }

    /// RFC 9113 §6.8: above the last stream the server names it has not acted; up to it, it may have.
    @Test(arguments: [(0, true), (1, true), (3, false)]) func aGoawayTellsWhetherAPostMayBeSentAgain(_ last: Int, _ resends: Bool) async throws {
        let server = try await HTTP2Server { $0.number == 1 ? [.goAway(last: last)] : Self.ok }
        let flight = Flight()
        let url = try server.url()
        try await with(server) { transport in
            _ = try await transport.get(url)
            let code = await transport.failure(Request(.post, url, body: .text("x")), flight)
            #expect(code == (resends ? nil : .connectionLost))
        }
        #expect(flight.count("resent") == (resends ? 1 : 0))
        #expect(server.seen.requests.count == (resends ? 3 : 2))
    }

    /// A connection for each of them would be a handshake for each of them.
    @Test func requestsOfAConnectionThatGoesAwayShareTheNextOne() async throws {
        let server = try await HTTP2Server { request in
            switch request.number {
            case 1..<20: []
            case 20: [.goAway(last: 1, closes: false)]
            default: Self.ok
            }
        }
        let url = try server.url()
        try await with(server) { transport in
            _ = try await transport.get(url)
            let failures = await withTaskGroup { group in
                for _ in 0..<20 { group.addTask { await transport.failure(Request(.post, url, body: .text("x"))) } }
                return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
            }
            #expect(failures.isEmpty)
        }
        #expect(server.seen.requests.count == 41)
        #expect(server.seen.connections <= 3, "\(server.seen.connections)")
    }

    /// RFC 9113 §8.1: the rest of the body is not sent, and the stream does not stay open for it.
    @Test func aRefusalBeforeTheBodyResetsTheStream() async throws {
        let server = try await HTTP2Server(answersEarly: true) { request in
            [.headers([(":status", request.number == 0 ? "413" : "200")]), .data("no", ends: true)]
        }
        let isGone = Watched(false)
        let body = ByteStream { NeverEnding(isGone) }
        try await with(server) { transport in
            let response = try await transport.send(Request(.post, server.url(), body: .stream(body)), exchange: Flight().exchange)
            #expect(response.status == .contentTooLarge)
            #expect(response.text == "no")
            await eventually { server.seen.resets != 0 }
            #expect(try await transport.get(server.url()).text == "no")
        }
        #expect(server.seen.connections == 1)
        // The reader of the body is gone, too.
        try await isGone.wait { $0 }
    }

    @Test(arguments: [(NIOHTTP2.HTTP2ErrorCode.internalError, TarmacError.Code.connectionLost), (NIOHTTP2.HTTP2ErrorCode.protocolError, .malformedResponse)])
    func resetStreamIsAnError(_ reset: NIOHTTP2.HTTP2ErrorCode, _ code: TarmacError.Code) async throws {
        let server = try await HTTP2Server { _ in [.reset(reset)] }
        let url = try server.url()
        #expect(try await with(server) { await $0.failure(Request(.get, url)) } == code)
        #expect(server.seen.requests.count == 1)
    }

    /// Out of range, a status would end the process in a library further up.
    @Test(arguments: ["1000", "-1", "abc", "99", "2000000000000000000000"])
    func statusThatIsNoneIsAnErrorOfItsExchangeAlone(_ status: String) async throws {
        let server = try await HTTP2Server { $0.number == 0 ? [.headers([(":status", status)], ends: true)] : Self.ok }
        let url = try server.url()
        try await with(server) { transport in
            #expect(await transport.failure(Request(.get, url)) == .malformedResponse)
            let response = try await transport.get(url)
            #expect(response.text == "ok")
        }
    }

    @Test func streamResetInTheBodyIsATruncation() async throws {
        let server = try await HTTP2Server { _ in [.headers([(":status", "200")]), .data("ha"), .reset(.internalError)] }
        let url = try server.url()
        #expect(try await with(server) { await $0.failure(Request(.get, url)) } == .truncatedBody)
    }

    @Test(arguments: [0, 1]) func connectionGoingAwayIsReplaced(_ last: Int) async throws {
        let server = try await HTTP2Server { $0.number == 1 ? [.goAway(last: last)] : Self.ok }
        let flight = Flight()
        try await with(server) { transport in
            _ = try await transport.get(server.url())
            let response = try await transport.get(server.url(), flight)
            #expect(response.text == "ok")
        }
        #expect(server.seen.connections == 2)
        #expect(flight.count("resent") == 1)
    }

    @Test func streamedBodyArrivesWhole() async throws {
        let piece = String(repeating: "z", count: 100_000)
        let server = try await HTTP2Server { _ in
            [.headers([(":status", "200")])] + (0..<100).map { .data(piece, ends: $0 == 99) }
        }
        let flight = Flight(.streamed)
        try await with(server) { transport in
            let response = try await transport.get(server.url(), flight)
            var count = 0
            for try await chunk in try #require(response.stream) { count += chunk.count }
            #expect(count == 10_000_000)
        }
        #expect(flight.count("ended") == 1)
    }
}

/// A body of one chunk that never says that it was the last.
private final class NeverEnding: ByteStreamSource {
    private let chunks = Watched<[Bytes]>([Bytes("x")])
    private let isGone: Watched<Bool>

    init(_ isGone: Watched<Bool>) { self.isGone = isGone }
    deinit { isGone.update { $0 = true } }

    func next() async throws -> Bytes? {
        try await chunks.wait { !$0.isEmpty }
        return chunks.update { $0.popLast() }
    }
}
#endif
