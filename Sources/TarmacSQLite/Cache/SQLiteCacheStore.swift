#if SQLite
import GRDB
public import TarmacCache
public import TarmacCore

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
/// - Apple's backups leave the file out (YTK-31), unless it holds the tables of an outbox too, which must not be lost: give a cache
///   a file of its own.
/// - With a sealer nothing that was asked or answered stands in the file in the clear. A file that was written without it, or
///   under a key that is gone, is emptied first.
/// - What cannot be removed because the file cannot be written is shown to nobody, and goes with the next write that works.
///   Unless the process ends before, which is why ``remove(_:)`` throws all the same.
///
/// What goes wrong is thrown as `TarmacError(.storeFailed)`. Calls go on uncached and are told of a fault once, and once that
/// it is over: when as much can be written as could not.
public final class SQLiteCacheStore: CacheStore, InPlaceCacheStore, CustomStringConvertible {
    struct State {
        var uses: CacheUses
        var evictions = 0
        var corruptions = 0
        var notices: [CacheNotice] = []
        var health = CacheHealth()
        var owed = OwedRemovals()
        /// Made with the first body that is written in chunks.
        var lease: CacheLease?

        init(clock: @escaping @Sendable () -> Date = { Date() }) { uses = CacheUses(clock: clock) }
    }

    /// What entries may take together, in bytes; the file may be somewhat larger. No entry takes more than a quarter of it.
    public let limit: Int64
    /// For how long an entry is kept that nobody asks for; `nil` for ever.
    public let maximumAge: Duration?
    let database: SQLiteDatabase
    let veil: CacheKeyDigester
    let state: Locked<State>
    /// Bodies up to this size stand in their entry's row and come along with a lookup.
    static let inlineLimit = 64 << 10

    /// Makes the tables if they are missing. It blocks for the disk.
    ///
    /// - Parameters:
    ///   - limit: in bytes. Default 200 MiB.
    ///   - maximumAge: what was not used for so long goes, a few at a time with each entry that is stored. Default 30 days; `nil`:
    ///     nothing goes by age.
    ///   - sealer: encrypts entries and bodies. Default: none.
    /// - Throws: `TarmacError(.storeFailed)`.
    public convenience init(
        _ database: SQLiteDatabase, limit: Int64 = 200 << 20, maximumAge: Duration? = .seconds(30 * 86_400), sealer: (any Sealer)? = nil
    ) throws(TarmacError) {
        try self.init(database, limit: limit, maximumAge: maximumAge, sealer: sealer, clock: { Date() })
    }

    init(
        _ database: SQLiteDatabase, limit: Int64, maximumAge: Duration?, sealer: (any Sealer)?, backups: BackupExclusion = BackupExclusion(),
        clock: @escaping @Sendable () -> Date
    ) throws(TarmacError) {
        self.database = database
        self.limit = max(0, limit)
        self.maximumAge = maximumAge
        state = Locked(State(clock: clock))
        database.forgetOlderDamage()
        if database.isReadOnly { try DatabaseSchema.cache.check(database) } else { try DatabaseSchema.cache.prepare(database) }
        let fault: TarmacError?
        (veil, fault) = try database.putInOrder(limit: self.limit, sealer, now: state.withLock { $0.uses.present })
        CacheLease.sweep(database.path)
        database.markForBackups(backups)
        if let fault { state.withLock { $0.note($0.health.noteWrite(of: 1, works: false), database, fault) } }
    }

    /// For a look into the file of a program that may be running or have died: nothing is swept, and a damaged file is refused,
    /// not moved aside.
    ///
    /// - Parameter sealer: what the file was sealed with. Without it ``isShut`` tells whether one is needed.
    /// - Throws: `TarmacError(.storeFailed)`, also when there is no cache in the file.
    public init(inspecting path: String, sealer: (any Sealer)? = nil) throws(TarmacError) {
        database = try SQLiteDatabase(inspecting: path)
        maximumAge = nil
        state = Locked(State())
        try DatabaseSchema.cache.check(database)
        do {
            (veil, limit) = try database.pool.read { (try $0.veil(sealer) ?? .shut, try $0.storedLimit() ?? 0) }
        } catch { throw .store(path, error) }
    }

    public var name: String { "sqlite" }
    public var isDurable: Bool { true }
    public var isSealed: Bool { veil.isSealed }
    public var tellsByNotices: Bool { true }
    public var description: String { "cache in \(database)" }
    /// Whether the file is sealed and its key is not here: entries can be counted, and removed all together.
    public var isShut: Bool { veil.isShut }

    // MARK: Reading

    public func lookup(_ key: CacheKey) async throws -> CacheLookup {
        var lookup = CacheLookup()
        for row in try rows(at: veil.name(key.text)) {
            switch row.open(veil) {
            case .entry(let entry) where entry.key == key && !row.isBodyDamaged:
                if let body = try? row.inlineBody(veil) {
                    lookup.records.append(CacheRecord(entry, body: body))
                } else if row.body == nil {
                    lookup.records.append(CacheRecord(entry))
                } else {
                    discard(row.id)
                }
            // A key that was put away makes a miss of what it sealed, and no fault.
            case .sealed: discard(row.id)
            case .entry, .damaged:
                lookup.wasCorrupt = true
                throwAway(row.id)
            }
        }
        let owed = state.withLock { $0.owed }
        if !owed.isEmpty { lookup.records.removeAll { owed.contains($0.entry) } }
        return lookup
    }

    private static let rowsSQL = "SELECT \(CacheRow.columns) FROM cache_entry WHERE place = ?"

    private func rows(at place: String) throws -> [CacheRow] {
        try looking { connection in
            let statement = try connection.cachedStatement(sql: Self.rowsSQL)
            let cursor = try Row.fetchCursor(statement, arguments: [place])
            var rows: [CacheRow] = []
            while let row = try cursor.next() { rows.append(try CacheRow(row)) }
            return rows
        }
    }

    public func body(of entry: CacheEntry) async throws -> ResponseBody? {
        // A body of one chunk comes along.
        let sql = """
            SELECT \(CacheRow.columns), CASE WHEN length <= ? THEN (SELECT bytes FROM cache_chunk WHERE body = body_number AND number = 0) END,
            (SELECT sum FROM cache_chunk WHERE body = body_number AND number = 0) FROM cache_entry WHERE id = ?
            """
        let found = try looking { connection in
            let statement = try connection.cachedStatement(sql: sql)
            let cursor = try Row.fetchCursor(statement, arguments: [SQLiteCacheWriter.chunkSize, Int64(bitPattern: entry.id)])
            return try cursor.next().map { row in
                (row: try CacheRow(row), chunk: try row.withUnsafeData(atIndex: 6) { $0.map { [UInt8]($0) } }, sum: CacheSum.value(row[7]))
            }
        }
        guard let found, let stored = found.row.entry(veil), stored.key == entry.key, !state.withLock({ $0.owed.contains(stored) }) else { return nil }
        if found.row.isBodyDamaged || found.chunk.map({ !CacheSum.fits(found.sum, $0) }) ?? false {
            throwAway(entry.id)
            return nil
        }
        touch(entry)
        guard let number = found.row.bodyNumber else { return try? found.row.inlineBody(veil).map { .bytes($0) } }
        if let chunk = found.chunk { return (try? veil.open(Bytes(chunk), as: .chunk(body: number, number: 0))).map { .bytes($0) } }
        return .stream(ByteStream { [self] in CacheBodySource(self, of: entry.id, body: number, length: stored.bodyLength) })
    }

    public func touch(_ entry: CacheEntry) {
        guard state.withLock({ $0.uses.note(entry.id) }) else { return }
        // LIFETIME: ends with one transaction.
        Task { try? await noteUses() }
    }

    /// Nothing is to make room now, so the order among those of the last minutes need not be written: each use of a row that
    /// stands by itself costs a page.
    func noteUses() async throws {
        let uses = state.withLock { $0.uses.take() }
        try await writing { try $0.apply(uses, unlessWithin: CacheUses.grain) }
    }

    /// Returns once everything is in the file, and throws when that cannot be.
    public func flush() async throws {
        let (uses, owed) = state.withLock { ($0.uses.take(), $0.owed) }
        if uses.isEmpty, owed.isEmpty { return }
        try await writing { try $0.apply(uses) }
    }

    /// A damaged one. The first is told; how many there were says ``statistics()``.
    func throwAway(_ id: UInt64) {
        state.withLock { state in
            state.corruptions += 1
            if state.corruptions == 1 { state.tell(CacheNotice(.corrupt, "an entry in \(database.path) was damaged")) }
        }
        discard(id)
    }

    /// Nobody is shown it any more, and it goes without anybody's wait.
    private func discard(_ id: UInt64) {
        state.withLock { $0.owed.add(.entry(id)) }
        // LIFETIME: ends with one transaction.
        Task { try? await flush() }
    }
}
#endif
