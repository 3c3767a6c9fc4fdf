#if SQLite
import Foundation
import TarmacOutbox
import TarmacSQLite
import TarmacTesting
import Testing

import Tarmac

/// Clocks that jump or differ while an entry is on its way.
@Suite("Outbox in SQLite: the clock", .timeLimit(.minutes(5)))
struct SQLiteOutboxClockTests {
    private struct Order: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .post("/orders")
        var number: Int
    }

    private struct Rig {
        let time = ManualTime(date: Date(timeIntervalSince1970: 1_700_000_000))
        let stub: StubTransport
        let client: Client
        let outbox: Outbox

        /// - Parameter gate: Holds the answer to the first request.
        init(_ path: String, _ gate: Watched<Bool>) throws {
            let count = Watched(0)
            stub = StubTransport { _ in
                count.update { $0 += 1 }
                if count.value == 1 { try await gate.wait { $0 } }
                return .status(.ok)
            }
            client = Client(transport: .stub(stub), services: [Service("shop", host: "https://s.example")], time: time)
            outbox = try Outbox(client: client, store: SQLiteOutboxStore(SQLiteDatabase(path: path)))
        }

        var numbers: [Int] { stub.requests.compactMap { Int(String(decoding: $0.body.buffered?.array ?? [], as: UTF8.self).filter(\.isNumber)) } }
    }

    private let folder = TemporaryFolder()

    @Test(arguments: [0, 61, 700, -172_800] as [Double]) func anEntryOnItsWayThatIsResentIsSentOnce(jump: Double) async throws {
        let gate = Watched(false), rig = try Rig(folder.path + "/shop.db", gate)
        rig.outbox.start()
        let id = try await rig.outbox.enqueue(Order(number: 1))
        try await rig.stub.received(count: 1)
        rig.time.setDate(rig.time.date + jump)
        try await rig.outbox.resend(OutboxFilter(ids: [id]))
        gate.update { $0 = true }
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1])
        #expect(try await rig.outbox.entries().isEmpty)
        await rig.client.shutdown()
    }

    @Test(arguments: [61, 700, -172_800] as [Double]) func anEditElsewhereIsNotLost(jump: Double) async throws {
        let path = folder.path + "/shop.db", gate = Watched(false), rig = try Rig(path, gate), other = try Rig(path, Watched(true))
        rig.outbox.start()
        let id = try await rig.outbox.enqueue(Order(number: 1))
        try await rig.stub.received(count: 1)
        other.time.setDate(other.time.date + jump)
        try await other.outbox.edit(id, key: .mint) { $0.body = Bytes(#"{"number":7}"#) }
        gate.update { $0 = true }
        guard case .sent = try await rig.outbox.outcome(of: id) else { return #expect(Bool(false), "it was not sent") }
        #expect(rig.numbers == [1, 7])
        for one in [rig, other] { await one.client.shutdown() }
    }
}
#endif
