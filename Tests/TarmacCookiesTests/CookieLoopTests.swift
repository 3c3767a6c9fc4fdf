import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

@_spi(TarmacRooms) import TarmacCore
@testable import TarmacCookies

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Each loop with cookies has a count, a pause and an end.
@Suite("Cookies: loops", .timeLimit(.minutes(5)))
struct CookieLoopTests {
    private final class Broken: CookieStore {
        let attempts = Watched(0)
        func load() throws -> [String: [Cookie]] { [:] }
        func save(_ cookies: [String: [Cookie]]) throws { throw CancellationError() }
        func apply(_ changes: CookieChanges) throws {
            attempts.update { $0 += 1 }
            throw CancellationError()
        }
    }

    /// The server sends to the same place until a cookie comes back, and gives it another name each time.
    @Test func aRedirectThatSetsAnotherCookieEachTimeEnds() async throws {
        let count = Watched(0), jar = CookieJar()
        let stub = StubTransport { request in
            count.update { $0 += 1 }
            return .status(.found, headers: [.location: request.url.path, .setCookie: "c\(count.value)=1"])
        }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) { $0.cookies = .jar(jar) }
        await #expect(throws: TarmacError.self) { try await client.get("/a") }
        #expect(count.value <= 21)
        await client.shutdown()
    }

    /// A store that fails is written again once a second, then less and less, and no more when the jar is gone.
    @Test func aStoreThatNeverTakesAChangeIsAskedLessAndLess() async throws {
        let store = Broken(), time = ManualTime(date: start)
        let stub = StubTransport { _ in .status(.ok, headers: [.setCookie: "a=1; Max-Age=9999999"]) }
        var jar: CookieJar? = CookieJar(store: store, time: time)
        do {
            let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: ManualTime(date: start)) { [jar] in
                $0.cookies = .jar(jar!)
            }
            try await client.get("/a")
            for (number, pause) in [1, 1, 1, 1, 1, 2, 4, 8, 16, 32, 60, 60, 60].enumerated() {
                try await time.hasSleepers()
                time.advance(by: .seconds(pause) - .milliseconds(1))
                for _ in 0..<50 { await Task.yield() }
                #expect(store.attempts.value == number)
                time.advance(by: .milliseconds(1))
                try await store.attempts.wait { $0 == number + 1 }
            }
            await client.shutdown()
        }
        weak let kept = jar
        jar = nil
        await eventually {
            time.advance(by: .seconds(60))
            return kept == nil
        }
        let last = store.attempts.value
        for _ in 0..<5 {
            time.advance(by: .seconds(60))
            for _ in 0..<50 { await Task.yield() }
        }
        #expect(store.attempts.value == last)
    }
}
