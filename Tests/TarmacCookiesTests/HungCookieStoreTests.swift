import Dispatch
import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

@testable import TarmacCookies

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A store whose reading does not end holds no call longer than the call's own deadline.
@Suite("A cookie store that hangs", .timeLimit(.minutes(5)))
struct HungCookieStoreTests {
    /// Blocks the thread that reads until ``open()``.
    private final class Store: CookieStore {
        private let gate = DispatchSemaphore(value: 0)
        let readings = Watched(0)
        func load() throws -> [String: [Cookie]] {
            readings.update { $0 += 1 }
            gate.wait()
            return [:]
        }
        func save(_ cookies: [String: [Cookie]]) throws {}
        func open() { gate.signal() }
    }

    private let store = Store()
    private let time = ManualTime(date: start)
    private let stub = StubTransport { _ in .status(.ok, headers: [.setCookie: "a=1"]) }

    private func client() -> Client {
        let jar = CookieJar(store: store)
        return Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time) {
            ($0.cookies, $0.deadline) = (.jar(jar), .seconds(5))
        }
    }

    @Test func aCallEndsAtItsDeadline() async throws {
        let client = client(), store = store
        defer { store.open() }
        async let end = #expect(throws: TarmacError.self) { try await client.get("/") }
        try await store.readings.wait { $0 == 1 }
        time.advance(by: .seconds(5))
        #expect(await end?.code == .deadlineExceeded)
        #expect(stub.requests.isEmpty)
    }

    @Test func aCallEndsWhenItIsCancelled() async throws {
        let client = client(), store = store
        defer { store.open() }
        let call = Task { try await client.get("/") }
        try await store.readings.wait { $0 == 1 }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
    }

    @Test func callsThatWaitGoOnAfterOneReading() async throws {
        let client = client(), store = store
        async let first = client.get("/1")
        try await store.readings.wait { $0 == 1 }
        async let second = client.get("/2")
        store.open()
        _ = try await (first, second)
        #expect(store.readings.value == 1)
        #expect(stub.requests.count == 2)
    }
}
