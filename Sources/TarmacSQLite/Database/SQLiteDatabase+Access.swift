#if SQLite
import GRDB
import TarmacCore

extension SQLiteDatabase {
    /// Reads, beside other readers and a writer. Throws `CancellationError` when the task is cancelled before.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do { return try await pool.read(body) } catch { throw mapped(error) }
    }

    /// One transaction, which is written whole or not at all. A cancelled task takes it back and throws `CancellationError`;
    /// what must not be given up goes through ``writeToTheEnd(_:)``.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        do { return try await pool.write(body) } catch { throw mapped(error) }
    }

    /// The same, deaf to cancellation.
    func writeToTheEnd<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let outcome: Result<Value, any Error> = await withCheckedContinuation { continuation in
            pool.asyncWrite(body) { _, outcome in continuation.resume(returning: outcome) }
        }
        do { return try outcome.get() } catch { throw mapped(error) }
    }

    /// Several transactions in a row, with nothing of others in between.
    func writeInSteps<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let outcome: Result<Value, any Error> = await withCheckedContinuation { continuation in
            pool.asyncWriteWithoutTransaction { database in continuation.resume(returning: Result { try body(database) }) }
        }
        do { return try outcome.get() } catch { throw mapped(error) }
    }

    /// For the one caller that cannot await. Blocks its thread for as long as the disk takes.
    func readNow<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do { return try pool.read(body) } catch { throw mapped(error) }
    }

    /// One statement, which sees what one moment left, without a transaction around it. Blocks its thread for what the disk takes,
    /// and waits for no writer.
    func look<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            if let value = try eye?.look(body) { return value }
            return try pool.unsafeRead(body)
        } catch { throw mapped(error) }
    }

    private func mapped(_ error: any Error) -> any Error { error is CancellationError ? error : fault(error) }

    /// The error to be thrown; damage has the next one to open the file read all of it.
    func fault(_ error: any Error) -> TarmacError {
        if error.isDamage, noteDamage() { DatabaseFile(path: path).makeSuspect() }
        return .store(path, error)
    }
}

extension TarmacError {
    /// What SQLite said, without the values of the statement that failed.
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

    /// Whether it is about what cannot be written, and reading may go well all the same.
    var isOfWriting: Bool {
        guard let code = cause(as: DatabaseFault.self)?.code.primaryResultCode else { return false }
        return [.SQLITE_READONLY, .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_FULL, .SQLITE_IOERR].contains(code)
    }

    /// Whether there was no room for it.
    var isOfRoom: Bool { cause(as: DatabaseFault.self)?.code.primaryResultCode == .SQLITE_FULL }
}

/// What SQLite said, as a number: the cause of an error, without the values its own description may quote.
struct DatabaseFault: Error {
    let code: ResultCode
    static let cannotOpen = DatabaseFault(code: .SQLITE_CANTOPEN)
}

extension Error {
    /// Whether the content of the file is at fault, and not its surroundings.
    var isDamage: Bool {
        let code = (self as? DatabaseError)?.resultCode
        return code == .SQLITE_CORRUPT || code == .SQLITE_NOTADB
    }

    /// Names and codes; no value, which SQLite's own description may quote.
    var shown: String {
        guard let error = self as? DatabaseError else { return "\(type(of: self))" }
        return "SQLite error \(error.extendedResultCode.rawValue), \(error.message ?? "unknown")"
    }
}
#endif
