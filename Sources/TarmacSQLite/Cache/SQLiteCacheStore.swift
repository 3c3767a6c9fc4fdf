#if SQLite
import GRDB
public import TarmacCache
@_spi(TarmacRooms) public import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A store that keeps cached responses in a SQLite file.
///
/// ```swift
/// let database = try SQLiteDatabase(path: caches + "/answers.db", durability: .consistent, checksWhole: false)
/// let store = try SQLiteCacheStore(database, limit: 200 << 20)
/// let client = Client(transport: .urlSession, services: [.shop]) { $0.cacheStore = .store(store) }
/// ```
/// - An entry and its body become visible in one transaction. Large bodies are written in chunks before, which are not
///   visible. Chunks that a crashed process has left are removed when the store is opened.
/// - Reads never wait for writes. The least recently used entries are removed to make room. Uses are written in
///   batches.
/// - Several processes may share the file.
/// - Apple's backups exclude the file, unless it also holds the tables of an outbox. Give a cache a file of its own.
/// - With a sealer, no request or response is readable in the file. A file that was written without it, or with a key
///   that is missing, is emptied first.
/// - An entry that cannot be removed, because the file cannot be written, is hidden and removed with the next
///   successful write. It reappears if the process ends before, which is why ``remove(_:)`` still throws.
///
/// Errors are thrown as `TarmacError(.storeFailed)`. Calls then continue without the cache. A notice reports a fault
/// once, and once when it is over: when as much could be written as had failed before.
public final class SQLiteCacheStore: CacheStore, InPlaceCacheStore, CustomStringConvertible {
    struct State {
        var uses: CacheUses
        var evictions = 0
        var corruptions = 0
        var notices: [CacheNotice] = []
        var health = CacheHealth()
        var owed = OwedRemovals()
        /// The lease, created with the first body that is written in chunks.
        var lease: CacheLease?

        init(clock: @escaping @Sendable () -> Date = { Date() }) { uses = CacheUses(clock: clock) }
    }

    /// The largest total size of all entries, in bytes. The file may be somewhat larger, and one entry has at most a
    /// quarter.
    public let limit: Int64
    /// The time without use after which an entry is removed; `nil` for no limit.
    public let maximumAge: Duration?
    let database: SQLiteDatabase
    let veil: CacheKeyDigester
    let state: Locked<State>
    /// The largest body in bytes that is stored in its entry's row, and read with a lookup.
    static let inlineLimit = 64 << 10

    /// Creates a store, and its tables if they are missing. It blocks on the disk.
    ///
    /// - Parameters:
    ///   - database: The database file.
    ///   - limit: The largest total size in bytes. Default: 200 MiB.
    ///   - maximumAge: The time without use after which entries are removed, a few with each stored entry. Default: 30
    ///     days; `nil` for no limit.
    ///   - sealer: Encrypts entries and bodies. Default: none.
    /// - Throws: `TarmacError(.storeFailed)`; `TarmacError(.invalidOption)` if `limit` or `maximumAge` is negative.
    public convenience init(
        _ database: SQLiteDatabase, limit: Int64 = 200 << 20, maximumAge: Duration? = .seconds(30 * 86_400), sealer: (any Sealer)? = nil
    ) throws(TarmacError) {
        try self.init(database, limit: limit, maximumAge: maximumAge, sealer: sealer, clock: { Date() })
    }

    init(
        _ database: SQLiteDatabase, limit: Int64, maximumAge: Duration?, sealer: (any Sealer)?, backups: BackupExclusion = BackupExclusion(),
        clock: @escaping @Sendable () -> Date
    ) throws(TarmacError) {
        if limit < 0 { throw TarmacError(.invalidOption, "the limit of the cache in \(database.path) is \(limit) bytes") }
        if let maximumAge, maximumAge < .zero { throw TarmacError(.invalidOption, "the maximum age of the cache in \(database.path) is negative") }
        self.database = database
        self.limit = limit
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

    /// Creates a store for inspecting the file of a program that may be running or have crashed.
    ///
    /// No leftovers are removed, and a damaged file is refused instead of moved aside.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - sealer: The sealer of the file. Without it, ``isShut`` tells whether one is needed.
    /// - Throws: `TarmacError(.storeFailed)`, also if there is no cache in the file.
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
    /// Whether the file is sealed with a missing key: entries can then be counted, and only be removed all together.
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
            // A removed key makes its entries misses, and is no fault.
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
        // A body of one chunk is read with its entry.
        let sql = """
            SELECT \(CacheRow.columns), CASE WHEN length <= ? THEN (SELECT bytes FROM cache_chunk WHERE body = body_number AND number = 0) END,
            (SELECT sum FROM cache_chunk WHERE body = body_number AND number = 0) FROM cache_entry WHERE id = ?
            """
        let found = try looking { connection in
            let statement = try connection.cachedStatement(sql: sql)
            let cursor = try Row.fetchCursor(statement, arguments: [ChunkedBody.chunkSize, Int64(bitPattern: entry.id)])
            return try cursor.next().map { row in
                (row: try CacheRow(row), chunk: try row.withUnsafeData(atIndex: 6) { $0.map { [UInt8]($0) } }, sum: CacheSum.value(row.read(7)))
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

    /// Writes the noted uses. No entry is being removed, so the order of the last minutes is not written: each use of a
    /// row costs a page.
    func noteUses() async throws {
        let uses = state.withLock { $0.uses.take() }
        try await writing { try $0.apply(uses, unlessWithin: CacheUses.grain) }
    }

    /// Writes all noted uses and removals to the file. Throws if that fails.
    public func flush() async throws {
        let (uses, owed) = state.withLock { ($0.uses.take(), $0.owed) }
        if uses.isEmpty, owed.isEmpty { return }
        try await writing { try $0.apply(uses) }
    }

    /// Removes a damaged entry. The first one is reported in a notice; ``statistics()`` counts them all.
    func throwAway(_ id: UInt64) {
        state.withLock { state in
            state.corruptions += 1
            if state.corruptions == 1 { state.tell(CacheNotice(.corrupt, "an entry in \(database.path) was damaged")) }
        }
        discard(id)
    }

    /// Hides an entry and removes it in the background.
    private func discard(_ id: UInt64) {
        state.withLock { $0.owed.add(.entry(id)) }
        // LIFETIME: ends with one transaction.
        Task { try? await flush() }
    }
}
#endif
