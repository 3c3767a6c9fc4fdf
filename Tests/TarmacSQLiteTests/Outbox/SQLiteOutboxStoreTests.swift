#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import GRDB
import HTTPTypes
import Tarmac
import TarmacOutbox
import TarmacTesting
import Testing

@testable import TarmacSQLite

@Suite struct SQLiteOutboxStoreTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/shop.db" }
    private let start = Date(timeIntervalSince1970: 1_000_000_000)
    private let lane = OutboxLane(service: "shop", environment: "production", name: "main")

    @Test(arguments: OutboxStoreConformance.Case.allCases)
    func conforms(_ name: OutboxStoreConformance.Case) async throws {
        try await OutboxStoreConformance.run(name) { try SQLiteOutboxStore(SQLiteDatabase(path: path)) }
    }

    private func record(_ id: String) -> OutboxRecord {
        OutboxRecord(id: OutboxEntry.ID(rawValue: id), lane: lane, fingerprint: id, payload: Bytes("payload"), isSealed: false, created: start)
    }

    private func lease(_ owner: String, after seconds: Double = 0) -> OutboxLease {
        OutboxLease(
            owner: owner, environment: "production", lane: nil, now: start + seconds, until: start + seconds + 60, count: 10,
            longestPause: .seconds(3_600))
    }

    @Test func entriesOutliveTheFilesClosing() async throws {
        do {
            let database = try SQLiteDatabase(path: path)
            _ = try await SQLiteOutboxStore(database).append([record("1"), record("2")], limit: 10)
            try database.close()
        }
        let store = try SQLiteOutboxStore(SQLiteDatabase(path: path))
        #expect(try await store.records(.all, limit: 10).map(\.id.rawValue) == ["1", "2"])
    }

    @Test func accountOfAnEntryOutlivesTheFilesClosing() async throws {
        struct Logins: Authenticator {
            func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { throw CancellationError() }
        }
        let shop = Service("shop", hosts: [.production: "https://api.shop.example"]) { $0.authenticator = .init(Logins()) }
        let stub = StubTransport { _ in .status(.ok) }
        let client = Client(transport: .stub(stub), services: [shop])
        do {
            let database = try SQLiteDatabase(path: path)
            try await client[shop].logIn(AccessToken("ann-1", account: "ann"))
            let outbox = try Outbox(client: client, store: SQLiteOutboxStore(database))
            try await outbox.enqueue(.post("/orders", body: .bytes(Bytes("1"))))
            await outbox.shutdown()
            try database.close()
        }
        try await client[shop].logIn(AccessToken("bob-1", account: "bob"))
        let outbox = try Outbox(client: client, store: SQLiteOutboxStore(SQLiteDatabase(path: path)))
        #expect(try await outbox.entries().map(\.mutation?.account) == ["ann"])
        outbox.start()
        await outbox.waitUntilIdle()
        #expect(stub.requests.isEmpty)
        #expect(try await outbox.entries(.deadLetters).map(\.failure?.kind) == [.otherLogin])
        await client.shutdown()
    }

    @Test func largeBodyIsKeptBesideTheFile() async throws {
        let stub = StubTransport { _ in .status(.ok) }
        let client = Client(transport: .stub(stub), services: [Service("shop", host: "https://api.shop.example")])
        let source = folder.path + "/film", film = Data((0..<(2 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try film.write(to: URL(fileURLWithPath: source))
        do {
            let database = try SQLiteDatabase(path: path)
            let outbox = try Outbox(client: client, store: SQLiteOutboxStore(database))
            let id = try await outbox.enqueue(Upload(.file(source), to: InlineEndpoint<Void>.post("/films")))
            #expect(try FileManager.default.contentsOfDirectory(atPath: path + "-outbox") == [id.rawValue])
            await outbox.shutdown()
            try database.close()
        }
        try FileManager.default.removeItem(atPath: source)
        let outbox = try Outbox(client: client, store: SQLiteOutboxStore(SQLiteDatabase(path: path)))
        outbox.start()
        await outbox.waitUntilIdle()
        #expect(stub.requests.map(\.body.buffered) == [Bytes(film)])
        #expect(try FileManager.default.contentsOfDirectory(atPath: path + "-outbox").isEmpty)
        await client.shutdown()
    }

    @Test func numbersAreNeverUsedAgain() async throws {
        let store = try SQLiteOutboxStore(SQLiteDatabase(path: path))
        _ = try await store.append([record("1"), record("2")], limit: 10)
        _ = try await store.lease(lease("a"))
        let burial = OutboxSettlement.Burial(holdsLane: false, attempts: 1, arrivals: 1, failure: .empty)
        _ = try await store.settle(OutboxEntry.ID(rawValue: "1"), as: .buried(burial), owner: "a", then: nil)
        _ = try await store.remove(OutboxFilter(state: .waiting))
        _ = try await store.append([record("3")], limit: 10)
        #expect(try await store.records(.all, limit: 10).map(\.id.rawValue) == ["1", "3"])
    }

    @Test func leasesOfADeadProcessAreTakenOverAtOnce() async throws {
        do {
            // As a process that dies: the lease is never given back.
            let store = try SQLiteOutboxStore(SQLiteDatabase(path: path))
            _ = try await store.append([record("1")], limit: 10)
            #expect(try await store.lease(lease("dead")).records.count == 1)
        }
        let store = try SQLiteOutboxStore(SQLiteDatabase(path: path))
        #expect(try await store.lease(lease("b")).records.count == 1)
    }

    @Test func leasesOfALivingProcessAreKept() async throws {
        let living = try SQLiteOutboxStore(SQLiteDatabase(path: path))
        _ = try await living.append([record("1")], limit: 10)
        #expect(try await living.lease(lease("a")).records.count == 1)
        let other = try SQLiteOutboxStore(SQLiteDatabase(path: path))
        #expect(try await other.lease(lease("b")).records.isEmpty)
        withExtendedLifetime(living) {}
    }

    /// Its entries have no turn, which it does not know.
    @Test func entriesOfAProcessOfAnOlderVersionAreFoundWithinAMinute() async throws {
        let old = try SQLiteDatabase(path: path), older = try SQLiteOutboxStore(old)
        let store = try SQLiteOutboxStore(SQLiteDatabase(path: path))
        #expect(try await store.lease(lease("b")).records.isEmpty)
        _ = try await older.append([record("1")], limit: 10)
        try await old.pool.write { try $0.execute(sql: "UPDATE outbox_entry SET turn = NULL, turn_at = 0") }
        #expect(try await store.lease(lease("b", after: 59)).records.isEmpty)
        #expect(try await store.lease(lease("b", after: 60)).records.map(\.id.rawValue) == ["1"])
        withExtendedLifetime(older) {}
    }

    @Test func secondStoreOfOneDatabaseTakesNothingOver() async throws {
        let database = try SQLiteDatabase(path: path)
        let first = try SQLiteOutboxStore(database)
        _ = try await first.append([record("1")], limit: 10)
        #expect(try await first.lease(lease("a")).records.count == 1)
        #expect(try await SQLiteOutboxStore(database).lease(lease("b")).records.isEmpty)
    }

    @Test func damagedFileInUseIsLeftWhereItIs() async throws {
        let database = try SQLiteDatabase(path: path)
        _ = try await SQLiteOutboxStore(database).append((0..<500).map { record("\($0)") }, limit: 1_000)
        try await database.write { _ in }
        try database.close()
        // As another process that has it open holds it.
        let lock = try DatabaseLock(path)
        #expect(lock.share())
        try Damage.page.apply(to: path)
        let error = #expect(throws: TarmacError.self) { try SQLiteDatabase(path: path) }
        #expect(error?.code == .storeFailed)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { $0.contains("damaged") } == false)
        withExtendedLifetime(lock) {}
    }

    /// One process opens the file first and makes its store later, when another has begun to send.
    @Test func aStoreThatIsMadeLaterTakesNoLeaseOfTheLiving() async throws {
        let first = try SQLiteDatabase(path: path)
        let sending = try SQLiteOutboxStore(SQLiteDatabase(path: path))
        _ = try await sending.append([record("1")], limit: 10)
        #expect(try await sending.lease(lease("b")).records.count == 1)
        #expect(try await SQLiteOutboxStore(first).lease(lease("a", after: 1)).records.isEmpty)
    }

    @Test(arguments: [(99, "b"), (DatabaseSchema.outbox.steps.count, nil)] as [(Int, String?)])
    func leasesOfTheDeadAreReleasedAtTheOpeningUnlessTheTablesAreOfALaterVersion(version: Int, owner: String?) async throws {
        let database = try SQLiteDatabase(path: path), store = try SQLiteOutboxStore(database)
        _ = try await store.append([record("1")], limit: 10)
        _ = try await store.lease(lease("b"))
        try await database.pool.write { try $0.execute(sql: "UPDATE tarmac_schema SET version = ? WHERE name = 'outbox'", arguments: [version]) }
        try database.close()
        let next = try SQLiteDatabase(path: path)
        #expect(try await next.pool.read { try String.fetchOne($0, sql: "SELECT owner FROM outbox_entry") } == owner)
    }

    @Test(arguments: [-1, .min, 99]) func tablesOfNoKnownVersionAreAnError(version: Int) async throws {
        let database = try SQLiteDatabase(path: path)
        _ = try SQLiteOutboxStore(database)
        try await database.pool.write { try $0.execute(sql: "UPDATE tarmac_schema SET version = ? WHERE name = 'outbox'", arguments: [version]) }
        try database.close()
        let error = #expect(throws: TarmacError.self) { try SQLiteOutboxStore(SQLiteDatabase(path: path)) }
        #expect(error?.code == .storeFailed)
    }
}
