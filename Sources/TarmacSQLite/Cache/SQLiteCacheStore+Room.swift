#if SQLite
import GRDB
import TarmacCache
import TarmacCore

/// Removing where there is no room: SQLite writes what it removes into its log first.
extension SQLiteCacheStore {
    /// What can be done on a full disk.
    ///
    /// - Returns: how many entries are gone, in the end; `nil` when there is no help.
    func removeAllTheSame(_ selection: CacheSelection, after error: any Error) async throws -> Int? {
        guard let error = error as? TarmacError else { return nil }
        let isAll = selection == .all
        guard error.isOfRoom else { return database.isReadOnly && isAll ? try await removeFile() : nil }
        let owed = state.withLock { $0.owed }
        do {
            let count = try await removeSparingly(owed.all.filter { $0 != selection } + [selection])
            state.withLock { $0.owed.settle(owed) }
            return count
        } catch { return isAll ? try await removeFile() : nil }
    }

    /// Removes what is meant in steps that fit into a small log, over and over the same one; with the room that was kept for this.
    ///
    /// - Returns: how many entries the last selection had.
    private func removeSparingly(_ selections: [CacheSelection]) async throws -> Int {
        _ = DatabaseFile(path: database.path).giveUpReserve()
        let count = try await database.writeInSteps { [veil] connection in
            var count = 0
            try connection.withoutOverwriting {
                for selection in selections { count = try connection.removeInSteps(selection, veil) }
                connection.giveRoomBack(leaving: 0, isSparing: true)
            }
            return count
        }
        DatabaseFile(path: database.path).keepReserve()
        return count
    }

    /// Gives back what was freed, all of it after all has gone; what the next entries take anyway stays else.
    func giveRoomBack(after selection: CacheSelection) async {
        let rest = selection == .all ? 0 : limit / 8
        _ = try? await database.writeInSteps { $0.giveRoomBack(leaving: rest, isSparing: false) }
    }

    /// Removes the file that cannot be written, if a cache is all it is and nobody else has it open; whoever reads it here goes on, and space
    /// is free when it is closed.
    ///
    /// - Returns: how many entries it had; `nil` where it stays.
    private func removeFile() async throws -> Int? {
        let count = try await database.read { connection in
            try connection.holdsOnlyCache() ? Int.fetchOne(connection, sql: "SELECT entries FROM cache_total") : nil
        }
        guard let count else { return nil }
        return database.removeFile() ? count : nil
    }
}

extension Database {
    /// Removes a few entries at a time, fewer and fewer where there is no room for that many.
    fileprivate func removeInSteps(_ selection: CacheSelection, _ veil: CacheKeyDigester) throws -> Int {
        let ids = try self.ids(selection, veil)
        var rest = ids[...], step = 64
        clearLog()
        while !rest.isEmpty {
            do {
                try inTransaction {
                    for id in rest.prefix(step) { try cachedStatement(sql: "DELETE FROM cache_entry WHERE id = ?").execute(arguments: [id]) }
                    return .commit
                }
                rest = rest.dropFirst(step)
                // What lies beyond the new end of the file need not be written to its place.
                try? execute(sql: "PRAGMA incremental_vacuum(32)")
            } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL && step > 1 { step /= 4 }
            clearLog()
        }
        return ids.count
    }

    /// What stands in the log goes to its place, so that the log begins anew, in the room it has. Readers may be in the way: then it grows.
    private func clearLog() { _ = try? checkpoint(.passive) }

    /// Removed pages are not overwritten, which would write each of them: for those that leave the file anyway.
    func withoutOverwriting<Result>(_ body: () throws -> Result) throws -> Result {
        // Only where the file shrinks: 2 is incremental.
        guard try Int.fetchOne(self, sql: "PRAGMA auto_vacuum") == 2 else { return try body() }
        let before = try Int.fetchOne(self, sql: "PRAGMA secure_delete") ?? 0
        _ = try Int.fetchOne(self, sql: "PRAGMA secure_delete = FAST")
        defer { _ = try? Int.fetchOne(self, sql: "PRAGMA secure_delete = \(before == 1 ? "ON" : before == 2 ? "FAST" : "OFF")") }
        return try body()
    }

    /// Free pages go back to the file system until no more than so many bytes are left, as far as there is room to do that: a few at a
    /// time, since many at once are written into the log as a whole.
    ///
    /// - Parameter isSparing: whether the log is to stay small.
    func giveRoomBack(leaving bytes: Int64, isSparing: Bool) {
        var step: Int64 = 256, before = Int64.max
        // A file that cannot shrink stays as it is.
        while step > 0, let free = try? Int64.fetchOne(self, sql: "PRAGMA freelist_count"), free * 4096 > bytes, free < before {
            do {
                try execute(sql: "PRAGMA incremental_vacuum(\(min(step, free)))")
                before = free
            } catch { step /= 4 }
            if isSparing { clearLog() }
        }
        clearLog()
    }
}
#endif
