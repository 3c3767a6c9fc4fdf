#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacSupport
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox

/// A store that does not answer holds no caller beyond its deadline or its cancellation.
@Suite("An outbox store that hangs", .timeLimit(.minutes(5)))
struct HungOutboxStoreTests {
    /// A store whose appending waits for the test.
    private final class Store: OutboxStore {
        private let memory = MemoryOutboxStore()
        let asked = Watched(0)
        let isOpen = Watched(false)
        var isDurable: Bool { true }

        func append(_ records: [OutboxRecord], known: Set<OutboxEntry.ID>, limit: Int) async throws -> OutboxAppended {
            asked.update { $0 += 1 }
            try await isOpen.wait { $0 }
            return try memory.append(records, known: known, limit: limit)
        }
        func lease(_ lease: OutboxLease) async throws -> OutboxLeased { memory.lease(lease) }
        func settle(
            _ id: OutboxEntry.ID, as settlement: OutboxSettlement, owner: String, then lease: OutboxLease?
        ) async throws -> (isOwners: Bool, OutboxLeased) { memory.settle(id, as: settlement, owner: owner, then: lease) }
        func renew(owner: String, until: Date) async throws { memory.renew(owner: owner, until: until) }
        func release(owner: String) async throws { memory.release(owner: owner) }
        func records(_ filter: OutboxFilter, limit: Int) async throws -> [OutboxRecord] { memory.records(filter, limit: limit) }
        func replace(_ id: OutboxEntry.ID, payload: Bytes, isSealed: Bool, fingerprint: String, now: Date) async throws -> Bool {
            try memory.replace(id, payload: payload, isSealed: isSealed, fingerprint: fingerprint, now: now)
        }
        func revive(_ filter: OutboxFilter, now: Date) async throws -> [OutboxRecord] { memory.revive(filter, now: now) }
        func remove(_ filter: OutboxFilter) async throws -> [OutboxRecord] { memory.remove(filter) }
    }

    private let store = Store()

    @Test func anEnqueueEndsAtItsDeadline() async throws {
        let rig = try OutboxRig(store: store)
        let late = Task { try await rig.outbox.enqueue(CreateOrder(number: 1)) { $0.deadline = .seconds(5) } }
        try await store.asked.wait { $0 == 1 }
        try await rig.time.hasSleepers()
        rig.time.advance(by: .seconds(5))
        let error = await #expect(throws: TarmacError.self) { try await late.value }
        #expect(error?.code == .deadlineExceeded)
        store.isOpen.update { $0 = true }
    }

    @Test func anEnqueueEndsWhenItIsCancelled() async throws {
        let rig = try OutboxRig(store: store)
        let call = Task { try await rig.outbox.enqueue(CreateOrder(number: 1)) }
        try await store.asked.wait { $0 == 1 }
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        store.isOpen.update { $0 = true }
    }

    /// A key makes a second attempt safe, whether or not the first was stored.
    @Test func aLateAnswerStoresTheEntryOnce() async throws {
        let rig = try OutboxRig(store: store)
        let call = Task { try await rig.outbox.enqueue(KeyedOrder(number: 1, key: "k")) }
        try await store.asked.wait { $0 == 1 }
        call.cancel()
        _ = await call.result
        store.isOpen.update { $0 = true }
        let id = try await rig.outbox.enqueue(KeyedOrder(number: 1, key: "k"))
        await eventually { rig.outbox.core.questions.isEmpty }
        let entries = try await rig.stored()
        #expect(entries.map(\.id) == [id])
    }

    @Test func aStoreThatHasNotAnsweredForLongIsAskedNothing() async throws {
        let rig = try OutboxRig(store: store)
        let first = Task { try await rig.outbox.enqueue(CreateOrder(number: 1)) }
        try await store.asked.wait { $0 == 1 }
        rig.time.advance(by: OutboxCore.storeLimit)
        let error = await #expect(throws: TarmacError.self) { try await rig.outbox.enqueue(CreateOrder(number: 2)) }
        #expect(error?.code == .storeFailed && store.asked.value == 1)
        store.isOpen.update { $0 = true }
        _ = try await first.value
        await eventually { rig.outbox.core.questions.isEmpty }
        try await rig.outbox.enqueue(CreateOrder(number: 2))
        #expect(try await rig.stored().count == 2)
    }
}
