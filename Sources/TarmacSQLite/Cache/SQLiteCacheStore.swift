#if SQLite
import GRDB
public import Tarmac

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Cached answers in a SQLite file.
///
/// ```swift
/// let database = try SQLiteDatabase(path: caches + "/answers.db", durability: .consistent, checksWhole: false)
/// $0.cacheStore = .store(try SQLiteCacheStore(database, limit: 200 << 20))
/// ```
/// - An entry and its body become visible in one transaction. Large bodies are written in chunks before, which nobody sees; what
///   a dead process has left of them is swept when the store is opened.
/// - Reading never waits for writing. What was not used for longest makes room; uses are written many at a time.
/// - Several processes may share the file.
/// - With a sealer nothing that was asked or answered stands in the file in the clear. A file that was written without it, or
///   under a key that is gone, is emptied first.
///
/// What goes wrong is thrown as `TarmacError(.storeFailed)` once, until something has worked again: calls go on uncached.
public final class SQLiteCacheStore: CacheStore, CustomStringConvertible {
    struct State {
        var uses = CacheUses()
        var evictions = 0
        var corruptions = 0
        var notices: [CacheNotice] = []
        var isFailing = false
    }

    /// What entries may take together, in bytes; the file may be somewhat larger. No entry takes more than a quarter of it.
    public let limit: Int64
    let database: SQLiteDatabase
    let veil: CacheVeil
    let state = Locked(State())
    /// Bodies up to this size stand in their entry's row and come along with a lookup.
    static let inlineLimit = 64 << 10

    /// Makes the tables if they are missing. It blocks for the disk.
    ///
    /// - Parameters:
    ///   - limit: in bytes. Default 200 MiB.
    ///   - sealer: encrypts entries and bodies. Default: none.
    /// - Throws: `TarmacError(.storeFailed)`.
    public init(_ database: SQLiteDatabase, limit: Int64 = 200 << 20, sealer: (any Sealer)? = nil) throws(TarmacError) {
        self.database = database
        self.limit = max(0, limit)
        try DatabaseSchema.cache.prepare(database)
        do {
            let sweepsAll = database.takesOverOnce("cache")
            veil = try database.pool.write { [limit = self.limit] connection in
                let veil = try connection.veil(sealer)
                try connection.sweepPending(all: sweepsAll)
                _ = try connection.evict(limit: limit, keeping: nil)
                return veil
            }
        } catch { throw .store(database.path, error) }
    }

    public var name: String { "sqlite" }
    public var isDurable: Bool { true }
    public var isSealed: Bool { veil.isSealed }
    public var description: String { "cache in \(database)" }

    // MARK: Reading

    public func lookup(_ key: CacheKey) async throws -> CacheLookup {
        let place = veil.name(key.text)
        let rows = try await reading { connection in
            let statement = try connection.cachedStatement(sql: "SELECT \(CacheRow.columns) FROM cache_entry WHERE place = ?")
            return try Row.fetchAll(statement, arguments: [place]).map(CacheRow.init)
        }
        var lookup = CacheLookup()
        for row in rows ?? [] {
            guard let entry = row.entry(veil), entry.key == key, let record = try? CacheRecord(entry, body: row.inlineBody(veil)) else {
                lookup.wasCorrupt = true
                await discard(row.id)
                continue
            }
            lookup.records.append(record)
        }
        return lookup
    }

    public func body(of entry: CacheEntry) async throws -> ResponseBody? {
        let row = try await reading { connection in
            let statement = try connection.cachedStatement(sql: "SELECT \(CacheRow.columns) FROM cache_entry WHERE id = ?")
            return try Row.fetchOne(statement, arguments: [Int64(bitPattern: entry.id)]).map(CacheRow.init)
        }
        guard let row = row.flatMap(\.self), let stored = row.entry(veil), stored.key == entry.key else { return nil }
        touch(entry)
        if let number = row.bodyNumber {
            return .stream(ByteStream { [self] in CacheBodySource(self, body: number, length: stored.bodyLength) })
        }
        guard let body = try? row.inlineBody(veil) else {
            await discard(row.id)
            return nil
        }
        return .bytes(body)
    }

    public func touch(_ entry: CacheEntry) {
        guard state.withLock({ $0.uses.note(entry.id) }) else { return }
        // LIFETIME: ends with one transaction.
        Task { try? await writeUses() }
    }

    public func flush() async throws { try await writeUses() }

    private func writeUses() async throws {
        let uses = state.withLock { $0.uses.take() }
        if uses.isEmpty { return }
        _ = try await writing { try $0.apply(uses) }
    }

    private func discard(_ id: UInt64) async {
        state.withLock { state in
            state.corruptions += 1
            state.notices.append(CacheNotice(.corrupt, "an entry in \(database.path) was damaged or cannot be opened"))
            state.notices = state.notices.suffix(16)
        }
        _ = try? await writing { try $0.execute(sql: "DELETE FROM cache_entry WHERE id = ?", arguments: [Int64(bitPattern: id)]) }
    }

    // MARK: Writing

    @discardableResult
    public func publish(_ entry: CacheEntry, body: Bytes) async throws -> Bool {
        var entry = entry
        entry.bodyLength = Int64(body.count)
        if body.count > Self.inlineLimit {
            guard let writer = try await makeWriter(for: entry) else { return false }
            do {
                try await writer.append(body)
                return try await writer.publish(entry)
            } catch {
                await writer.abort()
                throw error
            }
        }
        return try await publish(try NewCacheRow(entry, body: body, bodyNumber: nil, veil))
    }

    func publish(_ row: NewCacheRow) async throws -> Bool {
        let (uses, now) = state.withLock { ($0.uses.take(), $0.uses.now()) }
        // What does not fit still takes the place of what it was to replace.
        let fits = row.size <= limit / 4
        let gone = try await writing { [veil, limit] connection in
            try connection.apply(uses)
            if let number = row.bodyNumber {
                try connection.execute(sql: "DELETE FROM cache_pending WHERE body = ?", arguments: [number])
                // Swept meanwhile: its chunks are gone.
                guard connection.changesCount > 0 else { return -1 }
            }
            try connection.insert(row, used: now, veil)
            if !fits { try connection.execute(sql: "DELETE FROM cache_entry WHERE id = ?", arguments: [Int64(bitPattern: row.entry.id)]) }
            return try connection.evict(limit: limit, keeping: row.entry.id)
        }
        guard let gone, gone >= 0 else { return false }
        state.withLock { $0.evictions += gone }
        return fits
    }

    public func makeWriter(for entry: CacheEntry) async throws -> (any CacheWriter)? {
        entry.bodyLength > limit / 4 ? nil : SQLiteCacheWriter(self)
    }

    @discardableResult
    public func update(_ entry: CacheEntry) async throws -> Bool {
        let length = try await reading { connection in
            try Int64.fetchOne(connection, sql: "SELECT length FROM cache_entry WHERE id = ?", arguments: [Int64(bitPattern: entry.id)])
        }
        guard let length = length.flatMap(\.self) else { return false }
        var entry = entry
        entry.bodyLength = length
        let row = try NewCacheRow(entry, body: nil, bodyNumber: nil, veil)
        return try await writing { [veil] in try $0.update(row, veil) } ?? false
    }

    @discardableResult
    public func remove(_ selection: CacheSelection) async throws -> Int {
        let conditions = CacheConditions(selection, veil)
        let removed = try await writing { [veil] connection in
            if conditions.isWhole {
                try connection.execute(sql: "DELETE FROM cache_entry WHERE \(conditions.sql)", arguments: conditions.arguments)
                return connection.changesCount
            }
            let sql = "SELECT \(CacheRow.columns) FROM cache_entry WHERE \(conditions.sql)"
            var ids: [Int64] = []
            let rows = try Row.fetchCursor(connection, sql: sql, arguments: conditions.arguments)
            while let row = try rows.next().map(CacheRow.init) {
                if let entry = row.entry(veil), selection.contains(entry) { ids.append(Int64(bitPattern: row.id)) }
            }
            for id in ids { try connection.cachedStatement(sql: "DELETE FROM cache_entry WHERE id = ?").execute(arguments: [id]) }
            return ids.count
        }
        return removed ?? 0
    }

    // MARK: For tools

    public func list(_ selection: CacheSelection, after id: UInt64?, limit: Int) async throws -> [CacheEntry] {
        let conditions = CacheConditions(selection, veil)
        var entries: [CacheEntry] = []
        var last = id.map { Int64(bitPattern: $0) }
        while entries.count < limit {
            let arguments = conditions.arguments + [last, last]
            let rows = try await database.read { connection in
                let sql = "SELECT id, head, NULL, body_number FROM cache_entry WHERE \(conditions.sql) AND (? IS NULL OR id > ?) ORDER BY id LIMIT 256"
                return try Row.fetchAll(connection, sql: sql, arguments: arguments).map(CacheRow.init)
            }
            guard let end = rows.last else { break }
            last = Int64(bitPattern: end.id)
            entries += rows.compactMap { $0.entry(veil) }.filter { selection.contains($0) }
        }
        return Array(entries.prefix(max(0, limit)))
    }

    public func statistics() async throws -> CacheStatistics {
        let sums = try await database.read { connection in
            try Row.fetchOne(connection, sql: "SELECT entries, bytes FROM cache_total").map { (entries: $0[0] as Int, bytes: $0[1] as Int64) }
        }
        var statistics = CacheStatistics()
        statistics.entries = sums?.entries ?? 0
        statistics.bytes = sums?.bytes ?? 0
        statistics.limit = limit
        (statistics.evictions, statistics.corruptions) = state.withLock { ($0.evictions, $0.corruptions) }
        return statistics
    }

    public func takeNotices() -> [CacheNotice] {
        state.withLock { state in
            defer { state.notices = [] }
            return state.notices
        }
    }
}
#endif
