import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacOutbox
import TarmacTesting
import Testing

@testable import TarmacSQLite

/// What a change makes stale is known to the process that sends it, whichever process enqueued it.
@Suite("Outbox: stale responses after a relaunch", .timeLimit(.minutes(5)))
struct OutboxStaleRelaunchTests {
    private let folder = TemporaryFolder()

    private struct List: Endpoint {
        typealias Value = [Int]
        static let route: Route = .get("/notes")
        func configure(_ options: inout Options) { options.cache = .ttl(.seconds(600)) }
    }

    private struct Delete: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .delete("/notes/{id}")
        var id: Int
        func configure(_ options: inout Options) { options.makesStale = [.endpoint(List.self)] }
    }

    @Test func theListIsAskedForAgain() async throws {
        let notes = Locked([1, 2]), isOnline = Locked(true)
        let stub = StubTransport { request in
            guard isOnline.withLock({ $0 }) else { throw TarmacError(.cannotFindHost, phase: .connecting, "the test says so") }
            guard request.method == .delete else { return try .json(encoding: notes.withLock { $0 }) }
            notes.withLock { $0 = [2] }
            return .status(.noContent)
        }
        func open() throws -> (SQLiteDatabase, Client, Outbox) {
            let database = try SQLiteDatabase(path: folder.path + "/notes.db"), store = try SQLiteCacheStore(database)
            let client = Client(transport: .stub(stub), services: [Service("notes", host: "https://notes.example")]) { $0.cacheStore = .store(store) }
            return (database, client, try Outbox(client: client, store: SQLiteOutboxStore(database)))
        }
        do {
            let (database, client, outbox) = try open()
            #expect(try await client.send(List()) == [1, 2])
            isOnline.withLock { $0 = false }
            try await outbox.enqueue(Delete(id: 1))
            #expect(try await client.send(List()) == [1, 2])
            await client.shutdown()
            try database.close()
        }
        isOnline.withLock { $0 = true }
        let (database, client, outbox) = try open()
        #expect(try await client.send(List()) == [1, 2])
        outbox.start()
        await outbox.waitUntilIdle()
        isOnline.withLock { $0 = false }
        let offline = try await client.landed(for: List())
        #expect(offline.value == [1, 2] && offline.source == .staleCache)
        isOnline.withLock { $0 = true }
        #expect(try await client.send(List()) == [2])
        await client.shutdown()
        try database.close()
    }
}
