#if SQLite
import GRDB
@_spi(TarmacRooms) public import TarmacCache
@_spi(TarmacRooms) public import TarmacCore

/// Storing, changing and removing entries, each in one transaction.
extension SQLiteCacheStore {
    @discardableResult
    public func publish(_ entry: CacheEntry, body: Bytes) async throws -> Bool {
        var entry = entry
        entry.bodyLength = Int64(body.count)
        if body.count <= Self.inlineLimit { return try await publish(try NewCacheRow(entry, body: body, bodyNumber: nil, veil)) }
        guard let writer = try await makeWriter(for: entry) else {
            _ = try await remove(replacedBy: entry)
            return false
        }
        do {
            try await writer.append(body)
            return try await writer.publish(entry)
        } catch {
            await writer.abort()
            throw error
        }
    }

    /// Removes the entry that a new one replaces, if the new one does not fit.
    private func remove(replacedBy entry: CacheEntry) async throws {
        try await writing { [veil] in try $0.vacate(entry, veil) }
    }

    func publish(_ row: NewCacheRow) async throws -> Bool {
        let (uses, now, oldest) = state.withLock { ($0.uses.take(), $0.uses.now(), $0.uses.oldest(maximumAge)) }
        let fits = row.size <= limit / 4
        let size = Int64(row.head.count + (row.body?.count ?? 0))
        do {
            let gone = try await writing(of: size) { [veil, limit] connection in
                try connection.apply(uses)
                // The body was swept in the meantime: its chunks are gone.
                if let number = row.bodyNumber, try !connection.finish(body: number) { return -1 }
                try connection.insert(row, used: now, veil)
                if !fits { try connection.execute(sql: "DELETE FROM cache_entry WHERE id = ?", arguments: [Int64(bitPattern: row.entry.id)]) }
                return try connection.evict(limit: limit, usedBefore: oldest, keeping: row.entry.id)
            }
            state.withLock { $0.evictions += max(0, gone) }
            return fits && gone >= 0
        } catch {
            disown(replacedBy: row.entry)
            throw error
        }
    }

    /// Hides the entry that a response should have replaced, if the response could not be stored.
    private func disown(replacedBy entry: CacheEntry) {
        let (place, variant) = (veil.name(entry.key.text), veil.name(entry.variant))
        let ids = try? database.look { connection in
            try Int64.fetchAll(connection, sql: "SELECT id FROM cache_entry WHERE place = ? AND variant = ?", arguments: [place, variant])
        }
        for id in ids ?? [] { state.withLock { $0.owed.add(.entry(UInt64(bitPattern: id))) } }
    }

    public func makeWriter(for entry: CacheEntry) async throws -> (any CacheWriter)? {
        entry.bodyLength > limit / 4 ? nil : SQLiteCacheWriter(self)
    }

    /// Returns the number of the lease for writing bodies, which lasts as long as the store.
    func owner() throws -> Int64 {
        if let owner = state.withLock({ $0.lease?.owner }) { return owner }
        let made: CacheLease
        do { made = try CacheLease(database.path) } catch {
            state.withLock { $0.note($0.health.noteWrite(of: 1, works: false), database, error) }
            throw error
        }
        return state.withLock { state in
            let lease = state.lease ?? made
            state.lease = lease
            return lease.owner
        }
    }

    @discardableResult
    public func update(_ entry: CacheEntry) async throws -> Bool {
        let length = try looking { connection in
            let statement = try connection.cachedStatement(sql: "SELECT length FROM cache_entry WHERE id = ?")
            return try Int64.fetchOne(statement, arguments: [Int64(bitPattern: entry.id)])
        }
        guard let length else { return false }
        var entry = entry
        entry.bodyLength = length
        let row = try NewCacheRow(entry, body: nil, bodyNumber: nil, veil)
        do { return try await writing(of: Int64(row.head.count)) { [veil] in try $0.update(row, veil) } } catch {
            state.withLock { $0.owed.add(.entry(row.entry.id)) }
            throw error
        }
    }

    @discardableResult
    public func remove(_ selection: CacheSelection) async throws -> Int {
        guard !veil.isShut || selection == .all || selection == selection.id.map(CacheSelection.entry) else {
            throw TarmacError(.storeFailed, "the cache \(database.path) is sealed and its key is not here", suggestion: "remove all of it")
        }
        do {
            let count = try await writing { [veil] connection in
                if selection != .all { return try connection.remove(selection, veil) }
                return try connection.withoutOverwriting { try connection.remove(selection, veil) }
            }
            if count > 1 { await giveRoomBack(after: selection) }
            return count
        } catch {
            state.withLock { $0.owed.add(selection) }
            guard let count = try await removeAllTheSame(selection, after: error) else { throw error }
            return count
        }
    }
}
#endif
