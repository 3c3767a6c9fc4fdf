#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCore

/// Each loop of the client has a count, a pause and an end. Here each one meets a server whose answers bring nothing new.
@Suite("Loops", .timeLimit(.minutes(5)))
struct LoopTests {
    /// A loop of the client.
    struct Loop: Sendable, CustomTestStringConvertible {
        let name: String
        /// What ends it.
        let end: String
        /// The largest number of requests of one call.
        let limit: Int
        let answer: @Sendable (Request, Int) throws -> Response
        var configure: @Sendable (inout Options) -> Void = { _ in }
        var run: @Sendable (Client) async throws -> Void = { try await $0.get("/a") }
        var testDescription: String { name }
    }

    private static func tokens(_ expiresIn: String) -> String { #"{"access_token":"x","refresh_token":"r","expires_in":\#(expiresIn)}"# }
    private static let expired = AccessToken("old", refreshToken: "r", expiry: Date(timeIntervalSinceReferenceDate: -1))
    private static let oauth: @Sendable (inout Options) -> Void = {
        $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "a"), rule: RefreshRule { $0.backOff = .zero })
    }
    private static let logged: @Sendable (Client) async throws -> Void = {
        try await $0.logIn(expired)
        try await $0.get("/a")
    }

    private static let auth = [
        Loop(
            name: "refresh: the new token has expired", end: "it is used until it is refused", limit: 2,
            answer: { request, _ in request.url.path == "/token" ? .json(tokens("0")) : .status(.ok) }, configure: oauth, run: logged),
        Loop(
            name: "refresh: the new token is refused", end: "two refreshes of one call, then RefreshRule.coolDown", limit: 4,
            answer: { request, _ in request.url.path == "/token" ? .json(tokens("3600")) : .status(.unauthorized) }, configure: oauth, run: logged),
        Loop(
            name: "refresh: no answer", end: "RefreshRule.maximumAttempts", limit: 4,
            answer: { request, _ in
                if request.url.path == "/token" { throw TarmacError(.connectionLost, phase: .waiting) }
                return .status(.ok)
            }, configure: oauth, run: logged),
        Loop(
            name: "challenge: the nonce is always stale", end: "three answers to one call", limit: 4,
            answer: { _, number in
                .status(.unauthorized, headers: [.wwwAuthenticate: #"Digest realm="r", qop=auth, algorithm=SHA-256, nonce="n\#(number)", stale=true"#])
            }, configure: { $0.authenticator = .digest(user: "u", password: "p", hash: DigestTests.hash) }),
        Loop(
            name: "challenge: each time another realm", end: "three answers to one call", limit: 4,
            answer: { _, number in
                .status(.unauthorized, headers: [.wwwAuthenticate: #"Digest realm="\#(number)", qop=auth, algorithm=SHA-256, nonce="n""#])
            }, configure: { $0.authenticator = .digest(user: "u", password: "p", hash: DigestTests.hash) }),
    ]

    private static let attempts = [
        Loop(
            name: "redirect: to itself", end: "RedirectRule", limit: 21, answer: { request, _ in .status(.found, headers: [.location: request.url.path]) }),
        Loop(
            name: "redirect: to a new page each time", end: "RedirectRule", limit: 21,
            answer: { _, number in .status(.found, headers: [.location: "/\(number)"]) }),
        Loop(
            name: "retry", end: "RetryRule.maxAttempts", limit: 100, answer: { _, _ in .status(.serviceUnavailable, headers: [.retryAfter: "0"]) },
            configure: { $0.retry = .exponential(maxAttempts: 100, base: .zero) { $0.budget = .unlimited } }),
        Loop(
            name: "hedge", end: "HedgeRule.atMost", limit: 3, answer: { _, _ in .status(.serviceUnavailable) },
            configure: { $0.hedge = .after(.zero, atMost: 2) { $0.budget = .unlimited } }),
        Loop(
            name: "failover: no host is reached", end: "each host once", limit: 3,
            answer: { _, _ in throw TarmacError(.connectionRefused, phase: .connecting) },
            configure: { ($0.host, $0.failover) = (.cdn, .through([HostKind("eu"), .origin])) }),
    ]

    private static let sequences = [
        Loop(
            name: "pages: the link leads to the same page", end: ".pageLoop", limit: 2,
            answer: { _, _ in .json("[]", headers: [HTTPField.Name("Link")!: "</a>; rel=next"]) },
            run: { for try await _ in $0.pages(of: .get("/a", as: [Int].self)) {} }),
        Loop(
            name: "pages: a new link each time", end: "limit of pages", limit: 25,
            answer: { _, number in .json("[]", headers: [HTTPField.Name("Link")!: "</\(number)>; rel=next"]) },
            run: { for try await _ in $0.pages(of: .get("/a", as: [Int].self), limit: 25) {} }),
    ]

    @Test(arguments: auth + attempts + sequences)
    func anAnswerThatBringsNothingNewEndsIt(loop: Loop) async throws {
        let count = Watched(0)
        let stub = StubTransport { request in
            let number = count.update {
                $0 += 1
                return $0
            }
            // Ends the test, not the loop.
            if number > 300 { throw TarmacError(.unsupported) }
            return try loop.answer(request, number)
        }
        var hosts = Hosts("https://s.example", cdn: "https://cdn.example")
        hosts[HostKind("eu")] = "https://eu.example"
        let client = Client(transport: .stub(stub), services: [Service("s", host: hosts)]) { loop.configure(&$0) }
        try? await loop.run(client)
        #expect(count.value <= loop.limit, "\(loop.end)")
        await client.shutdown()
    }

    /// An event stream has no end by itself. Without the passing of time it makes no second connection.
    @Test func anEventStreamThatEndsAtOncePausesBeforeEachConnection() async throws {
        let time = ManualTime()
        let stub = StubTransport { _ in .text("", headers: [.contentType: "text/event-stream"]) }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time)
        let reading = Task { for try await _ in client.events(InlineEndpoint<Void>.get("/e")) {} }
        try await stub.received(count: 1)
        for connection in 2...4 {
            try await time.hasSleepers()
            for _ in 0..<50 { await Task.yield() }
            #expect(stub.requests.count == connection - 1)
            time.advance(by: .seconds(90))
            try await stub.received(count: connection)
        }
        reading.cancel()
        _ = await reading.result
    }
}
