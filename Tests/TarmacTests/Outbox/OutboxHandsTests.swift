#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox

/// A store frees an entry before its worker knows that the result is stored. The outbox may lease the entry in between, and sends it then.
@Suite("Outbox: entries in hands", .timeLimit(.minutes(5)))
struct OutboxHandsTests {
    /// A store in memory that settles at once, and answers as often as the test lets it.
    private final class LateStore: OutboxStore {
        private let memory = MemoryOutboxStore()
        let settled = Watched<[OutboxEntry.ID]>([])
        let answers = Watched(Int.max)
        let looks = Watched(0)
        var isDurable: Bool { false }

        func settle(
            _ id: OutboxEntry.ID, as settlement: OutboxSettlement, owner: String, then lease: OutboxLease?
        ) async throws -> (isOwners: Bool, OutboxLeased) {
            let answer = memory.settle(id, as: settlement, owner: owner, then: lease)
            let number = settled.update { settled in
                settled.append(id)
                return settled.count
            }
            try await answers.wait { number <= $0 }
            return answer
        }
        func append(_ records: [OutboxRecord], known: Set<OutboxEntry.ID>, limit: Int) async throws -> OutboxAppended {
            try memory.append(records, known: known, limit: limit)
        }
        func lease(_ lease: OutboxLease) async throws -> OutboxLeased {
            defer { looks.update { $0 += 1 } }
            return memory.lease(lease)
        }
        func renew(owner: String, until: Date) async throws { memory.renew(owner: owner, until: until) }
        func release(owner: String) async throws { memory.release(owner: owner) }
        func records(_ filter: OutboxFilter, limit: Int) async throws -> [OutboxRecord] { memory.records(filter, limit: limit) }
        func replace(_ id: OutboxEntry.ID, payload: Bytes, isSealed: Bool, fingerprint: String, now: Date) async throws -> Bool {
            try memory.replace(id, payload: payload, isSealed: isSealed, fingerprint: fingerprint, now: now)
        }
        func revive(_ filter: OutboxFilter, now: Date) async throws -> [OutboxRecord] { memory.revive(filter, now: now) }
        func remove(_ filter: OutboxFilter) async throws -> [OutboxRecord] { memory.remove(filter) }
    }

    private let store = LateStore()

    /// Returns an outbox that has leased entries again whose first attempts have failed, and whose workers do not know yet that this is stored.
    private func rigThatHasLeasedAgain(_ count: Int) async throws -> OutboxRig {
        let rig = try OutboxRig(Array(repeating: .status(503), count: count), store: store) { $0.lanesAtOnce = 2 * count + 1 }
        store.answers.update { $0 = 0 }
        rig.outbox.start()
        for number in 0..<count { try await rig.outbox.enqueue(CreateOrder(number: number), lane: "\(number)") }
        try await store.settled.wait { $0.count == count }
        // The first pause is not longer. The entry of another lane wakes the loop, which leases the older entries first.
        rig.time.advance(by: .seconds(1))
        try await rig.outbox.enqueue(CreateOrder(number: count), lane: "other")
        try await rig.stub.received(count: count + 1)
        return rig
    }

    @Test(arguments: [1, 8]) func anEntryLeasedBeforeItsWorkerHasPutItDownIsSent(count: Int) async throws {
        let rig = try await rigThatHasLeasedAgain(count)
        store.answers.update { $0 = .max }
        try await rig.stub.received(count: 2 * count + 1)
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers.sorted() == (Array(0..<count) + Array(0...count)).sorted())
        #expect(try await rig.stored().isEmpty)
        #expect(rig.outbox.core.held.isEmpty)
        await rig.outbox.shutdown()
    }

    /// The loop looks while the worker does not know yet that the entry waits.
    @Test func aNetworkThatReturnsWhileAResultIsStoredEndsThePause() async throws {
        let rig = try OutboxRig([.status(503)], store: store)
        store.answers.update { $0 = 0 }
        rig.outbox.start()
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        try await store.settled.wait { $0.count == 1 }
        let looks = store.looks.value
        rig.outbox.connectivityReturned()
        try await store.looks.wait { $0 > looks }
        store.answers.update { $0 = .max }
        try await rig.stub.received(count: 2)
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1, 1])
        await rig.outbox.shutdown()
    }

    @Test func anEntryLeasedBeforeAPauseOfTheOutboxIsReleased() async throws {
        let rig = try await rigThatHasLeasedAgain(1)
        rig.outbox.pause()
        store.answers.update { $0 = .max }
        try await eventually(trying: { try await rig.stored().allSatisfy { !$0.isLeased } })
        await eventually { rig.outbox.core.held.isEmpty }
        #expect(rig.numbers == [0, 1])
        rig.outbox.resume()
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [0, 1, 0])
        await rig.outbox.shutdown()
    }

    /// A slow store does not hold up the loop, which leases the entries of the other lanes.
    @Test func entriesLeasedAgainAreLeasedByTheirWorkersSideBySide() async throws {
        let count = 4, rig = try await rigThatHasLeasedAgain(count)
        store.answers.update { $0 = count }
        // The result of the other lane's entry, and a release of each entry.
        try await store.settled.wait { $0.count == 2 * count + 1 }
        store.answers.update { $0 = .max }
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers.count == 2 * count + 1)
        #expect(try await rig.stored().isEmpty)
        await rig.outbox.shutdown()
    }

    @Test func anOverdueEntryLeasedWhileItIsSettledIsReleased() async throws {
        let rig = try OutboxRig(store: store), core = rig.outbox.core
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        let first = try await store.lease(core.lease(count: 1)).records
        let record = try #require(core.takeUp(first, heldBefore: []).first)
        core.keep(AttemptReport(record, .released))
        store.answers.update { $0 = 0 }
        async let settling: Void = core.settleOverdue()
        try await store.settled.wait { $0 == [id] }
        let second = try await store.lease(core.lease(count: 1)).records
        #expect(second.map(\.id) == [id])
        #expect(core.takeUp(second, heldBefore: [id]).isEmpty)
        store.answers.update { $0 = .max }
        await settling
        #expect(core.holds(id) && core.hasOverdue)
        await core.settleOverdue()
        #expect(!core.holds(id) && !core.hasOverdue)
        #expect(try await store.records(.all, limit: 1).map(\.leasedUntil) == [nil])
    }

    /// The entry was in hands before the lease, and is free after it.
    @Test func anEntryThatAnotherProcessHasLeasedMeanwhileIsLeftToIt() async throws {
        let rig = try OutboxRig(store: store), other = try OutboxRig(store: store, seed: 6), core = rig.outbox.core
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        let leased = try await store.lease(core.lease(count: 1)).records
        _ = try await store.settle(id, as: .released, owner: core.owner, then: nil)
        #expect(try await store.lease(other.outbox.core.lease(count: 1)).records.map(\.id) == [id])
        #expect(core.takeUp(leased, heldBefore: [id]).isEmpty)
        await core.settleOverdue()
        #expect(core.held.isEmpty)
        #expect(try await store.settle(id, as: .sent, owner: other.outbox.core.owner, then: nil).isOwners)
    }

    @Test func anEntryLeasedAgainIsPutDownAtTheSecondTry() {
        var hands = OutboxHands()
        let record = OutboxRecord(
            id: OutboxEntry.ID(rawValue: "1"), lane: OutboxLane(service: "shop", environment: "production", name: "1"), fingerprint: "1", payload: .empty,
            isSealed: false, created: .distantPast)
        let first = hands.takeUp(record), second = hands.takeUp(record)
        #expect(first && !second)
        let isDown = hands.putDown(record.id), isHeld = hands.holds(record.id)
        #expect(!isDown && isHeld)
        let isDownNow = hands.putDown(record.id), isHeldNow = hands.holds(record.id)
        #expect(isDownNow && !isHeldNow)
    }
}
