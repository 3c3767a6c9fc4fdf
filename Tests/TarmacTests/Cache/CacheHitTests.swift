import HTTPTypes
import TarmacTesting
import Testing

@testable import Tarmac

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Cache hits", .timeLimit(.minutes(5)))
struct CacheHitTests {
    private struct Marking: Interceptor {
        func intercept(_ request: Request, chain: Chain) async throws -> Response {
            var response = try await chain.proceed(request)
            response.headers.append(HTTPField(name: .server, value: "marked"))
            return response
        }
    }

    /// RFC 9111 §5.1, RFC 9211 §2.4: hits of one second are of one age, and what somebody adds to one is not in the next.
    @Test func eachHitHasItsOwnAgeAndFields() async throws {
        let time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600))
        let stub = StubTransport { _ in .json(#"{"n":1}"#, headers: [.cacheControl: "max-age=60"]) }
        let client = Client(stub, time: time) {
            $0.cache = .http
            $0.interceptors = [Marking()]
        }
        for (pause, age) in [(0, nil), (0, "0"), (0, "0"), (3, "3"), (0, "3"), (56, "59")] as [(Int, String?)] {
            time.advance(by: .seconds(pause))
            let headers = try await client.landed(for: .get("/n", as: Number.self)).headers
            #expect(headers[values: .server] == ["marked"])
            guard let age, let number = Int(age) else { continue }
            #expect(headers[values: .age] == [age] && headers[values: .cacheStatus] == ["tarmac; hit; ttl=\(60 - number)"])
        }
        #expect(stub.requests.count == 1)
        await client.shutdown()
    }

    enum Login: CaseIterable {
        case fixedToken, key, query, own, nameless
        static let secret = "hunter2"

        func configure(_ options: inout Options) {
            if self != .nameless { options.principal = "ann" }
            switch self {
            case .fixedToken, .nameless: options.authenticator = .bearer(Self.secret)
            case .key: options.headers["X-API-Key"] = Self.secret
            case .query: options.authenticator = .apiKey(Self.secret, query: "key")
            case .own: break
            }
        }
    }

    /// What all calls of a client send tells nobody apart once somebody is named, so a file may have the answers; what a call sends by
    /// itself does (law 7).
    @Test(arguments: Login.allCases)
    func aNamedPrincipalNeedsNoCredentialsInItsKey(login: Login) async throws {
        let store = GatedStore()
        let stub = StubTransport { _ in .json(#"{"n":1}"#, headers: [.cacheControl: "max-age=60"]) }
        let client = Client(stub) {
            ($0.cache, $0.cacheStore) = (.http, .store(store))
            login.configure(&$0)
        }
        for _ in 1...2 {
            _ = try await client.get("/n", as: Number.self) { if login == .own { $0.authenticator = .bearer(Login.secret) } }
        }
        try await client.cache.flush()
        #expect(stub.requests.count == 1)
        #expect(await store.base.statistics().entries == ([.own, .nameless].contains(login) ? 0 : 1))
        _ = try await client.get("/n", as: Number.self) { $0.authenticator = .bearer("another") }
        _ = try await client.get("/n", as: Number.self) { $0.principal = "bob" }
        #expect(stub.requests.count == 3)
        let texts = try await client.cache.entries().map(\.key.text)
        #expect(texts.allSatisfy { !$0.contains(Login.secret) })
        await client.shutdown()
    }
}
