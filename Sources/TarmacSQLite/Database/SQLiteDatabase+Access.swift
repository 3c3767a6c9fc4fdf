#if SQLite
import GRDB
import TarmacCore

extension SQLiteDatabase {
    /// Reads concurrently with other readers and a writer. Throws `CancellationError` if the task is already cancelled.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do { return try await pool.read(body) } catch { throw mapped(error) }
    }

    /// Writes in one transaction. If the task is cancelled, the transaction is rolled back and `CancellationError` is
    /// thrown; use ``writeToTheEnd(_:)`` for writes that must complete.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do { return try await pool.write(body) } catch { throw mapped(error) }
    }

    /// Writes in one transaction, which also completes if the task is cancelled.
    func writeToTheEnd<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let outcome: Result<Value, any Error> = await withCheckedContinuation { continuation in
            pool.asyncWrite(body) { _, outcome in continuation.resume(returning: outcome) }
        }
        do { return try outcome.get() } catch { throw mapped(error) }
    }

    /// Runs several transactions without others in between.
    func writeInSteps<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let outcome: Result<Value, any Error> = await withCheckedContinuation { continuation in
            pool.asyncWriteWithoutTransaction { database in continuation.resume(returning: Result { try body(database) }) }
        }
        do { return try outcome.get() } catch { throw mapped(error) }
    }

    /// Reads for a caller that cannot await. Blocks the thread on the disk.
    func readNow<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do { return try pool.read(body) } catch { throw mapped(error) }
    }

    /// Writes in one transaction for a caller that cannot await. Blocks the thread on the disk and on other writers.
    func writeNow(_ body: (Database) throws -> Void) throws {
        do { try pool.write(body) } catch { throw mapped(error) }
    }

    /// Reads with one statement, which sees one state of the database, without a transaction. Blocks the thread on the
    /// disk, but does not wait for writers.
    func look<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            if let value = try reader?.look(body) { return value }
            return try pool.unsafeRead(body)
        } catch { throw mapped(error) }
    }

    private func mapped(_ error: any Error) -> any Error { error is CancellationError ? error : fault(error) }

    /// Returns the error to throw. Damage marks the file, so that the next process to open it checks all of it.
    func fault(_ error: any Error) -> TarmacError {
        if error.isDamage, noteDamage() { DatabaseFile(path: path).makeSuspect() }
        return .store(path, error)
    }
}

extension TarmacError {
    /// Returns SQLite's error, without the values of the failed statement.
    static func store(_ path: String, _ error: any Error, onDamage: String = "open it anew: a damaged file is moved aside") -> TarmacError {
        if let error = error as? TarmacError { return error }
        let suggestion: String? =
            switch (error as? DatabaseError)?.resultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED: "another process writes to it for long; try again"
            case .SQLITE_FULL: "make room on the disk"
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: onDamage
            case .SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM: "its folder must exist and be writable"
            default: nil
            }
        return TarmacError(
            .storeFailed, "the database \(path): \(error.shown)", suggestion: suggestion,
            cause: (error as? DatabaseError).map { DatabaseFault(code: $0.extendedResultCode) })
    }

    /// Whether the error is about writing, so that reading may still succeed.
    var isOfWriting: Bool {
        guard let code = cause(as: DatabaseFault.self)?.code.primaryResultCode else { return false }
        return [.SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_FULL, .SQLITE_IOERR].contains(code)
    }

    /// Whether the disk was full.
    var isOfRoom: Bool { cause(as: DatabaseFault.self)?.code.primaryResultCode == .SQLITE_FULL }
}

/// The code of SQLite's error, used as a cause, without the values that its description may quote.
struct DatabaseFault: Error {
    let code: ResultCode
    static let cannotOpen = DatabaseFault(code: .SQLITE_CANTOPEN)
}

extension Error {
    /// Whether the content of the file is damaged, rather than its environment.
    var isDamage: Bool {
        let code = (self as? DatabaseError)?.resultCode
        return code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB
    }

    /// The names and codes of the error, without values, which SQLite's description may quote.
    var shown: String {
        guard let error = self as? DatabaseError else { return "\(type(of: self))" }
        return "SQLite error \(error.extendedResultCode.rawValue), \(error.message ?? "unknown")"
    }
}
#endif
