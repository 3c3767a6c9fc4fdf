#if Redis && canImport(Glibc)
import Foundation
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

@testable import TarmacRedis
@testable import TarmacResilience
@testable import TarmacTraffic

@Suite("Redis: limits", .timeLimit(.minutes(5)))
struct RedisLimitsTests {
    private let shop = SharedRateLimitKey(service: "shop", environment: "production")

    private func wait(_ turn: SharedTurn) -> Duration? {
        switch turn {
        case .now: .zero
        case .after(let wait): wait
        case .tooLate: nil
        }
    }

    @Test func turnsOfAllProcessesAreOneIntervalApart() async throws {
        let server = try await RedisServer(), rule = RateLimitRule.perSecond(10, burst: 3)
        let processes = (0..<4).map { _ in RedisLimits(server.client()) }
        let begin = ContinuousClock.now
        let waits = try await withThrowingTaskGroup(of: Duration.self) { group in
            for number in 0..<103 {
                group.addTask { try #require(self.wait(try await processes[number % 4].take(rule, of: self.shop, within: nil))) }
            }
            return try await group.reduce(into: [Duration]()) { $0.append($1) }.sorted()
        }
        let took = ContinuousClock.now - begin
        // Nobody waits in between, so all turns are taken while the first begins: 100 after a burst of three.
        #expect(waits.last.map { $0 <= .seconds(10) && $0 >= .seconds(10) - took } == true)
        #expect(waits.count { $0 == .zero } >= 3)
        // Another service has a count of its own.
        let other = SharedRateLimitKey(service: "shop", environment: "test")
        #expect(wait(try await processes[0].take(rule, of: other, within: nil)) == .zero)
    }

    @Test func aTurnThatIsTooLateTakesNothingAndOneIsGivenBack() async throws {
        let server = try await RedisServer(), limits = RedisLimits(server.client()), rule = RateLimitRule.per(.seconds(3_600), 1)
        #expect(wait(try await limits.take(rule, of: shop, within: .zero)) == .zero)
        for _ in 0..<3 { #expect(wait(try await limits.take(rule, of: shop, within: .seconds(60))) == nil) }
        let next = try #require(wait(try await limits.take(rule, of: shop, within: nil)))
        #expect(next > .seconds(3_000) && next <= .seconds(3_600))
        try await limits.giveBack(rule, of: shop)
        let again = try #require(wait(try await limits.take(rule, of: shop, within: nil)))
        #expect(again <= .seconds(3_600))
    }

    /// As after a failover to a server whose clock is an hour behind.
    @Test func aClockThatIsSetBackHoldsNobody() async throws {
        let server = try await RedisServer(), limits = RedisLimits(server.client()), rule = RateLimitRule.perSecond(1)
        #expect(wait(try await limits.take(rule, of: shop, within: nil)) == .zero)
        try await limits.hold(for: .seconds(30), of: shop)
        let key = try #require(try await server.client().run("KEYS", "*rate*").array?.first?.bytes)
        for field in ["at", "full", "held"] {
            _ = try await server.client().run([Bytes("HINCRBYFLOAT"), key, Bytes(field), Bytes("3600000000")])
        }
        for _ in 0..<2 {
            let wait = try #require(wait(try await limits.take(rule, of: shop, within: nil)))
            #expect(wait > .seconds(25) && wait <= .seconds(32))
        }
    }

    @Test func aPauseOfTheServiceHoldsForAll() async throws {
        let server = try await RedisServer(), one = RedisLimits(server.client()), other = RedisLimits(server.client())
        #expect(try await !other.isHeld(of: shop))
        try await one.hold(for: .seconds(3_600), of: shop)
        #expect(try await other.isHeld(of: shop))
        let wait = try #require(wait(try await other.take(.perSecond(1_000), of: shop, within: nil)))
        #expect(wait > .seconds(3_000) && wait <= .seconds(3_600))
    }

    @Test func aBudgetIsThatOfAllProcesses() async throws {
        let server = try await RedisServer(), origin = try HTTPURL("https://api.shop.example").origin
        let processes = (0..<3).map { _ in RedisLimits(server.client()) }, budget = RetryRule.Budget(ratio: 0.2, reserve: 10)
        var taken = 0
        for number in 0..<30 where try await processes[number % 3].takeRetry(of: origin, budget, calls: 0) { taken += 1 }
        #expect(taken == 10)
        // Ten calls earn two.
        for number in 0..<3 { #expect(try await processes[number].takeRetry(of: origin, budget, calls: number == 0 ? 10 : 0) == (number < 2)) }
    }

    // MARK: Calls

    private func client(_ limits: RedisLimits, _ transport: StubTransport, _ events: EventRecorder, rule: RateLimitRule) -> Client {
        Client(transport: .stub(transport), services: [Service("shop", host: "https://api.shop.example")]) {
            $0.rateLimit = rule.shared(by: limits)
            $0.retry = .exponential(maxAttempts: 2, base: .zero) { $0.budget = .init(ratio: 0, reserve: 2) }.shared(by: limits)
            $0.observers = [events]
        }
    }

    @Test func callsOfTwoClientsCountTogether() async throws {
        let server = try await RedisServer(), events = EventRecorder(), rule = RateLimitRule.per(.seconds(3_600), 2, burst: 2)
        let clients = (0..<2).map { _ in client(RedisLimits(server.client()), StubTransport { _ in .status(.ok) }, events, rule: rule) }
        for client in clients { try await client.get("/a") }
        for client in clients {
            await #expect { try await client.get("/a") { $0.deadline = .seconds(600) } } throws: { ($0 as? TarmacError)?.code == .rateLimited }
            await client.shutdown()
        }
    }

    @Test func repeatsOfTwoClientsCountTogether() async throws {
        let server = try await RedisServer(), events = EventRecorder(), requests = Locked(0)
        let stub = StubTransport { _ in
            requests.withLock { $0 += 1 }
            return .status(.serviceUnavailable)
        }
        let clients = (0..<2).map { _ in client(RedisLimits(server.client()), stub, events, rule: .off) }
        for _ in 0..<3 { for client in clients { _ = try? await client.get("/a") } }
        #expect(requests.withLock { $0 } == 6 + 2)
        for client in clients { await client.shutdown() }
    }

    @Test func withoutTheServerEachProcessHoldsTheLimitAlone() async throws {
        let server = try await RedisServer(), events = EventRecorder(), rule = RateLimitRule.per(.seconds(3_600), 2, burst: 2)
        let client = client(RedisLimits(server.client()), StubTransport { _ in .status(.ok) }, events, rule: rule)
        try await server.crash()
        for _ in 0..<2 { try await client.get("/a") { $0.deadline = .seconds(600) } }
        await #expect { try await client.get("/a") { $0.deadline = .seconds(600) } } throws: { ($0 as? TarmacError)?.code == .rateLimited }
        // Said once.
        #expect(events.events.count { if case .warning(let text) = $0.kind { text.contains("held by this process alone") } else { false } } == 1)
        try await server.start()
        try await eventually(trying: { (try? await client.get("/a") { $0.deadline = .seconds(600) }) != nil })
        await client.shutdown()
    }

    @Test func aServerThatHangsHoldsNoCallBeyondItsDeadline() async throws {
        let server = try ScriptedServer([.stall])
        defer { server.stop() }
        let limits = RedisLimits(HiredisClient("127.0.0.1", port: server.port, timeLimit: .seconds(3_600)))
        let client = client(limits, StubTransport { _ in .status(.ok) }, EventRecorder(), rule: .perSecond(1))
        await #expect { try await client.get("/a") { $0.deadline = .milliseconds(50) } } throws: { ($0 as? TarmacError)?.code == .deadlineExceeded }
        let call = Task { try await client.get("/a") }
        try await server.wait { !$0.connections.isEmpty }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        await client.shutdown()
    }
}
#endif
