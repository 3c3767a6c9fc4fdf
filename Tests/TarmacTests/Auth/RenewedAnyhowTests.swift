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

/// A token endpoint that has renewed the refresh token has spent the one before, whatever it sends beside the new one.
@Suite("Renewed, with something unusual", .timeLimit(.minutes(5)))
struct RenewedAnyhowTests {
    private let service = Service("s", host: "https://s.example")

    /// An answer with the tokens `t1` and `r1`, which stand for those of the turn.
    struct Renewal: Sendable, CustomTestStringConvertible {
        var name: String
        var text = #"{"access_token":"t1","refresh_token":"r1","token_type":"Bearer"}"#
        var type = "application/json"
        /// A byte that takes the place of each `~`.
        var byte: UInt8 = UInt8(ascii: "~")
        var testDescription: String { name }
        var body: [UInt8] { text.utf8.map { $0 == UInt8(ascii: "~") ? byte : $0 } }
    }

    static let renewals: [Renewal] =
        ["BearerToken", "JWT", "Bearer ", "", "access_token", "DPoP"].map {
            Renewal(name: "type \($0)", text: #"{"access_token":"t1","refresh_token":"r1","token_type":"\#($0)"}"#)
        } + ["utf8mb4", "UTF_8", "x-unknown", "binary"].map { Renewal(name: $0, type: "application/json; charset=\($0)") } + [
            Renewal(name: "a lone surrogate", text: #"{"name":"\ud800","access_token":"t1","refresh_token":"r1"}"#),
            Renewal(name: "Latin-1", text: #"{"name":"J~rg","access_token":"t1","refresh_token":"r1"}"#, byte: 0xFC),
            Renewal(name: "NUL behind it", text: #"{"access_token":"t1","refresh_token":"r1"}~"#, byte: 0),
            Renewal(name: "a text behind it", text: #"{"access_token":"t1","refresh_token":"r1"}<!-- 12 ms -->"#),
            Renewal(
                name: "deep",
                text: #"{"p":"# + String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
                    + #","access_token":"t1","refresh_token":"r1"}"#),
            Renewal(name: "large", text: #"{"p":""# + String(repeating: "x", count: 1_100_000) + #"","access_token":"t1","refresh_token":"r1"}"#),
            Renewal(
                name: "escaped, and one of the same name below",
                text: #"{"a":{"refresh_token":"x"},"\u0061ccess_token":"\u00741","refresh_token":"r1","b":~}"#),
        ]

    private func client(_ renewal: Renewal, asked: Watched<[String]>, access: Watched<String>, out: Watched<Int>) -> Client {
        let stub = StubTransport { request in
            if request.url.path != "/token" { return request.headers[.authorization] == "Bearer \(access.value)" ? .json("1") : .status(.unauthorized) }
            let number = asked.value.count
            asked.update { $0.append(request.text) }
            guard request.text.contains("refresh_token=r\(number)") else { return .json(#"{"error":"invalid_grant"}"#, status: .badRequest) }
            access.update { $0 = "t1" }
            return Response(status: .ok, headers: [.contentType: renewal.type], body: .bytes(Bytes(renewal.body)), url: request.url)
        }
        return Client(transport: .stub(stub), services: [service]) {
            let rule = RefreshRule { $0.backOff = .zero }
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), rule: rule) { _, _ in out.update { $0 += 1 } }
        }
    }

    @Test(arguments: renewals) func theTokensAreKept(renewal: Renewal) async throws {
        let asked = Watched<[String]>([]), out = Watched(0)
        let client = client(renewal, asked: asked, access: Watched("none"), out: out)
        try await client[service].logIn(AccessToken("t0", refreshToken: "r0"))
        #expect(try await client.get("/a", as: Int.self) == 1)
        #expect(asked.value.count == 1 && out.value == 0)
        await client.shutdown()
    }

    /// The next refresh asks with the new refresh token, although there is no access token to send.
    @Test(arguments: [#"{"refresh_token":"r1"}"#, #"{"access_token":null,"refresh_token":"r1"}"#, #"{"access_token":"a b","refresh_token":"r1"}"#])
    func theRefreshTokenIsKeptWithoutATokenToSend(text: String) throws {
        let token = try OAuthAnswer(.json(text)).token(after: AccessToken("t0", refreshToken: "r0"), now: Date(timeIntervalSince1970: 0))
        #expect(token.refreshToken == "r1")
        #expect(token.value != "t0")
    }

    @Test(arguments: [#"{"access_token":12345,"refresh_token":"r1"}"#, #"{"access_token":12345,"refresh_token":1,"x":"\ud800"}"#])
    func aNumberIsATokenToo(text: String) throws {
        let token = try OAuthAnswer(.json(text)).token(after: nil, now: Date(timeIntervalSince1970: 0))
        #expect(token.value == "12345")
        #expect(token.refreshToken?.last == "1")
    }

    /// What came may be from something on the way, which a repetition passes, or from the server, which has spent the refresh token then.
    @Test(
        arguments: [
            ("<html>", .retry), ("", .retry), ("hunter2", .retry), ("{}", .fail), (#"{"data":{"access_token":"t","refresh_token":"r"}}"#, .fail), ("[]", .fail),
            (#"{"access_token":"cut o"#, .fail),
        ] as [(String, RefreshConsequence)])
    func onlyWhatIsNoJSONIsAskedForAgainAtOnce(text: String, consequence: RefreshConsequence) throws {
        let response = Response.json(text)
        let error = #expect(throws: TarmacError.self) { try OAuthAnswer(response).token(after: nil, now: Date(timeIntervalSince1970: 0)) }
        let oauth = OAuthAuthenticator(tokenURL: "/token", client: OAuthClient(id: "app"))
        #expect(oauth.consequence(of: try #require(error).with(response: response.snapshot)) == consequence)
        #expect(oauth.consequence(of: TarmacError.bodyTooLarge(limit: 1)) == .fail)
    }

    /// The query names the tenant. It may hold a secret, so the name shows none of it.
    @Test func tenantsInTheQueryHaveSessionsOfTheirOwn() async throws {
        let stub = StubTransport { request in
            if request.url.path == "/token" { return .json(#"{"access_token":"for-\#(request.url.query ?? "")"}"#) }
            return .json("\"\(request.headers[.authorization] ?? "")\"")
        }
        let client = Client(transport: .stub(stub), services: [service])
        for tenant in ["a", "b", "a"] {
            let token = try await client.get("/x", as: String.self) {
                $0.authenticator = .clientCredentials(tokenURL: "/token?tenant=\(tenant)", client: OAuthClient(id: "app", secret: "s"))
            }
            #expect(token == "\"Bearer for-tenant=\(tenant)\"")
        }
        #expect(stub.requests.count { $0.url.path == "/token" } == 2)
        let name = OAuthAuthenticator(tokenURL: "/token?key=hunter2", client: OAuthClient(id: "app")).name
        #expect(name.hasPrefix("OAuth 2 for app at /token?") && !name.contains("hunter2"))
        await client.shutdown()
    }
}
