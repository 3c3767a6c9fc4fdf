import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox

/// The clock of the device changes while an entry is on its way. An entry in the hands of this process is not free, whatever its lease says.
@Suite("Outbox: the clock", .timeLimit(.minutes(5)))
struct OutboxClockTests {
    static let jumps: [Double] = [-86_400, -3_600, -599, -30, 30, 61, 599, 86_400]

    @Test(arguments: jumps) func anEntryOnItsWayCannotBeEdited(jump: Double) async throws {
        let gate = Watched(false), rig = try OutboxRig([.waits(gate)])
        rig.outbox.start()
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        try await rig.stub.received(count: 1)
        rig.time.setDate(rig.time.date + jump)
        let error = await #expect(throws: TarmacError.self) { try await rig.outbox.edit(id) { $0.body = Bytes(#"{"number":7}"#) } }
        #expect(error?.code == .outboxEntryUnavailable)
        gate.update { $0 = true }
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1])
        await rig.outbox.shutdown()
    }

    @Test(arguments: jumps) func anEntryOnItsWayIsNotSentAgain(jump: Double) async throws {
        let gate = Watched(false), rig = try OutboxRig([.waits(gate)])
        rig.outbox.start()
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1), lane: "a")
        try await rig.stub.received(count: 1)
        rig.time.setDate(rig.time.date + jump)
        _ = try await rig.outbox.resend(OutboxFilter(ids: [id]))
        // The outbox has looked at its store when another lane's entry is sent.
        try await rig.outbox.enqueue(CreateOrder(number: 2), lane: "b")
        try await rig.stub.received(count: 2)
        #expect(rig.numbers.sorted() == [1, 2])
        gate.update { $0 = true }
        await rig.outbox.shutdown()
    }

    /// The outbox leases the first of the lane again. That lease ends with the result, which leases the second.
    @Test(arguments: [-86_400, 61, 599, 86_400] as [Double]) func theSecondOfALaneIsSentWhenTheFirstWasLeasedAgain(jump: Double) async throws {
        let gate = Watched(false), rig = try OutboxRig([.waits(gate)])
        rig.outbox.start()
        try await rig.outbox.enqueue(CreateOrder(number: 1), lane: "a")
        try await rig.outbox.enqueue(CreateOrder(number: 2), lane: "a")
        try await rig.stub.received(count: 1)
        rig.time.setDate(rig.time.date + jump)
        try await rig.outbox.enqueue(CreateOrder(number: 3), lane: "b")
        try await rig.stub.received(count: 2)
        gate.update { $0 = true }
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1, 3, 2])
        #expect(try await rig.stored().isEmpty)
        #expect(rig.outbox.core.held.isEmpty)
        await rig.outbox.shutdown()
    }

    /// The first of the lane was dropped on its way, so that two workers serve the lane.
    @Test(arguments: jumps) func theSecondOfALaneIsSentOnce(jump: Double) async throws {
        let first = Watched(false), second = Watched(false), rig = try OutboxRig([.waits(first), .waits(second)])
        rig.outbox.start()
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        try await rig.outbox.enqueue(CreateOrder(number: 2))
        try await rig.stub.received(count: 1)
        try await rig.outbox.drop(OutboxFilter(ids: [id]))
        try await rig.stub.received(count: 2)
        rig.time.setDate(rig.time.date + jump)
        first.update { $0 = true }
        await eventually { !rig.outbox.core.holds(id) }
        second.update { $0 = true }
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1, 2])
        #expect(try await rig.stored().isEmpty)
        await rig.outbox.shutdown()
    }

    /// Another process edits an entry whose lease has ended by its clock.
    @Test(arguments: [61, 700, -172_800] as [Double], [true, false]) func anEditElsewhereIsNotLost(jump: Double, looksAgain: Bool) async throws {
        let gate = Watched(false), store = MemoryOutboxStore()
        let rig = try OutboxRig([.waits(gate)], store: store), other = try OutboxRig(store: store, seed: 6)
        rig.outbox.start()
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        try await rig.stub.received(count: 1)
        other.time.setDate(other.time.date + jump)
        try await other.outbox.edit(id, key: .mint) { $0.body = Bytes(#"{"number":7}"#) }
        if looksAgain {
            // It leases the entry again.
            try await rig.outbox.enqueue(CreateOrder(number: 2), lane: "b")
            try await rig.stub.received(count: 2)
        }
        gate.update { $0 = true }
        guard case .sent = try await rig.outbox.outcome(of: id) else { return #expect(Bool(false), "it was not sent") }
        #expect(rig.numbers == (looksAgain ? [1, 2, 7] : [1, 7]))
        await rig.outbox.waitUntilIdle()
        #expect(try await rig.stored().isEmpty)
        for one in [rig, other] { await one.outbox.shutdown() }
    }

    /// A worker may settle an entry while it is leased again.
    @Test func whatWasSettledMeanwhileIsNotTakenUp() async throws {
        let rig = try OutboxRig(), core = rig.outbox.core
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        let leased = try await rig.store.lease(core.lease(count: 1)).records
        _ = try await rig.store.settle(id, as: .sent, owner: core.owner, then: nil)
        #expect(core.takeUp(leased, heldBefore: [id]).isEmpty)
        await core.settleOverdue()
        #expect(core.held.isEmpty)
        #expect(core.takeUp(leased, heldBefore: []).count == 1)
        #expect(core.takeUp(leased, heldBefore: [id]).isEmpty)
    }

    /// The next attempt has a date of the clock that was ahead.
    @Test(arguments: [600, 3_600, 72_000, 2_592_000] as [Double]) func aPauseSetByAClockThatWasAheadIsNotWaitedFor(ahead: Double) async throws {
        let rig = try OutboxRig([.status(503)]), date = rig.time.date, changes = rig.outbox.changes
        rig.time.setDate(date + ahead)
        rig.outbox.start()
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        #expect(await changes.nextPostponed() != nil)
        rig.time.setDate(date)
        rig.outbox.wake()
        try await rig.stub.received(count: 2)
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1, 1])
        await rig.outbox.shutdown()
    }

    @Test(arguments: [600, 3_600, 72_000, 2_592_000] as [Double]) func anEntryEnqueuedWhileTheClockWasAheadIsNotWaitedFor(ahead: Double) async throws {
        let rig = try OutboxRig(), date = rig.time.date
        rig.time.setDate(date + ahead)
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        rig.time.setDate(date)
        rig.outbox.start()
        try await rig.stub.received()
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1])
        await rig.outbox.shutdown()
    }
}
