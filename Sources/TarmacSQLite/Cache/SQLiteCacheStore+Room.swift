#if SQLite
import GRDB
@_spi(TarmacRooms) import TarmacCache
@_spi(TarmacRooms) import TarmacCore

/// Removing entries on a full disk: SQLite first writes removals to its log.
extension SQLiteCacheStore {
    /// Removes entries as far as possible on a full disk.
    ///
    /// - Returns: The number of entries removed; `nil` if it is impossible.
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

    /// Removes entries in steps that fit into a small log, which is used again and again, with the help of the reserve.
    ///
    /// - Returns: The number of entries of the last selection.
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

    /// Returns free space to the file system: all of it after a removal of everything, otherwise all but an eighth of
    /// the limit.
    func giveRoomBack(after selection: CacheSelection) async {
        let rest = selection == .all ? 0 : limit / 8
        _ = try? await database.writeInSteps { $0.giveRoomBack(leaving: rest, isSparing: false) }
    }

    /// Removes a file that cannot be written, if it holds only a cache and no other process has it open. Reads in
    /// progress continue, and the space is free when the file is closed.
    ///
    /// - Returns: The number of entries in it; `nil` if the file stays.
    private func removeFile() async throws -> Int? {
        let count = try await database.read { connection in
            try connection.holdsOnlyCache() ? Int.fetchOne(connection, sql: "SELECT entries FROM cache_total") : nil
        }
        guard let count else { return nil }
        return database.removeFile() ? max(0, count) : nil
    }
}

extension Database {
    /// Removes a few entries at a time, and fewer where there is not enough room.
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
                // Pages beyond the new end of the file need not be written back.
                try? execute(sql: "PRAGMA incremental_vacuum(32)")
            } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL && step > 1 { step /= 4 }
            clearLog()
        }
        return ids.count
    }

    /// Moves the log's content into the file, so that the log starts again in its space. Readers may prevent it; then
    /// the log grows.
    private func clearLog() { _ = try? checkpoint(.passive) }

    /// Runs `body` without overwriting removed pages, which would write each of them, for pages that leave the file
    /// anyway.
    func withoutOverwriting<Result>(_ body: () throws -> Result) throws -> Result {
        // Only if the file shrinks: 2 means incremental.
        guard try Int.fetchOne(self, sql: "PRAGMA auto_vacuum") == 2 else { return try body() }
        let before = try Int.fetchOne(self, sql: "PRAGMA secure_delete") ?? 0
        _ = try Int.fetchOne(self, sql: "PRAGMA secure_delete = FAST")
        defer { _ = try? Int.fetchOne(self, sql: "PRAGMA secure_delete = \(before == 1 ? "ON" : before == 2 ? "FAST" : "OFF")") }
        return try body()
    }

    /// Returns free pages to the file system until at most `bytes` are left, as far as there is room for it. It works
    /// in small steps, because each is written to the log as a whole.
    ///
    /// - Parameter isSparing: Whether the log must stay small.
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
