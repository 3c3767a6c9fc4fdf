import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A token store that does not answer holds neither a shutdown nor the calls after the first.
@Suite("A token store that hangs", .timeLimit(.minutes(5)))
struct HungTokenStoreTests {
    /// Answers when the test says so, whatever is cancelled meanwhile.
    private final class Store: TokenStore {
        let asked = Watched(0)
        let isOpen = Watched(false)
        func token(for key: TokenKey) async throws -> AccessToken? {
            asked.update { $0 += 1 }
            try await isOpen.wait { $0 }
            return AccessToken("t")
        }
        func save(_ token: AccessToken, for key: TokenKey) {}
        func removeToken(for key: TokenKey) {}
    }

    private struct Stored: Authenticator {
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { AccessToken("new") }
    }

    /// Notes whether it was flushed.
    private final class Keeper: CookieKeeper {
        let isFlushed = Watched(false)
        var isDurable: Bool { true }
        func cookieField(for url: HTTPURL, scope: CookieScope, at date: Date) -> String? { nil }
        func keep(_ fields: [String], from url: HTTPURL, scope: CookieScope, at date: Date) {}
        func flush() { isFlushed.update { $0 = true } }
    }

    private let store = Store(), time = ManualTime(), keeper = Keeper()
    private let stub = StubTransport { .text($0.headers[.authorization] ?? "") }

    private func client() -> Client {
        Client(transport: .stub(stub), services: [TokenServer.service], time: time) {
            ($0.authenticator, $0.cookies) = (Authentication(Stored(), store: store), .keeper(keeper))
            ($0.timeout, $0.idleTimeout, $0.connectTimeout) = (.unlimited, .unlimited, .unlimited)
        }
    }

    @Test func aShutdownEndsAndFlushesAllTheSame() async throws {
        let client = client(), isOver = Watched(false)
        try await client.get("/public") { $0.authenticator = .off }
        let call = Task { try await client.get("/n", as: String.self) }
        try await store.asked.wait { $0 == 1 }
        let end = Task {
            await client.shutdown()
            isOver.update { $0 = true }
        }
        _ = await call.result
        await eventually {
            time.advance(by: .seconds(1))
            return isOver.value
        }
        await end.value
        #expect(keeper.isFlushed.value)
        store.isOpen.update { $0 = true }
    }

    /// Each call waits for its own limit, and none leaves a reading or a task behind.
    @Test func callsAfterTheFirstWaitForTheSameReading() async throws {
        let client = client()
        for number in 1...5 {
            let call = Task { try await client.get("/\(number)", as: String.self) }
            try await store.asked.wait { $0 == 1 }
            try await time.hasSleepers()
            time.advance(by: RefreshRule().timeout)
            let late = await #expect(throws: TarmacError.self) { try await call.value }
            #expect(late?.code == .tokenStoreFailed)
        }
        #expect(store.asked.value == 1 && stub.requests.isEmpty)
        store.isOpen.update { $0 = true }
        // The late answer itself is not used; the next call asks again.
        var text: String?
        try await eventually(trying: {
            text = try? await client.get("/6", as: String.self)
            return text != nil
        })
        #expect(text == "Bearer t")
        await client.shutdown()
    }
}
