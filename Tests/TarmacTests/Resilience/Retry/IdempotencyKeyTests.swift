import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience

/// One call, one key, whatever sends its requests again (draft-ietf-httpapi-idempotency-key-header).
@Suite("Idempotency keys", .timeLimit(.minutes(5)))
struct IdempotencyKeyTests {
    private func keys(_ requests: [Request]) -> [String?] { requests.map { $0.headers[.idempotencyKey] } }

    @Test func aKeyIsTheCallsAtEveryHostAndInEveryRepeat() async throws {
        let answers = Watched(0)
        let stub = StubTransport { request in
            if request.url.host == "cdn.example" { throw TarmacError(.connectionRefused, phase: .connecting) }
            let number = answers.update {
                $0 += 1
                return $0
            }
            return number == 1 ? .status(.serviceUnavailable) : .json("{}")
        }
        let client = Client(
            transport: .stub(stub), services: [Service("s", host: Hosts("https://s.example", cdn: "https://cdn.example"))], time: ManualTime()
        ) {
            $0.host = .cdn
            $0.retry = .exponential(maxAttempts: 3, base: .zero)
            $0.idempotencyKey = .automatic
        }
        let landed = try await client.landed(for: .post("/a", ["n": 1], as: JSON.self))
        #expect(stub.requests.map(\.url.host) == ["cdn.example", "s.example", "s.example"])
        #expect(Set(keys(stub.requests)).count == 1 && keys(stub.requests)[0] != nil)
        #expect(landed.attempts == 3)
    }

    // draft-ietf-httpapi-idempotency-key-header §2.1
    @Test func aKeyIsAQuotedStringWhereTheServerWantsTheDraft() async throws {
        let stub = StubTransport { _ in .status(.ok) }, client = Client(stub) { $0.idempotencyKey = .automaticQuoted }
        try await client.post("/a", ["n": 1])
        try await client.get("/a")
        let key = try #require(keys(stub.requests)[0])
        #expect(key.count == 38 && key.hasPrefix("\"") && key.hasSuffix("\"") && keys(stub.requests)[1] == nil)
        #expect("\(IdempotencyKey.automaticQuoted)" == "automatic, quoted")
    }

    @Test func aReplayWithARenewedTokenHasTheCallsKeyAndTheRefreshHasNone() async throws {
        let stub = StubTransport { request in
            if request.url.path == "/token" { return .json(#"{"access_token":"new"}"#) }
            return request.headers[.authorization] == "Bearer new" ? .status(.ok) : .status(.unauthorized)
        }
        let service = Service("s", host: "https://s.example")
        let client = Client(transport: .stub(stub), services: [service]) {
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"))
            $0.idempotencyKey = .automatic
        }
        try await client[service].logIn(AccessToken("old", refreshToken: "r"))
        try await client.post("/a", ["n": 1])
        #expect(stub.requests.map(\.url.path) == ["/a", "/token", "/a"])
        let keys = keys(stub.requests)
        #expect(keys[0] != nil && keys[0] == keys[2] && keys[1] == nil)
    }

    /// §2.7. Before anything has arrived, the conflict is the app's own.
    @Test(arguments: [TarmacError.Code.connectionLost, .timeout, .connectionRefused])
    func aConflictWithTheCallsOwnLostRequestPasses(first: TarmacError.Code) async throws {
        let answers = Watched(0)
        let stub = StubTransport { _ in
            let number = answers.update {
                $0 += 1
                return $0
            }
            if number == 1 { throw TarmacError(first, phase: first == .connectionRefused ? .connecting : .waiting) }
            return number == 2 ? .status(.conflict) : .status(.ok)
        }
        let client = Client(stub) {
            $0.retry = .exponential(maxAttempts: 3, base: .zero)
            $0.idempotencyKey = .automatic
        }
        if first == .connectionRefused {
            #expect(await failure { try await client.post("/pay", ["n": 1]) }?.status == .conflict)
        } else {
            try await client.post("/pay", ["n": 1])
        }
        #expect(Set(keys(stub.requests)).count == 1 && stub.requests.count == (first == .connectionRefused ? 2 : 3))
    }

    @Test func aMisdirectedRequestKeepsItsKey() async throws {
        let answers = Watched([HTTPResponse.Status.ok, .misdirectedRequest])
        let stub = StubTransport { _ in .status(answers.update { $0.removeLast() }) }
        let client = Client(stub, time: ManualTime()) {
            $0.retry = .exponential(maxAttempts: 2)
            $0.idempotencyKey = .automatic
        }
        try await client.post("/a", ["n": 1])
        #expect(Set(keys(stub.requests)).count == 1 && stub.requests.count == 2)
    }
}
