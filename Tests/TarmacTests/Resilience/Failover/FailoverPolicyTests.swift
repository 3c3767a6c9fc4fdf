import HTTPTypes
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience
import TarmacTraffic

/// YTK-3, and law 5: what may be sent again, and where to.
@Suite("Failover: the decision") struct FailoverPolicyTests {
    private static let cdn = "https://cdn.shop.example/v2", home = "https://api.shop.example/main"

    private func policy(_ from: String = cdn, _ to: String = home) throws -> FailoverPolicy {
        FailoverPolicy(from: try HTTPURL(from), to: try HTTPURL(to))
    }

    private func next(_ decision: FailoverPolicy.Decision) -> Request? { if case .ask(let request) = decision { request } else { nil } }

    private func request(_ method: HTTPRequest.Method = .get, _ url: String = cdn + "/a?b=1", body: Body = .none) throws -> Request {
        Request(method, try HTTPURL(url), body: body)
    }

    // A failure, how far the call had come, a method, and whether the origin is asked.
    @Test(
        arguments: [
            (.cannotFindHost, .connecting, .get, true), (.cannotFindHost, .connecting, .post, true),
            (.connectionRefused, .connecting, .get, true), (.connectionRefused, .connecting, .post, true), (.connectionRefused, .building, .post, true),
            (.connectTimeout, .connecting, .post, true),
            (.connectionFailed, .connecting, .post, true), (.connectionFailed, .sending, .get, true), (.connectionFailed, .sending, .post, false),
            (.connectionLost, .waiting, .get, true), (.connectionLost, .waiting, .head, true), (.connectionLost, .receiving, .options, true),
            (.connectionLost, .connecting, .post, false), (.connectionLost, .connecting, .get, true),
            (.connectionLost, .waiting, .post, false), (.connectionLost, .waiting, .put, false), (.connectionLost, .sending, .delete, false),
            (.timeout, .connecting, .get, false), (.timeout, .waiting, .get, false), (.deadlineExceeded, .connecting, .get, false),
            (.circuitOpen, .connecting, .post, true), (.requestUnprocessed, .waiting, .post, true),
            (.queueTimeout, .queued, .get, false), (.idleTimeout, .receiving, .get, false),
            (.untrustedCertificate, .connecting, .get, false), (.tlsHandshakeFailed, .connecting, .get, false),
            (.proxyFailed, .connecting, .get, false), (.truncatedBody, .receiving, .get, false), (.malformedResponse, .receiving, .get, false),
            (.unacceptableStatus, .judging, .get, false), (.clientShutDown, .connecting, .get, false), (.transportFailed, .connecting, .get, false),
            (.insecureHTTP, .connecting, .get, false), (.callerFailed, .intercepting, .get, false),
        ] as [(TarmacError.Code, TarmacError.Phase, HTTPRequest.Method, Bool)])
    func onlyAHostThatCannotBeReachedIsLeft(
        code: TarmacError.Code, phase: TarmacError.Phase, method: HTTPRequest.Method, asksOrigin: Bool
    ) throws {
        let decision = try policy().decide(try request(method), failure: TarmacError(code, phase: phase))
        #expect((next(decision) != nil) == asksOrigin)
    }

    @Test func theSameRequestGoesToTheOtherBase() throws {
        var request = try request(.post, body: .text("x"))
        request.headers = [.authorization: "Bearer x", HTTPField.Name("Host")!: "cdn.shop.example"]
        let next = try #require(next(try policy().decide(request, failure: TarmacError(.connectionRefused, phase: .connecting))))
        #expect(next.url.string == "https://api.shop.example/main/a?b=1")
        #expect(next.method == .post && next.body.length == 1)
        #expect(next.headers[.authorization] == "Bearer x")
        #expect(!next.headers.contains(HTTPField.Name("Host")!))
    }

    @Test func aBodyThatCanBeReadOnceStaysWhereItIs() throws {
        let body = Body.stream(ByteStream(AsyncStream { $0.finish() }))
        let failure = TarmacError(.connectionRefused, phase: .connecting)
        #expect(next(try policy().decide(try request(.get, body: body), failure: failure)) == nil)
        let again = Body.stream(ByteStream(AsyncStream { $0.finish() }), isReplayable: true)
        #expect(next(try policy().decide(try request(.get, body: again), failure: failure)) != nil)
    }

    @Test func aRequestThatIsNotTheHostsIsNotMoved() throws {
        for url in ["https://other.example/v2/a", "https://cdn.shop.example/v3/a", "https://cdn.shop.example/v2x", "http://cdn.shop.example/v2/a"] {
            let decision = try policy().decide(try request(.get, url), failure: TarmacError(.connectionRefused, phase: .connecting))
            #expect(next(decision) == nil, "\(url)")
        }
    }

    @Test func encryptionIsNotGivenUpOnTheWay() throws {
        let decision = try policy(Self.cdn, "http://api.shop.example").decide(
            try request(), failure: TarmacError(.connectionRefused, phase: .connecting))
        #expect(next(decision) == nil)
    }

    // MARK: Moving a URL

    @Test(
        arguments: [
            ("https://c.example", "https://o.example", "https://c.example/", "https://o.example/"),
            ("https://c.example", "https://o.example/m/", "https://c.example/a/b", "https://o.example/m/a/b"),
            ("https://c.example/v/", "https://o.example", "https://c.example/v/a", "https://o.example/a"),
            ("https://c.example/v", "https://o.example:8443", "https://c.example/v?q=1", "https://o.example:8443/?q=1"),
            ("https://c.example/?k=1", "https://o.example", "https://c.example/a?k=1&q=2", "https://o.example/a?q=2"),
            ("https://c.example/?k=1", "https://o.example/?z=9", "https://c.example/a?k=1", "https://o.example/a?z=9"),
            ("https://c.example", "https://o.example/?z=9", "https://c.example/a?q=2", "https://o.example/a?z=9&q=2"),
            ("https://c.example/?k=1", "https://o.example", "https://c.example/a?k=12", nil),
            ("https://c.example:444", "https://o.example", "https://c.example/a", nil),
        ] as [(String, String, String, String?)])
    func aURLMovesBetweenBases(from: String, to: String, url: String, moved: String?) throws {
        #expect(try HTTPURL(url).moved(from: try HTTPURL(from), to: try HTTPURL(to))?.string == moved)
    }

    @Test func aSecretInThePathStaysHiddenWhenItMoves() throws {
        let url = try HTTPURL("https://c.example/v/reset/hunter2").showing(path: "/v/reset/masked")
        let moved = try #require(url.moved(from: try HTTPURL("https://c.example/v"), to: try HTTPURL("https://o.example/m")))
        #expect(moved.path == "/m/reset/hunter2" && moved.description == "https://o.example/m/reset/masked")
        let hidden = try HTTPURL("https://c.example/hunter2").showing(path: HTTPURL.hiddenPath)
        let other = hidden.moved(from: try HTTPURL("https://c.example"), to: try HTTPURL("https://o.example"))
        #expect(other.map { "\($0)" } == "https://o.example/…")
    }
}
