#if SQLite
import GRDB
public import TarmacCore

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
///   damaged is deleted; of a file that holds a cache alone the last copy stays. While another process has the file open, this is refused
///   instead. Damage that shows while the file is in use leaves a mark (`shop.db-suspect`), and the next one to open it reads all of it.
/// - Delete none of `shop.db-wal`, `shop.db-shm` and `shop.db-lock` while a process has the file open.
/// - `shop.db-reserve`, 512 KiB, is room for the day the disk is full: opening the file and emptying a cache need some.
/// - A file that cannot be opened for writing is opened for reading (``isReadOnly``), if that is sound.
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
    /// Whether it could only be opened for reading: its folder or file system cannot be written, or the disk is full and the file was
    /// closed before. A cache answers from it what it can; stores that must be written refuse it.
    public let isReadOnly: Bool
    /// Of a file that is written. It goes before the pool, whose last connection puts the log into the file.
    let eye: DatabaseReader?
    /// For the stores of this target: reads go side by side, writes one after another.
    let pool: DatabasePool
    /// Whether no other process, and nobody else in this one, had the file open when this was made: what a process has left
    /// behind in it is a dead one's.
    let wasOpenedAlone: Bool
    private let lock: DatabaseLock?
    private let takenOver = Locked<Set<String>>([])
    private let sawDamage = Locked(false)
    private let wasRemoved = Locked(false)

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
        let check = checksWhole ? Check.content : .schema
        let opened: Opened
        do { opened = try Self.openForUse(path, durability, check) } catch {
            guard error.isOfWriting, let readable = Self.openForReading(path, check) else { throw error }
            opened = readable
        }
        (pool, lock, wasOpenedAlone, isReadOnly) = (opened.pool, opened.lock, opened.wasAlone, opened.isReadOnly)
        eye = opened.eye
        if let event = opened.event { onEvent?(event) }
    }

    /// Opens a file that is there, for a look: one that is damaged is refused and stays where it is.
    ///
    /// Throws `TarmacError(.storeFailed)`.
    public init(inspecting path: String) throws(TarmacError) {
        self.path = path
        guard !FileDescriptor.isMissing(path) else { throw TarmacError(.storeFailed, "there is no database \(path)") }
        let opened: Opened
        do { opened = try Self.openForLook(path) } catch {
            guard error.isOfWriting, let readable = Self.openForReading(path, .schema) else { throw error }
            opened = readable
        }
        (pool, lock, wasOpenedAlone, isReadOnly) = (opened.pool, opened.lock, opened.wasAlone, opened.isReadOnly)
        eye = nil
    }

    /// Closes the file now instead of with its last store, which then fails. Waits for what is being read and written. Whoever
    /// opens it next may find it alone.
    public func close() throws(TarmacError) {
        // Connections that read, closed after the one that writes, would leave the log behind: its content belongs into the file.
        pool.releaseMemory()
        let eyes = Result { try eye?.close() }
        do {
            try pool.close()
            lock?.giveBack()
            try eyes.get()
        } catch { throw .store(path, error) }
    }

    /// Removes the file, unless somebody else has it open; whether it is gone. The next one to open it begins anew, even while this one goes
    /// on with what it was, of which nothing is left when it is closed.
    func removeFile() -> Bool {
        guard let lock else { return false }
        guard lock.take() else {
            // The one may be lost by asking for the other.
            _ = lock.share()
            return false
        }
        // The file first: SQLite leaves a log alone whose file has no name any more.
        guard FileDescriptor.unlinkFile(path) else { return false }
        for suffix in ["-wal", "-shm"] { FileDescriptor.removeFile(path + suffix) }
        wasRemoved.withLock { $0 = true }
        lock.giveBack()
        return true
    }

    public var description: String { "database \(path)" }

    /// Whether a store may take over what a dead process has left behind: once for each name.
    func takesOverOnce(_ name: String) -> Bool { wasOpenedAlone && takenOver.withLock { $0.insert(name).inserted } }

    /// Whether its file has no name any more: what is written is gone with this.
    var isRemoved: Bool { wasRemoved.withLock { $0 } }

    /// Whether damage has shown since it was opened.
    var isDamaged: Bool { sawDamage.withLock { $0 } }

    /// Whether that is news.
    func noteDamage() -> Bool {
        sawDamage.withLock { saw in
            defer { saw = true }
            return !saw
        }
    }
}
#endif
