#if SQLite
import GRDB
public import Tarmac

/// A SQLite file that stores of TarmacSQLite share: each makes its own tables in it.
///
/// ```swift
/// let database = try SQLiteDatabase(path: folder + "/shop.db")
/// let outbox = try Outbox(store: SQLiteOutboxStore(database), client: client)
/// ```
/// - The file is for its user alone (mode 0600), and so are SQLite's files beside it. One that others may read, that belongs
///   to someone else, or that is a symbolic link is refused.
/// - More than one process may have it open: it is in WAL mode, and each waits for the other's writing, up to 5 s.
/// - A damaged file is moved aside (`shop.db.damaged-…`), a new one takes its place, and the event says so. Nothing that was
///   damaged is deleted. While another process has the file open, this is refused instead. Damage that shows while the file
///   is in use leaves a mark (`shop.db-suspect`), and the next one to open it reads all of it.
/// - Delete none of `shop.db-wal`, `shop.db-shm` and `shop.db-lock` while a process has the file open.
/// - Large bodies of an outbox lie in the folder `shop.db-outbox`: who moves or copies the file takes it along.
///
/// All that fails is thrown as `TarmacError(.storeFailed)`. The file is closed with the last store on it.
public final class SQLiteDatabase: Sendable, CustomStringConvertible {
    /// What a loss of power may take. The end of the process, however sudden, takes nothing in either case.
    public enum Durability: Sendable {
        /// Nothing that was written: each transaction waits for the disk (`synchronous = FULL`, with `fullfsync` where that is
        /// more). For what cannot be had again, such as an outbox.
        case full
        /// The last transactions, never the file's consistency (`synchronous = NORMAL`). For what can, such as a cache.
        case consistent
    }

    /// What may happen to a file besides being read and written.
    public enum Event: Sendable {
        /// The file was damaged; it lies at `movedTo` now, and an empty one has taken its place.
        case damaged(path: String, movedTo: String, reason: String)
    }

    /// Where the file is.
    public let path: String
    /// For the stores of this target: reads go side by side, writes one after another.
    let pool: DatabasePool
    /// Whether no other process, and nobody else in this one, had the file open when this was made: what a process has left
    /// behind in it is a dead one's.
    let wasOpenedAlone: Bool
    private let lock: DatabaseLock
    private let takenOver = Locked<Set<String>>([])
    private let sawDamage = Locked(false)

    /// Opens the file, or makes it; its folder must exist.
    ///
    /// It blocks: for the disk, and up to 5 s for another process that is opening the file.
    ///
    /// - Parameters:
    ///   - durability: what a loss of power may take. Default: nothing.
    ///   - checksWhole: whether all of the file is read for damage each time, instead of its head and schema alone. Default:
    ///     yes; for large caches it takes time.
    ///   - onEvent: hears of a damaged file before this returns.
    public init(
        path: String, durability: Durability = .full, checksWhole: Bool = true, onEvent: (@Sendable (Event) -> Void)? = nil
    ) throws(TarmacError) {
        self.path = path
        let file = DatabaseFile(path: path)
        var event: Event?
        var wasOpenedAlone = false
        (pool, lock) = try file.whileLocked { isAlone throws(TarmacError) in
            wasOpenedAlone = isAlone
            try file.prepare()
            let check: Check = file.isSuspect ? .everything : checksWhole ? .content : .schema
            do {
                let pool = try Self.open(path, durability, check)
                file.clearSuspicion()
                return pool
            } catch  where error.isDamage {
                // Those who have it open would go on writing into what was moved.
                guard isAlone else { throw .store(path, error) }
                let place = try file.moveAside()
                event = .damaged(path: path, movedTo: place, reason: error.shown)
                try file.prepare()
            } catch { throw .store(path, error) }
            do { return try Self.open(path, durability, .schema) } catch { throw .store(path, error) }
        }
        self.wasOpenedAlone = wasOpenedAlone
        if let event { onEvent?(event) }
    }

    /// Opens a file that is there, for a look: one that is damaged is refused and stays where it is.
    ///
    /// Throws `TarmacError(.storeFailed)`.
    public init(inspecting path: String) throws(TarmacError) {
        self.path = path
        let file = DatabaseFile(path: path)
        guard !FileDescriptor.isMissing(path) else { throw TarmacError(.storeFailed, "there is no database \(path)") }
        (pool, lock) = try file.whileLocked { _ throws(TarmacError) in
            try file.prepare()
            do { return try Self.open(path, .full, .schema) } catch {
                throw .store(path, error, onDamage: "the program whose file it is moves a damaged one aside when it opens it")
            }
        }
        wasOpenedAlone = false
    }

    /// Closes the file now instead of with its last store, which then fails. Waits for what is being read and written. Whoever
    /// opens it next may find it alone.
    public func close() throws(TarmacError) {
        do { try pool.close() } catch { throw .store(path, error) }
        lock.giveBack()
    }

    public var description: String { "database \(path)" }

    /// Whether a store may take over what a dead process has left behind: once for each name.
    func takesOverOnce(_ name: String) -> Bool { wasOpenedAlone && takenOver.withLock { $0.insert(name).inserted } }

    /// Whether damage has shown since it was opened.
    var isDamaged: Bool { sawDamage.withLock { $0 } }

    /// Whether that is news.
    func noteDamage() -> Bool {
        sawDamage.withLock { saw in
            defer { saw = true }
            return !saw
        }
    }

    /// What is read of a file before it is used.
    private enum Check: String {
        case schema = "SELECT CASE WHEN count(*) >= 0 THEN 'ok' END FROM sqlite_schema"
        case content = "PRAGMA quick_check(1)"
        case everything = "PRAGMA integrity_check(1)"
    }

    private static func open(_ path: String, _ durability: Durability, _ check: Check) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "tarmac"
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { database in
            // What the file holds may have been put there by somebody else: nothing in its schema runs code.
            try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
            // Takes effect in a new file only, before its first table. In any other it writes all the same, which begins a log as the
            // pool would with more; where there is one, a full disk would refuse it for nothing.
            if !database.configuration.readonly, !DatabaseFile(path: path).hasLog { try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
            // Readers wait for nobody but those who put a log in order after a crash.
            if database.configuration.readonly { try database.execute(sql: "PRAGMA busy_timeout = 1000") }
        }
        let pool = try DatabasePool(path: path, configuration: configuration)
        try pool.writeWithoutTransaction { database in
            // The pool has set NORMAL with WAL mode. It writes through this one connection, so it holds for all.
            if durability == .full { try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON") }
            try database.execute(sql: "PRAGMA journal_size_limit = \(4 << 20)")
            guard let answer = try String.fetchOne(database, sql: check.rawValue), answer != "ok" else { return }
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: answer)
        }
        return pool
    }
}
#endif
