import Foundation
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore
import Testing

@testable import TarmacCallLog

@Suite struct CallPageTests {
    private let log = CallLog(last: 50, bodies: .first(.kib(64)))

    private func withCalls(_ transport: TransportFactory = .echo, _ body: (Client) async throws -> Void) async throws {
        let log = log
        try await withClient(transport: transport, services: [Service("demo", host: "https://demo.example")], configure: { $0.log = log }, body)
    }

    @Test func callIsShownWithItsAttemptsBodiesAndCommand() async throws {
        try await withCalls { client in
            let body = Body.bytes(Bytes(Array("{\"password\":\"hush-4f9a2c7e1b\",\"name\":\"Ann\"}".utf8)), contentType: "application/json")
            _ = try await client.send(raw: try Request(.post, "https://demo.example/a", headers: [.authorization: "Bearer hush-4f9a2c7e1b"], body: body))
        }
        let page = CallPage(entry: try #require(log.entries.first))
        #expect(page.title == "POST https://demo.example/a" && page.summary.hasPrefix("200 · ") && page.outcome == .landed)
        let titles = page.sections.map(\.title)
        #expect(titles.prefix(4) == ["POST https://demo.example/a", "Attempt 1", "Response", "Request"] && titles.last == "cURL")
        let text = page.sections.map { "\($0)" }.joined()
        #expect(text.contains("Ann") && !text.contains("hush-4f9a2c7e1b"))
    }

    @Test func longBodyIsCutOff() async throws {
        try await withCalls { client in
            let body = Body.bytes(Bytes(Array(repeating: UInt8(ascii: "a"), count: 3 * CallPage.longestText)), contentType: "text/plain")
            _ = try await client.send(raw: try Request(.post, "https://demo.example/a", body: body))
        }
        let page = CallPage(entry: try #require(log.entries.first))
        for text in page.sections.compactMap(\.text) { #expect(text.count <= CallPage.longestText + 1) }
    }

    @Test func cancelledCallIsTold() async throws {
        try await withCalls(.silent) { client in
            let call = Task { _ = try? await client.send(raw: try Request(.get, "https://demo.example/a")) }
            await eventually { log.entries.first?.attempts.count == 1 }
            call.cancel()
            await call.value
        }
        let page = CallPage(entry: try #require(log.entries.first))
        #expect(page.outcome == .cancelled && page.summary.hasPrefix("cancelled"))
    }

    @Test func viewFollowsTheLogAndNoMoreOftenThanItsInterval() async throws {
        let time = GatedTime(), seen = Locked([[String]]())
        let following = Task { [log] in
            await log.followPages(every: .seconds(1), time: time) { pages in seen.withLock { $0.append(pages.map(\.title)) } }
        }
        await eventually { seen.withLock { $0.count } == 1 }
        try await withCalls { client in
            for path in ["a", "b", "c"] { _ = try await client.send(raw: try Request(.get, "https://demo.example/\(path)")) }
        }
        #expect(seen.withLock { $0.count } == 1)
        time.open()
        await eventually { seen.withLock { $0.count } == 2 }
        #expect(seen.withLock { $0.last } == ["c", "b", "a"].map { "GET https://demo.example/\($0)" })
        following.cancel()
        await following.value
    }
}

/// A clock whose every sleep lasts until the test lets it end.
private final class GatedTime: TimeSource {
    private let (gates, gate) = AsyncStream.makeStream(of: Void.self)
    let now = ContinuousClock.now
    var date: Date { Date(timeIntervalSince1970: 0) }

    func open() { gate.yield() }

    func sleep(until instant: ContinuousClock.Instant) async throws {
        for await _ in gates { return }
        try Task.checkCancellation()
    }
}
