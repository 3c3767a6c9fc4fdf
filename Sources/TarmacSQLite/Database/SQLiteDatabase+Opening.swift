#if SQLite
import GRDB
import TarmacCore

/// How a file comes to be open.
extension SQLiteDatabase {
    struct Opened {
        let pool: DatabasePool
        let lock: DatabaseLock?
        /// Whether nobody else had it open.
        let wasAlone: Bool
        var isReadOnly = false
        var eye: DatabaseReader?
        var event: Event?
    }

    /// What is read of a file before it is used.
    enum Check: String {
        case schema = "SELECT CASE WHEN count(*) >= 0 THEN 'ok' END FROM sqlite_schema"
        case content = "PRAGMA quick_check(1)"
        case everything = "PRAGMA integrity_check(1)"
    }

    /// For its app: a damaged file is moved aside.
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
                return pool
            } catch  where error.isDamage {
                // Those who have it open would go on writing into what was moved.
                guard isAlone else { throw .store(path, error) }
                let place = try file.moveAside()
                event = .damaged(path: path, movedTo: place, reason: error.shown)
                try file.prepare()
            } catch { throw .store(path, error) }
            do { return try open(file, durability, .schema) } catch { throw .store(path, error) }
        }
        file.keepReserve()
        let eye = DatabaseReader(path: path, configuration: configuration(file))
        return Opened(pool: pool, lock: lock, wasAlone: wasAlone, eye: eye, event: event)
    }

    /// For a look: a damaged file stays where it is.
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

    /// A file that cannot be opened for writing, or nothing can be made beside it: as it stands there, for reading alone.
    ///
    /// With something in its log SQLite has to look into that, and can if the files it needs are there. Without, the file is all there is, and
    /// SQLite takes it for one that does not change: so nobody may change it, which holding the lock alone sees to, or the file system.
    static func openForReading(_ path: String, _ check: Check) -> Opened? {
        let file = DatabaseFile(path: path)
        // One that was made in vain has nothing to read.
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

    /// Opens it for writing; with the room that was kept for this, if there is no other.
    private static func open(_ file: DatabaseFile, _ durability: Durability, _ check: Check) throws -> DatabasePool {
        do { return try openOnce(file, durability, check) } catch {
            guard !error.isDamage, file.giveUpReserve() else { throw error }
            return try openOnce(file, durability, check)
        }
    }

    private static func openOnce(_ file: DatabaseFile, _ durability: Durability, _ check: Check) throws -> DatabasePool {
        let pool = try DatabasePool(path: file.path, configuration: configuration(file))
        try pool.writeWithoutTransaction { database in
            // The pool has set NORMAL with WAL mode. It writes through this one connection, so it holds for all.
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
            // What the file holds may have been put there by somebody else: nothing in its schema runs code.
            try database.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
            // Takes effect in a new file only, before its first table. In any other it writes all the same, which begins a log as the
            // pool would with more; where there is one, a full disk would refuse it for nothing.
            if !database.configuration.readonly, !file.hasLog { try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL") }
            // Readers wait for nobody but those who put a log in order after a crash.
            if database.configuration.readonly { try database.execute(sql: "PRAGMA busy_timeout = 1000") }
        }
        return configuration
    }
}
#endif
