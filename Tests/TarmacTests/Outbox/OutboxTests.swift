#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox

/// Mutations that are stored, and sent until the server has them: in order, under one key, lane by lane (field §3 wish 11).
@Suite(.timeLimit(.minutes(5))) struct OutboxTests {
    // MARK: Order and keys

    @Test func everythingIsSentInOrderUnderKeysOfItsOwn() async throws {
        let rig = try OutboxRig()
        for number in 0..<20 { try await rig.outbox.enqueue(CreateOrder(number: number)) }
        #expect(rig.stub.requests.isEmpty)
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == Array(0..<20))
        #expect(Set(rig.keys).count == 20)
        #expect(try await rig.stored().isEmpty)
    }

    @Test func repeatCarriesTheSameKeyAndBody() async throws {
        let rig = try OutboxRig([.status(503), .fails(.connectionLost, .receiving)])
        let changes = rig.outbox.changes
        rig.outbox.start()
        try await rig.outbox.enqueue(CreateOrder(number: 7))
        for _ in 0..<2 {
            #expect(await changes.nextPostponed() != nil)
            rig.time.advance(by: .seconds(300))
        }
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [7, 7, 7])
        #expect(Set(rig.keys).count == 1)
    }

    @Test func severalAreStoredAtOnceAndInOrder() async throws {
        let rig = try OutboxRig()
        let ids = try await rig.outbox.enqueue(contentsOf: (0..<50).map { CreateOrder(number: $0) }, lane: "orders")
        #expect(try await rig.stored().map(\.id) == ids)
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == Array(0..<50))
    }

    @Test func keyOfTheAppIsKept() async throws {
        let rig = try OutboxRig()
        rig.outbox.start()
        try await rig.outbox.enqueue(CreateOrder(number: 1)) { $0.idempotencyKey = .value("order-1") }
        await rig.outbox.waitUntilIdle()
        #expect(rig.keys == ["order-1"])
    }

    @Test func sameKeyIsOneEntry() async throws {
        let rig = try OutboxRig()
        let first = try await rig.outbox.enqueue(CreateOrder(number: 1)) { $0.idempotencyKey = .value("order-1") }
        let again = try await rig.outbox.enqueue(CreateOrder(number: 1)) { $0.idempotencyKey = .value("order-1") }
        let elsewhere = try await rig.outbox.enqueue(CreateOrder(number: 1), lane: "other") { $0.idempotencyKey = .value("order-1") }
        #expect(first == again)
        #expect(elsewhere != first)
        #expect(try await rig.stored().count == 2)
    }

    @Test func anotherMutationUnderAKnownKeyIsRefused() async throws {
        let rig = try OutboxRig()
        try await rig.outbox.enqueue(CreateOrder(number: 1)) { $0.idempotencyKey = .value("order-1") }
        let error = await #expect(throws: TarmacError.self) {
            try await rig.outbox.enqueue(CreateOrder(number: 2)) { $0.idempotencyKey = .value("order-1") }
        }
        #expect(error?.code == .invalidOption)
    }

    @Test(arguments: [["new", "order-1"], ["order-1", "new"], ["new", "twice", "twice"]])
    func takenKeyLeavesNothingOfItsBatchBehind(keys: [String]) async throws {
        let rig = try OutboxRig()
        let changes = rig.outbox.changes
        try await rig.outbox.enqueue(KeyedOrder(number: 1, key: "order-1"))
        let batch = keys.enumerated().map { KeyedOrder(number: 10 + $0.offset, key: $0.element) }
        let error = await #expect(throws: TarmacError.self) { try await rig.outbox.enqueue(contentsOf: batch) }
        #expect(error?.code == .invalidOption)
        #expect(try await rig.stored().count == 1)
        // What was not taken in is as if it had never been: told to nobody, and its keys are free.
        let ids = try await rig.outbox.enqueue(contentsOf: [KeyedOrder(number: 10, key: "new"), KeyedOrder(number: 1, key: "order-1")])
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1, 10])
        var enqueued: [OutboxEntry.ID?] = []
        await rig.outbox.shutdown()
        for await change in changes { if case .enqueued = change.kind { enqueued.append(change.id) } }
        #expect(enqueued == [ids[1], ids[0]])
    }

    // MARK: Lanes

    @Test func failingHeadHoldsItsLaneAlone() async throws {
        let rig = try OutboxRig([.fails(.connectionRefused)]) { $0.lanesAtOnce = 1 }
        try await rig.outbox.enqueue(contentsOf: [CreateOrder(number: 1), CreateOrder(number: 2)], lane: "a")
        try await rig.outbox.enqueue(contentsOf: [CreateOrder(number: 8), CreateOrder(number: 9)], lane: "b")
        let changes = rig.outbox.changes
        rig.outbox.start()
        #expect(await changes.nextPostponed() != nil)
        try await rig.stub.received(count: 3)
        #expect(Array(rig.numbers[1...]) == [8, 9])
        rig.time.advance(by: .seconds(300))
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1, 8, 9, 1, 2])
    }

    @Test func lanesGoSideBySideUpToTheLimit() async throws {
        let rig = try OutboxRig { $0.lanesAtOnce = 3 }
        rig.stub.hold()
        for lane in 0..<5 { try await rig.outbox.enqueue(contentsOf: [CreateOrder(number: lane), CreateOrder(number: lane)], lane: "\(lane)") }
        rig.outbox.start()
        try await rig.stub.received(count: 3)
        #expect(Set(rig.numbers) == [0, 1, 2])
        rig.stub.release()
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers.sorted() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4])
    }

    @Test func workersThatHaveFinishedAreReaped() async throws {
        let rig = try OutboxRig { $0.lanesAtOnce = 3 }
        for lane in 0..<500 { try await rig.outbox.enqueue(CreateOrder(number: lane), lane: "\(lane)") }
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers.count == 500)
        #expect(rig.outbox.core.workers.mostKept == 3)
    }

    @Test func longLaneLetsOthersHaveTheirTurn() async throws {
        let rig = try OutboxRig { $0.lanesAtOnce = 1 }
        try await rig.outbox.enqueue(contentsOf: (0..<100).map { CreateOrder(number: $0) }, lane: "long")
        try await rig.outbox.enqueue(CreateOrder(number: 777), lane: "short")
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(try #require(rig.numbers.firstIndex(of: 777)) <= 100)
        #expect(rig.numbers.filter { $0 != 777 } == Array(0..<100))
    }

    // MARK: Giving up

    @Test func deadLetterHoldsItsLaneUntilItIsResent() async throws {
        let rig = try OutboxRig([.status(422)])
        let changes = rig.outbox.changes
        rig.outbox.start()
        try await rig.outbox.enqueue(contentsOf: [CreateOrder(number: 1), CreateOrder(number: 2)])
        let failure = await changes.nextBuried()
        #expect(failure?.kind == .refused)
        #expect(failure?.status == 422)
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1])
        let dead = try await rig.outbox.entries(.deadLetters)
        #expect(dead.count == 1)
        #expect(dead.first?.failure == failure)
        #expect(dead.first?.attempts == 1)
        #expect(try await rig.outbox.resend() == 1)
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1, 1, 2])
        #expect(Set(rig.keys).count == 2)
    }

    @Test func deadLetterLetsOthersPassIfTheRuleSaysSo() async throws {
        let rig = try OutboxRig([.status(422)]) { $0.deadLetters = .skip }
        rig.outbox.start()
        try await rig.outbox.enqueue(contentsOf: [CreateOrder(number: 1), CreateOrder(number: 2)])
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1, 2])
        #expect(try await rig.outbox.entries(.deadLetters).count == 1)
    }

    @Test func attemptsThatArrivedAreCounted() async throws {
        let rig = try OutboxRig([.fails(.connectionRefused), .status(500), .fails(.connectionRefused), .status(500)]) { $0.maximumAttempts = 2 }
        let changes = rig.outbox.changes
        rig.outbox.start()
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        for _ in 0..<3 {
            #expect(await changes.nextPostponed() != nil)
            rig.time.advance(by: .seconds(300))
        }
        #expect(await changes.nextBuried()?.kind == .attemptsUsedUp)
        #expect(rig.numbers.count == 4)
    }

    @Test func expiredEntryIsBuriedUnsentAndLetsOthersPass() async throws {
        let rig = try OutboxRig()
        let changes = rig.outbox.changes
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1), lifetime: .seconds(60))
        try await rig.outbox.enqueue(CreateOrder(number: 2))
        rig.time.advance(by: .seconds(60))
        rig.outbox.start()
        #expect(await changes.nextBuried()?.kind == .expired)
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [2])
        // Who re-sends it wants it after all.
        try await rig.outbox.resend(OutboxFilter(ids: [id]))
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [2, 1])
    }

    @Test func expiryEndsAPause() async throws {
        let rig = try OutboxRig([.fails(.connectionRefused)]) { $0.base = .seconds(300) }
        let changes = rig.outbox.changes
        rig.outbox.start()
        try await rig.outbox.enqueue(CreateOrder(number: 1), lifetime: .seconds(2))
        #expect(await changes.nextPostponed() != nil)
        rig.time.advance(by: .seconds(2))
        #expect(await changes.nextBuried()?.kind == .expired)
        #expect(rig.numbers == [1])
    }

    @Test(.timeLimit(.minutes(5))) func expiryEndsAServersPauseToo() async throws {
        let rig = try OutboxRig([.status(503, [.retryAfter: "86400"])])
        let changes = rig.outbox.changes
        rig.outbox.start()
        try await rig.outbox.enqueue(CreateOrder(number: 1), lifetime: .seconds(30))
        try await rig.outbox.enqueue(CreateOrder(number: 2))
        #expect(await changes.nextPostponed() != nil)
        rig.time.advance(by: .seconds(30))
        #expect(await changes.nextBuried()?.kind == .expired)
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1, 2])
    }

    @Test func envelopesFailureIsNoSuccess() async throws {
        let envelope = Envelope(success: { $0["status"] == 1 }, code: "code", message: "message", retryable: [50_003])
        let service = Service("shop", hosts: [.production: "https://api.shop.example"]) { $0.envelope = envelope }
        let rig = try OutboxRig(
            [.json(#"{"status":0,"code":50003}"#), .json(#"{"status":0,"code":7,"message":"sold out"}"#)], service: service)
        let changes = rig.outbox.changes
        rig.outbox.start()
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        #expect(await changes.nextPostponed() != nil)
        rig.time.advance(by: .seconds(300))
        let failure = await changes.nextBuried()
        #expect(failure?.serverCode == "7")
        #expect(failure?.serverMessage == "sold out")
    }

    // MARK: Waking

    @Test func serversPauseIsWaitedForEvenWhenTheNetworkReturns() async throws {
        let rig = try OutboxRig([.status(503, [.retryAfter: "30"])])
        let changes = rig.outbox.changes
        rig.outbox.start()
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        #expect(await changes.nextPostponed() != nil)
        rig.time.advance(by: .seconds(29))
        rig.outbox.connectivityReturned()
        try await rig.time.hasSleepers()
        #expect(rig.numbers == [1])
        rig.time.advance(by: .seconds(2))
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1, 1])
    }

    @Test func returnOfTheNetworkEndsPauses() async throws {
        let rig = try OutboxRig([.fails(.cannotFindHost), .fails(.cannotFindHost)]) {
            $0.base = .seconds(300)
            $0.lanesAtOnce = 1
        }
        let changes = rig.outbox.changes
        rig.outbox.start()
        try await rig.outbox.enqueue(CreateOrder(number: 1), lane: "a")
        try await rig.outbox.enqueue(CreateOrder(number: 2), lane: "b")
        for _ in 0..<2 { #expect(await changes.nextPostponed() != nil) }
        rig.outbox.connectivityReturned()
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers.count == 4)
        #expect(try await rig.stored().isEmpty)
    }

    @Test func pausedOutboxTakesInAndSendsNothing() async throws {
        let rig = try OutboxRig()
        rig.outbox.start()
        rig.outbox.pause()
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        try await rig.time.hasSleepers()
        #expect(rig.numbers.isEmpty)
        rig.outbox.resume()
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1])
    }

    @Test func entriesOfAnotherEnvironmentWaitForIt() async throws {
        let rig = try OutboxRig()
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        rig.client.environment = .test
        try await rig.outbox.enqueue(CreateOrder(number: 2))
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(rig.stub.requests.map(\.url.string) == ["https://test.shop.example/orders"])
        rig.client.environment = .production
        rig.outbox.wake()
        await rig.outbox.waitUntilIdle()
        #expect(rig.stub.requests.last?.url.string == "https://api.shop.example/v1/orders")
    }

    // MARK: Sharing

    @Test func twoOutboxesOnOneStoreSendEachEntryOnce() async throws {
        let store = MemoryOutboxStore()
        let one = try OutboxRig(store: store), other = try OutboxRig(store: store, seed: 6)
        for number in 0..<60 { try await one.outbox.enqueue(CreateOrder(number: number), lane: "\(number % 3)") }
        one.outbox.start()
        other.outbox.start()
        try await eventually(trying: {
            one.outbox.wake()
            other.outbox.wake()
            return try await one.stored().isEmpty
        })
        #expect((one.numbers + other.numbers).sorted() == Array(0..<60))
    }

    @Test func leaseOfALongAttemptIsRenewed() async throws {
        let patient = Service("shop", hosts: [.production: "https://api.shop.example"]) {
            $0.timeout = .unlimited
            $0.idleTimeout = .unlimited
        }
        let rig = try OutboxRig(service: patient) { $0.attemptTime = .unlimited }
        let other = OutboxLease(
            owner: "other", environment: "production", now: rig.time.date + 119, until: rig.time.date + 150, count: 1, longestPause: .seconds(10_000))
        rig.stub.hold()
        rig.outbox.start()
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        try await rig.stub.received()
        for _ in 0..<5 {
            try await rig.time.hasSleepers()
            let before = try await rig.store.records(.all, limit: 1).first?.leasedUntil
            rig.time.advance(by: .seconds(20))
            try await eventually(trying: { try await rig.store.records(.all, limit: 1).first?.leasedUntil != before })
        }
        #expect(try await rig.store.lease(other).records.isEmpty)
        rig.stub.release()
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1])
    }
}
