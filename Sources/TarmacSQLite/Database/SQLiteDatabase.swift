#if SQLite
import GRDB
@_spi(TarmacRooms) public import TarmacCore
import TarmacSupport

/// A SQLite file that the stores of TarmacSQLite share. Each store creates its own tables in it.
///
/// ```swift
/// let database = try SQLiteDatabase(path: folder + "/shop.db")
/// let outbox = try Outbox(client: client, store: SQLiteOutboxStore(database))
/// ```
/// - Only the owner can read the file (mode 0600) and SQLite's files beside it. A file that others can read, that
///   belongs to another user, or that is a symbolic link is refused.
/// - Several processes may open it. It is in WAL mode, and each waits up to 5 s for the writes of others.
/// - A damaged file is moved aside (`shop.db.damaged-…`) and replaced by a new one, which an event reports. Damaged
///   files are not deleted, except that only the last copy of a file with nothing but a cache is kept. If another
///   process has the file open, it is refused instead. Damage that is found during use leaves a mark
///   (`shop.db-suspect`), and the next process to open the file checks all of it.
/// - Do not delete `shop.db-wal`, `shop.db-shm` or `shop.db-lock` while a process has the file open.
/// - `shop.db-reserve`, 512 KiB, reserves space for a full disk, on which opening the file and emptying a cache need
///   some.
/// - A file that cannot be opened for writing is opened for reading (``isReadOnly``), if it is sound.
/// - Large bodies of an outbox are in the folder `shop.db-outbox`. Move or copy it with the file.
///
/// All errors are thrown as `TarmacError(.storeFailed)`. The file is closed when its last store is released.
public final class SQLiteDatabase: Sendable, CustomStringConvertible {
    /// The data that a loss of power may destroy. The end of the process, however sudden, never destroys any.
    public enum Durability: Sendable {
        /// A power loss undoes no transaction: each waits for the disk (`synchronous = FULL`, with `fullfsync` where that is stronger).
        /// For data that cannot be fetched again, such as an outbox.
        case full
        /// A power loss can undo the last transactions, and the file stays consistent (`synchronous = NORMAL`). For
        /// data that can be fetched again, such as a cache.
        case consistent
    }

    /// The events of a database file.
    public enum Event: Sendable {
        /// The file was damaged. It is now at `movedTo`, and an empty one has replaced it.
        case damaged(path: String, movedTo: String, reason: String)
    }

    /// The path of the file.
    public let path: String
    /// Whether the file could only be opened for reading.
    ///
    /// Its folder or file system cannot be written, or the disk is full and the file was closed before. A cache still
    /// answers from it; stores that must write refuse it.
    public let isReadOnly: Bool
    /// A connection for single reads of a writable file. It is closed before the pool, whose last connection merges the
    /// log.
    let reader: DatabaseReader?
    /// The connections of the stores: reads run concurrently, writes one after another.
    let pool: DatabasePool
    /// Whether no other connection, in any process, had the file open when this one opened it. Data that a process has
    /// left in it then belongs to a process that has ended.
    let wasOpenedAlone: Bool
    private let lock: DatabaseLock?
    private let sawDamage = Locked(false)
    private let wasRemoved = Locked(false)

    /// Opens the file, or creates it; its folder must exist.
    ///
    /// It blocks on the disk, and up to 5 s for another process that is opening the file.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - durability: The data that a loss of power may destroy. Default: none.
    ///   - checksWhole: Whether the whole file is checked for damage, instead of only its head and schema. Default:
    ///     `true`, which takes time for large caches.
    ///   - onEvent: Receives the event of a damaged file before the initializer returns.
    /// - Throws: `TarmacError(.storeFailed)`, or `TarmacError(.invalidOption)` for an empty path.
    public init(
        path: String, durability: Durability = .full, checksWhole: Bool = true, onEvent: (@Sendable (Event) -> Void)? = nil
    ) throws(TarmacError) {
        // SQLite would take it for a temporary database.
        if path.isEmpty { throw TarmacError(.invalidOption, "the path of the database is empty") }
        self.path = path
        let check = checksWhole ? Check.content : .schema
        let opened: Opened
        do { opened = try Self.openForUse(path, durability, check) } catch {
            guard error.isOfWriting, let readable = Self.openForReading(path, check) else { throw error }
            opened = readable
        }
        (pool, lock, wasOpenedAlone, isReadOnly) = (opened.pool, opened.lock, opened.wasAlone, opened.isReadOnly)
        reader = opened.reader
        if let event = opened.event { onEvent?(event) }
    }

    /// Opens an existing file for inspection. A damaged file is refused and stays in its place.
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
        reader = nil
    }

    /// Closes the file now instead of with its last store. Later calls of its stores fail.
    ///
    /// It waits for reads and writes in progress. A process that opens the file afterwards may be the only one.
    public func close() throws(TarmacError) {
        // Read connections that close after the write connection would leave the log instead of merging it into the
        // file.
        pool.releaseMemory()
        let closed = Result { try reader?.close() }
        do {
            try pool.close()
            lock?.giveBack()
            try closed.get()
        } catch { throw .store(path, error) }
    }

    /// Removes the file, unless another process has it open, and returns whether it is removed. The next process to
    /// open it creates a new file. This one continues with the old file, which is deleted when it is closed.
    func removeFile() -> Bool {
        guard let lock else { return false }
        guard lock.take() else {
            // The shared lock may be lost by asking for the exclusive one.
            _ = lock.share()
            return false
        }
        // The file is first: SQLite does not touch the log of a file without a name.
        guard FileDescriptor.unlinkFile(path) else { return false }
        for suffix in ["-wal", "-shm"] { FileDescriptor.removeFile(path + suffix) }
        wasRemoved.withLock { $0 = true }
        lock.giveBack()
        return true
    }

    public var description: String { "database \(path)" }

    /// Whether the file was removed, so that everything written to it is lost when it is closed.
    var isRemoved: Bool { wasRemoved.withLock { $0 } }

    /// Whether damage was found since the file was opened.
    var isDamaged: Bool { sawDamage.withLock { $0 } }

    /// Notes damage, and returns whether it is the first.
    func noteDamage() -> Bool {
        sawDamage.withLock { saw in
            defer { saw = true }
            return !saw
        }
    }
}
#endif
