#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacOutbox
import TarmacSQLite
import TarmacTesting

/// An entry of a new lane, enqueued and sent while other lanes wait for their next attempt.
struct GrowthOutboxLanes: GrowthWork {
    enum Store: String, CaseIterable {
        case memory, sqlite = "SQLite"
    }

    let store: Store
    var name: String { "lanes of an outbox, \(store.rawValue)" }
    var unit: String { "an entry enqueued and sent" }
    var sizes: [Int] { [100, 1_000, 10_000] }

    func prepare(size: Int) async throws -> @Sendable () async throws -> Void {
        let shop = Service("shop", hosts: [.production: "https://shop.example"])
        let client = Client(transport: .stub(StubTransport { _ in .status(.ok) }), services: [shop])
        let store = try makeStore()
        let records = (0..<size).map { Self.waiting($0, of: shop) }
        _ = try await store.append(records, limit: .max)
        let outbox = try Outbox(client: client, store: store, rule: OutboxRule { $0.maximumEntries = 1_000_000 })
        outbox.start()
        return {
            let id = try await outbox.enqueue(.post("/orders"), lane: UUID().uuidString)
            _ = try await outbox.outcome(of: id)
            // The outbox does not keep its client.
            withExtendedLifetime(client) {}
        }
    }

    private func makeStore() throws -> any OutboxStore {
        switch store {
        case .memory: return MemoryOutboxStore()
        case .sqlite:
            let path = FileManager.default.temporaryDirectory.path + "/growth-\(UUID().uuidString).db"
            return try SQLiteOutboxStore(SQLiteDatabase(path: path))
        }
    }

    /// Returns an entry that waits for an attempt in four minutes.
    static func waiting(_ number: Int, of service: Service) -> OutboxRecord {
        OutboxRecord(
            id: OutboxEntry.ID(rawValue: "\(number)"),
            lane: OutboxLane(service: service.name, environment: ServiceEnvironment.production.name, name: "\(number)"), fingerprint: "\(number)",
            payload: .empty, isSealed: false, state: .waiting, created: Date(), expires: nil, nextAttempt: Date() + 240, notBefore: nil, attempts: 1,
            arrivals: 1, failure: nil, leasedUntil: nil, holdsLane: false)
    }
}
#endif
