#if SQLite
import GRDB
import TarmacCore
import TarmacSupport

/// Opening a file.
extension SQLiteDatabase {
    struct Opened {
        let pool: DatabasePool
        let lock: DatabaseLock?
        /// Whether no other process had the file open.
        let wasAlone: Bool
        var isReadOnly = false
        var reader: DatabaseReader?
        var event: Event?
    }

    /// The part of a file that is checked before its use.
    enum Check: String {
        case schema = "SELECT CASE WHEN count(*) >= 0 THEN 'ok' END FROM sqlite_schema"
        case content = "PRAGMA quick_check(1)"
        case everything = "PRAGMA integrity_check(1)"
    }

    /// Opens the file for its app: a damaged file is moved aside.
    static func openForUse(_ path: String, _ durability: Durability, _ check: Check) throws(TarmacError) -> Opened {
        let file = DatabaseFile(path: path)
        var event: Event?
        var wasAlone = false
        let (pool, lock) = try file.whileLocked { isAlone throws(TarmacError) in
            wasAlone = isAlone
            try file.prepare()
            do {
                let pool = try open(file, durability, file.isSuspect ? .everything : check)
                file.clearSuspicion()
                // While the file is locked: later, other processes may have leases. Where it fails, they last until they expire.
                if isAlone { try? pool.write { try $0.releaseLeftLeases(path) } }
                return pool
            } catch  where error.isDamage {
                // Processes that have the file open would continue to write to the moved one.
                guard isAlone else { throw .store(path, error) }
                let place = try file.moveAside()
                event = .damaged(path: path, movedTo: place, reason: error.shown)
                try file.prepare()
            } catch { throw .store(path, error) }
            do { return try open(file, durability, .schema) } catch { throw .store(path, error) }
        }
        file.keepReserve()
        let reader = DatabaseReader(path: path, configuration: configuration(file))
        return Opened(pool: pool, lock: lock, wasAlone: wasAlone, reader: reader, event: event)
    }

    /// Opens the file for inspection: a damaged file stays in its place.
    static func openForLook(_ path: String) throws(TarmacError) -> Opened {
        let file = DatabaseFile(path: path)
        let (pool, lock) = try file.whileLocked { _ throws(TarmacError) in
            try file.prepare()
            do { return try open(file, .full, .schema) } catch {
                throw .store(path, error, onDamage: "the program whose file it is moves a damaged one aside when it opens it")
            }
        }
        return Opened(pool: pool, lock: lock, wasAlone: false)
    }

    /// Opens a file that cannot be opened for writing, in its current state for reading only.
    ///
    /// If its log has content, SQLite must read it, and can if the files it needs exist. Otherwise SQLite treats the
    /// file as unchanging, so that no process may change it, which the exclusive lock or the file system ensures.
    static func openForReading(_ path: String, _ check: Check) -> Opened? {
        let file = DatabaseFile(path: path)
        // An empty file, left by a failed creation, has nothing to read.
        guard FileDescriptor.isPrivate(path), FileDescriptor.status(path)?.size != 0 else { return nil }
        guard FileDescriptor.isMissing(path + "-journal"), !file.isSuspect else { return nil }
        let lock = DatabaseLock(reading: path)
        let hasLog = file.hasLog
        let mustBeAlone = !hasLog && !FileDescriptor.isOnReadOnlyVolume(path)
        if let lock { guard mustBeAlone ? lock.take() : lock.share() else { return nil } }
        var configuration = configuration(file)
        configuration.readonly = true
        guard let pool = try? DatabasePool(path: hasLog ? path : file.unchangingURI, configuration: configuration),
            let answer = try? pool.read({ try String.fetchOne($0, sql: check.rawValue) }), answer == "ok"
        else { return nil }
        return Opened(pool: pool, lock: lock, wasAlone: false, isReadOnly: true)
    }

    /// Opens the file for writing, with the help of the reserve if there is no other space.
    private static func open(_ file: DatabaseFile, _ durability: Durability, _ check: Check) throws -> DatabasePool {
        do { return try openOnce(file, durability, check) } catch {
            guard !error.isDamage, file.giveUpReserve() else { throw error }
            return try openOnce(file, durability, check)
        }
    }

    private static func openOnce(_ file: DatabaseFile, _ durability: Durability, _ check: Check) throws -> DatabasePool {
        let pool = try DatabasePool(path: file.path, configuration: configuration(file))
        try pool.writeWithoutTransaction { database in
            // The pool has set NORMAL with WAL mode. It writes through this one connection, so the setting applies to
            // all.
            if durability == .full { try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON") }
            try database.execute(sql: "PRAGMA journal_size_limit = \(4 << 20)")
            guard let answer = try String.fetchOne(database, sql: check.rawValue), answer != "ok" else { return }
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: answer)
        }
        return pool
    }

    private static func configuration(_ file: DatabaseFile) -> Configuration {
        var configuration = Configuration()
        configuration.label = "tarmac"
        configuration.busyMode = .timeout(5)
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { database in
            // The content of the file may be from elsewhere: nothing in its schema may run code.
            try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
            // This only affects a new file before its first table. In others it writes as well, which starts a log as
            // the pool does anyway; if there is a log, a full disk would refuse it for no benefit.
            if !database.configuration.readonly, !file.hasLog { try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
            // Readers only wait for a connection that recovers the log after a crash.
            if database.configuration.readonly { try database.execute(sql: "PRAGMA busy_timeout = 1000") }
        }
        return configuration
    }
}
#endif
