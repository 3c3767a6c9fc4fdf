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
@testable import TarmacHTTP

/// What a token endpoint, or something in its place, answers. Only a refusal ends a login. After anything else the login stays, and the
/// next call tries again.
@Suite("Refresh: outcomes", .timeLimit(.minutes(5)))
struct RefreshOutcomeTests {
    struct Outcome: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: @Sendable () throws -> Response

        init(_ name: String, _ answer: @escaping @Sendable () throws -> Response) { (testDescription, self.answer) = (name, answer) }

        init(_ status: Int, _ type: String?, _ body: String = "", _ more: HTTPFields = [:]) {
            testDescription = "\(status) \(type ?? "no type") \(body)"
            answer = {
                var headers = more
                headers[.contentType] = type
                var response = Response.status(HTTPResponse.Status(code: status), headers: headers)
                response.body = .bytes(Bytes(body))
                return response
            }
        }
    }

    private static let page = "<html>Log in to the network</html>"

    /// Whatever asked.
    private static let unknown: [Outcome] =
        [200, 302, 400, 401, 403, 404, 407, 451, 500, 502, 503, 511].flatMap { (status: Int) -> [Outcome] in
            [
                Outcome(status, "text/html", page), Outcome(status, "application/xhtml+xml", page), Outcome(status, "text/plain", "Blocked"),
                Outcome(status, nil, page),
            ]
        } + others

    private static let others: [Outcome] = [
        Outcome(204, nil), Outcome(407, nil), Outcome(511, nil), Outcome(200, "application/json"), Outcome(200, "application/json", "[]"),
        Outcome(302, nil, "", [.location: "https://portal.example/login"]), Outcome(307, nil, "", [.location: "https://portal.example/login"]),
        Outcome(429, "application/json", "{}"), Outcome(400, "application/json", page), Outcome(401, "application/json", page),
        Outcome("the answer is lost") { throw TarmacError(.connectionLost, phase: .waiting) },
        Outcome("no answer in time") { throw TarmacError(.timeout, phase: .waiting) },
        Outcome("cut short") { throw TarmacError(.truncatedBody, phase: .receiving) },
        Outcome("no HTTP") { throw TarmacError(.malformedResponse, phase: .receiving) },
        Outcome("the wrong certificate") { throw TarmacError(.untrustedCertificate, phase: .connecting) },
        Outcome("no such host") { throw TarmacError(.cannotFindHost, phase: .connecting) },
    ]

    /// RFC 6749 §5.2: a refusal has a code.
    static let unknownToOAuth: [Outcome] =
        unknown
        + [400, 401, 403].flatMap { (status: Int) -> [Outcome] in
            [
                Outcome(status, nil), Outcome(status, "application/json"), Outcome(status, "application/json", "{}"),
                Outcome(status, "application/json", "[]"), Outcome(status, "application/json", #"{"message":"blocked"}"#),
                Outcome(status, "application/json", #"{"error":"INVALID_GRANT"}"#), Outcome(status, "application/json", #"{"error":{"code":"invalid_grant"}}"#),
                Outcome(status, "application/json", #"{"error":"invalid_client"}"#), Outcome(status, "application/json", #"{"error":"invalid_request"}"#),
                Outcome(status, "text/html", "<p>invalid_grant</p>"), Outcome(status, "application/json", #"{"error":"invalid_grant""#),
            ]
        }

    static let refusedByOAuth: [Outcome] = [
        Outcome(200, "application/json", #"{"error":"invalid_grant"}"#), Outcome(400, "application/json", #"{"error":"invalid_grant"}"#),
        Outcome(401, "application/json", #"{"error":"invalid_grant"}"#), Outcome(403, "application/json", #"{"error":"invalid_grant"}"#),
        Outcome(503, "application/json", #"{"error":"invalid_grant"}"#),
        Outcome(400, "text/html", #"{"error":"invalid_grant"}"#), Outcome(401, "application/json", #"{"error":"invalid_token"}"#),
    ]

    static let unknownToOwn: [Outcome] = unknown + [Outcome(404, "application/json", "{}"), Outcome(200, "application/json", "{}")]

    static let refusedByOwn: [Outcome] = [400, 401, 403].flatMap { (status: Int) -> [Outcome] in
        [
            Outcome(status, nil), Outcome(status, "application/json", #"{"message":"log in again"}"#), Outcome(status, "application/problem+json", "{}"),
            Outcome(status, "text/html", "{}"), Outcome(status, "application/octet-stream", "x"),
        ]
    }

    private struct Own: Authenticator {
        let ends: Watched<[LogOutReason]>
        var refreshRule: RefreshRule { RefreshRule { $0.maximumAttempts = 1 } }
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            struct Session: Decodable, Sendable { var access_token: String }
            return AccessToken(try await context.client.post("/token", as: Session.self).access_token, refreshToken: "r")
        }
        func didLogOut(_ key: TokenKey, _ reason: LogOutReason) { ends.update { $0.append(reason) } }
    }

    private let time = ManualTime(), store = MemoryTokenStore(), ends = Watched<[LogOutReason]>([]), isInTheWay = Watched(true)
    private let key = TokenKey(service: "s", environment: "production")

    private func client(_ outcome: Outcome, isOAuth: Bool) async throws -> Client {
        let stub = StubTransport { [isInTheWay] request in
            if request.url.host == "portal.example" { return .text(Self.page, headers: [.contentType: "text/html"]) }
            guard request.url.path == "/token" else { return .status(request.headers[.authorization] == "Bearer new" ? .ok : .unauthorized) }
            return isInTheWay.value ? try outcome.answer() : .json(#"{"access_token":"new","refresh_token":"r2"}"#)
        }
        let client = Client(transport: .stub(stub), services: [TokenServer.service], time: time) { [ends, store] in
            let rule = RefreshRule { $0.maximumAttempts = 1 }
            $0.authenticator =
                isOAuth
                ? .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store, rule: rule) { _, reason in ends.update { $0.append(reason) } }
                : Authentication(Own(ends: ends), store: store)
            ($0.timeout, $0.idleTimeout, $0.connectTimeout) = (.unlimited, .unlimited, .unlimited)
        }
        try await client.logIn(AccessToken("old", refreshToken: "r", expiry: Date(timeIntervalSinceReferenceDate: -1)))
        return client
    }

    private func expectStays(_ outcome: Outcome, isOAuth: Bool) async throws {
        let client = try await client(outcome, isOAuth: isOAuth)
        for _ in 1...3 { #expect(await failure { try await client.get("/a") }?.code == .refreshFailed) }
        #expect(store.token(for: key)?.refreshToken == "r" && ends.value == [])
        isInTheWay.update { $0 = false }
        time.advance(by: .seconds(30))
        try await client.get("/a")
        await client.shutdown()
        #expect(ends.value == [])
    }

    private func expectEnds(_ outcome: Outcome, isOAuth: Bool) async throws {
        let client = try await client(outcome, isOAuth: isOAuth)
        for _ in 1...3 { #expect(await failure { try await client.get("/a") }?.code == .loggedOut) }
        await client.shutdown()
        #expect(store.token(for: key) == nil)
        #expect(ends.value == [.refused])
    }

    @Test(arguments: unknownToOAuth)
    func anAnswerThatIsNoRefusalLeavesTheLogin(outcome: Outcome) async throws { try await expectStays(outcome, isOAuth: true) }

    @Test(arguments: refusedByOAuth)
    func aRefusalEndsTheLoginOnce(outcome: Outcome) async throws { try await expectEnds(outcome, isOAuth: true) }

    @Test(arguments: unknownToOwn)
    func anAnswerOfAnotherThanTheAppsEndpointLeavesTheLogin(outcome: Outcome) async throws { try await expectStays(outcome, isOAuth: false) }

    @Test(arguments: refusedByOwn)
    func aRefusalOfTheAppsEndpointEndsTheLoginOnce(outcome: Outcome) async throws { try await expectEnds(outcome, isOAuth: false) }
}
