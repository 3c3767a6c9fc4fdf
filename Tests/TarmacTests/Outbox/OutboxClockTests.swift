import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
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
}
