import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

// Wish 2 of the field: race-free single-flight refresh that is not cancelled with its caller and stops after a failure.
@Suite("Refresh under load", .timeLimit(.minutes(5)))
struct RefreshStormTests {
    @Test(.heavy, arguments: [(1_000, 64), (1_000, 1_000), (300, 7), (300, 1)])
    func aThousandCallsWithATokenOfFiftyUsesAllLand(calls: Int, concurrency: Int) async throws {
        let server = TokenServer(uses: 50)
        let rig = try await TokenRig(server, concurrency: concurrency).logIn()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<calls { group.addTask { try await rig.get("/\(number)") } }
            for try await n in group { #expect(n == 1) }
        }
        #expect(server.faults == [])
        let inFlight = min(concurrency, calls)
        let bound = 1 + (inFlight + 49) / 50
        let refusals = server.state.withLock { $0.refusals }
        #expect(refusals.values.allSatisfy { $0 <= bound }, "\(refusals.values.max() ?? 0) of \(bound)")
        #expect(server.refreshes >= calls / 50 - 1)
        #expect(rig.events("refreshStarted") == server.refreshes)
        #expect(rig.events("refreshEnded") == server.refreshes)
    }

    @Test func aThousandConcurrentRefusalsMakeOneRefresh() async throws {
        let rig = try await TokenRig(concurrency: 1_000).logIn()
        rig.server.expire()
        rig.stub.hold()
        let calls = (0..<1_000).map { number in Task { try await rig.get("/\(number)") } }
        try await rig.stub.received(count: 1_000)
        rig.stub.release()
        for call in calls { #expect(try await call.value == 1) }
        #expect(rig.server.refreshes == 1)
        #expect(rig.stub.requests.count == 2_001)
        #expect(rig.server.faults == [])
        #expect(rig.events("replayed") == 1_000)
    }

    @Test func aThousandExpiredEnvelopeCodesMakeOneRefresh() async throws {
        let rig = try await TokenRig(TokenServer(), concurrency: 1_000) { request in
            switch request.headers[.authorization] {
            case "Bearer access-0": .json(#"{"status":0,"code":40101}"#)
            case "Bearer access-1": .json(#"{"status":1,"data":{"n":2}}"#)
            default: .json(#"{"access_token":"access-1"}"#)
            }
        } configure: {
            $0.envelope = Envelope(success: { $0["status"] == 1 }, code: "code", payload: "data", expired: [40101])
        }.logIn()
        rig.stub.hold()
        let calls = (0..<1_000).map { number in Task { try await rig.get("/\(number)") } }
        try await rig.stub.received(count: 1_000)
        rig.stub.release()
        for call in calls { #expect(try await call.value == 2) }
        #expect(rig.sent("/token") == 1)
    }

    @Test(.heavy) func aThousandCallsThatAreRefusedForeverEndAfterTwoRefreshes() async throws {
        let server = TokenServer(uses: 0)
        let rig = try await TokenRig(server, concurrency: 1_000).logIn()
        rig.stub.hold()
        let calls = (0..<1_000).map { number in Task { try await rig.get("/\(number)") } }
        try await rig.stub.received(count: 1_000)
        rig.stub.release()
        for call in calls {
            let error = await failure { _ = try await call.value }
            #expect(error?.code == .unacceptableStatus)
            #expect(error?.status == .unauthorized)
            #expect((1...3).contains(error?.attempts ?? 0))
        }
        #expect(server.refreshes == 2)
        #expect(server.faults == [])
    }

    @Test func replaysGoAheadOfNewCalls() async throws {
        let rig = try await TokenRig(concurrency: 3).logIn()
        rig.server.expire()
        rig.stub.hold()
        let first = (0..<3).map { number in Task { try await rig.get("/old-\(number)") } }
        try await rig.stub.received(count: 3)
        let new = (0..<20).map { number in Task { try await rig.get("/new-\(number)") { $0.priority = .high } } }
        await eventually { rig.events("queued") == 20 }
        rig.stub.release()
        for call in first + new { #expect(try await call.value == 1) }
        let paths = rig.stub.requests.map(\.url.path)
        let refresh = try #require(paths.firstIndex(of: "/token"))
        // New calls that had a slot before the refusal was known may be among those before the refresh.
        let replays = paths.indices.filter { $0 > refresh && paths[$0].hasPrefix("/old") }
        let news = paths.indices.filter { $0 > refresh && paths[$0].hasPrefix("/new") }
        #expect(replays.count == 3)
        // No new call reaches the server after the refresh before the last replay has a slot of its own.
        #expect(replays.allSatisfy { replay in news.count { $0 < replay } <= 2 })
    }

    @Test(.heavy, arguments: 0..<24)
    func anyInterleavingOfCallsCancellationsAndExpiryLandsEachOnce(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let server = TokenServer(uses: Int.random(in: 1...9, using: &generator))
        let rig = try await TokenRig(server, concurrency: Int.random(in: 1...16, using: &generator)).logIn()
        let plans = (0..<120).map { number in
            (number: number, delay: Int.random(in: 0...40, using: &generator), isCancelled: Int.random(in: 0..<5, using: &generator) == 0)
        }
        let ends = await withTaskGroup(of: String.self) { group in
            for plan in plans {
                group.addTask {
                    for _ in 0..<plan.delay { await Task.yield() }
                    let call = Task { try await rig.get("/\(plan.number)") }
                    if plan.isCancelled {
                        for _ in 0..<(plan.delay * 3) { await Task.yield() }
                        call.cancel()
                    }
                    do { return "\(try await call.value)" } catch is CancellationError { return plan.isCancelled ? "cancelled" : "wrongly cancelled" } catch {
                        return "\(error)"
                    }
                }
            }
            return await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(ends.count == 120)
        // Also with fewer uses to a token than calls in flight.
        #expect(ends.allSatisfy { $0 == "1" || $0 == "cancelled" }, "\(ends.filter { $0 != "1" && $0 != "cancelled" }.prefix(3))")
        #expect(server.faults == [])
    }
}
