#if SQLite
import GRDB
import TarmacCache
@_spi(TarmacRooms) import TarmacCore

extension SQLiteCacheStore {
    /// Reads without waiting for a writer.
    func looking<Value>(_ body: (Database) throws -> Value) throws -> Value {
        let value: Value
        do {
            try checkUsable()
            value = try database.look(body)
        } catch {
            state.withLock { $0.note($0.health.noteRead(works: false), database, error) }
            throw error
        }
        state.withLock { $0.note($0.health.noteRead(works: true), database, nil) }
        return value
    }

    /// The remains of a damaged file are unreliable and are not used.
    private func checkUsable() throws(TarmacError) {
        guard database.isDamaged else { return }
        throw TarmacError(.storeFailed, "the database \(database.path) is damaged", suggestion: "open it anew: it is moved aside")
    }

    /// Writes in one transaction, which also completes when the task is cancelled, and includes pending removals.
    ///
    /// - Parameter size: The size of the stored data in bytes.
    func writing<Value: Sendable>(of size: Int64 = 0, _ body: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        let owed = state.withLock { $0.owed }
        do {
            try checkUsable()
            let value = try await database.writeToTheEnd { [veil] connection in
                for selection in owed.all { _ = try connection.remove(selection, veil) }
                return try body(connection)
            }
            state.withLock { state in
                state.owed.settle(owed)
                state.note(state.health.noteWrite(of: size, works: true), database, nil)
            }
            return value
        } catch {
            if error is CancellationError { throw error }
            state.withLock { $0.note($0.health.noteWrite(of: size, works: false), database, error) }
            throw error
        }
    }
}

extension SQLiteCacheStore.State {
    /// Keeps a change for the next call to report.
    mutating func note(_ change: CacheHealth.Change?, _ database: SQLiteDatabase, _ error: (any Error)?) {
        guard let change else { return }
        let reason = (error as? TarmacError)?.reason ?? "the database \(database.path)"
        switch change {
        case .cannotRead: tell(CacheNotice(.unreadable, reason))
        case .cannotWrite: tell(CacheNotice(.unwritable, reason))
        case .recovered: tell(CacheNotice(.recovered, "\(reason) works again"))
        }
    }

    mutating func tell(_ notice: CacheNotice) { notices = (notices + [notice]).suffix(16) }
}
#endif
