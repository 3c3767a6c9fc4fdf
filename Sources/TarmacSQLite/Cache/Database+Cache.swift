#if SQLite
import GRDB
@_spi(TarmacRooms) import TarmacCache

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Database {
    /// Inserts an entry, replacing the existing one.
    func insert(_ row: NewCacheRow, used: Int64, _ veil: CacheKeyDigester) throws {
        let entry = row.entry, key = entry.key
        let place = veil.name(key.text), variant = veil.name(entry.variant), id = Int64(bitPattern: entry.id)
        try vacate(entry, veil)
        try cachedStatement(sql: "DELETE FROM cache_entry WHERE id = ?").execute(arguments: [id])
        try makeRoomAmongVariants(at: place)
        let sql = """
            INSERT INTO cache_entry
                (id, place, variant, service, environment, principal, url, stored, used, size, length, head, body, body_number, head_sum, body_sum)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try cachedStatement(sql: sql).execute(arguments: [
            id, place, variant, veil.name(key.service), veil.name(key.environment), veil.name(key.principal), veil.name(key.url),
            entry.responseDate.timeIntervalSince1970, used, row.size, entry.bodyLength, row.head, row.body, row.bodyNumber,
            row.headSum, row.bodySum,
        ])
        try insertTags(of: entry, veil)
    }

    /// Removes the existing entry with the same key and variant.
    func vacate(_ entry: CacheEntry, _ veil: CacheKeyDigester) throws {
        try cachedStatement(sql: "DELETE FROM cache_entry WHERE place = ? AND variant = ?")
            .execute(arguments: [veil.name(entry.key.text), veil.name(entry.variant)])
    }

    /// Removes the oldest variants beyond the limit.
    private func makeRoomAmongVariants(at place: String) throws {
        let sql = """
            DELETE FROM cache_entry WHERE id IN (SELECT id FROM cache_entry WHERE place = ? ORDER BY stored DESC LIMIT -1 OFFSET ?)
            """
        try cachedStatement(sql: sql).execute(arguments: [place, CacheKey.maximumVariants - 1])
    }

    /// Changes the head of an entry; returns `false` if it no longer exists.
    func update(_ row: NewCacheRow, _ veil: CacheKeyDigester) throws -> Bool {
        let entry = row.entry
        let sql = """
            UPDATE cache_entry SET stored = ?, size = size - length(head) + ?, head = ?, head_sum = ?
            WHERE id = ? AND place = ? AND variant = ? AND length = ?
            """
        try cachedStatement(sql: sql).execute(arguments: [
            entry.responseDate.timeIntervalSince1970, row.head.count, row.head, row.headSum, Int64(bitPattern: entry.id),
            veil.name(entry.key.text), veil.name(entry.variant), entry.bodyLength,
        ])
        guard changesCount > 0 else { return false }
        try cachedStatement(sql: "DELETE FROM cache_tag WHERE entry = ?").execute(arguments: [Int64(bitPattern: entry.id)])
        try insertTags(of: entry, veil)
        return true
    }

    private func insertTags(of entry: CacheEntry, _ veil: CacheKeyDigester) throws {
        for tag in entry.tags {
            try cachedStatement(sql: "INSERT OR IGNORE INTO cache_tag (tag, entry) VALUES (?, ?)")
                .execute(arguments: [veil.name(tag), Int64(bitPattern: entry.id)])
        }
    }

    // MARK: Bodies on their way

    func begin(body: Int64, owner: Int64) throws {
        let sql = "INSERT INTO cache_pending (body, bytes, begun, owner) VALUES (?, 0, CAST(strftime('%s', 'now') AS REAL), ?)"
        try cachedStatement(sql: sql).execute(arguments: [body, owner])
    }

    /// Returns `false` if the body was swept in the meantime.
    func append(_ bytes: Data, sum: UInt32, number: Int64, toBody body: Int64) throws -> Bool {
        try cachedStatement(sql: "UPDATE cache_pending SET bytes = bytes + ? WHERE body = ?").execute(arguments: [bytes.count, body])
        guard changesCount > 0 else { return false }
        try cachedStatement(sql: "INSERT INTO cache_chunk (body, number, bytes, sum) VALUES (?, ?, ?, ?)").execute(arguments: [body, number, bytes, sum])
        return true
    }

    /// Marks a body as complete; returns `false` if it was swept in the meantime.
    func finish(body: Int64) throws -> Bool {
        try cachedStatement(sql: "DELETE FROM cache_pending WHERE body = ?").execute(arguments: [body])
        return changesCount > 0
    }

    func forget(body: Int64) throws {
        try cachedStatement(sql: "DELETE FROM cache_chunk WHERE body = ?").execute(arguments: [body])
        try cachedStatement(sql: "DELETE FROM cache_pending WHERE body = ?").execute(arguments: [body])
    }

    // MARK: Room

    /// Removes entries that are too old, a few at a time, and the least recently used ones to make room, but never the
    /// entry just stored. Returns the number removed.
    func evict(limit: Int64, usedBefore oldest: Int64? = nil, keeping id: UInt64?) throws -> Int {
        var gone = 0
        if let oldest {
            let sql = "DELETE FROM cache_entry WHERE id IN (SELECT id FROM cache_entry WHERE used < ? AND id IS NOT ? ORDER BY used LIMIT 64)"
            try cachedStatement(sql: sql).execute(arguments: [oldest, id.map { Int64(bitPattern: $0) }])
            gone = changesCount
        }
        while try occupied() > limit {
            let sql = "SELECT id FROM cache_entry WHERE id IS NOT ? ORDER BY used LIMIT 16"
            let ids = try Int64.fetchAll(try cachedStatement(sql: sql), arguments: [id.map { Int64(bitPattern: $0) }])
            if ids.isEmpty { break }
            for id in ids where try occupied() > limit {
                try cachedStatement(sql: "DELETE FROM cache_entry WHERE id = ?").execute(arguments: [id])
                gone += 1
            }
        }
        if gone > 0 { try shrink(limit: limit, by: 64) }
        return gone
    }

    /// Returns free pages to the file system, a few at a time to keep writes short. Pages that the next entries need
    /// stay.
    private func shrink(limit: Int64, by pages: Int) throws {
        let free = try Int64.fetchOne(self, sql: "PRAGMA freelist_count") ?? 0
        if free * 4096 > limit / 8 { try execute(sql: "PRAGMA incremental_vacuum(\(pages))") }
    }

    /// Removes the selected entries; returns their number.
    func remove(_ selection: CacheSelection, _ veil: CacheKeyDigester) throws -> Int {
        let conditions = CacheConditions(selection, veil)
        if conditions.isWhole {
            try execute(sql: "DELETE FROM cache_entry WHERE \(conditions.sql)", arguments: conditions.arguments)
            return changesCount
        }
        let ids = try ids(selection, veil)
        for id in ids { try cachedStatement(sql: "DELETE FROM cache_entry WHERE id = ?").execute(arguments: [id]) }
        return ids.count
    }

    /// Returns the ids of the selected entries, opening sealed ones where needed.
    func ids(_ selection: CacheSelection, _ veil: CacheKeyDigester) throws -> [Int64] {
        let conditions = CacheConditions(selection, veil)
        if conditions.isWhole { return try Int64.fetchAll(self, sql: "SELECT id FROM cache_entry WHERE \(conditions.sql)", arguments: conditions.arguments) }
        let sql = "SELECT \(CacheRow.headColumns) FROM cache_entry WHERE \(conditions.sql)"
        let rows = try Row.fetchCursor(self, sql: sql, arguments: conditions.arguments)
        var ids: [Int64] = []
        while let row = try rows.next().map(CacheRow.init) {
            // An entry that cannot be opened may be selected, and is of no use.
            if row.entry(veil).map(selection.contains) ?? true { ids.append(Int64(bitPattern: row.id)) }
        }
        return ids
    }

    /// Returns the total size of entries and bodies being written.
    private func occupied() throws -> Int64 {
        let sql = "SELECT bytes + (SELECT coalesce(sum(bytes), 0) FROM cache_pending) FROM cache_total"
        return try Int64.fetchOne(try cachedStatement(sql: sql)) ?? 0
    }

    /// Whether bodies being written take so much room that entries would be removed for them.
    func isCrowded(limit: Int64) throws -> Bool {
        let sql = "SELECT coalesce(sum(bytes), 0) FROM cache_pending"
        return try Int64.fetchOne(try cachedStatement(sql: sql)) ?? 0 > limit / 2
    }

    /// Resets uses that lie in the future after the clock was set back. Otherwise old entries would stay, and new ones
    /// would be removed, until that time.
    func forgetUses(after now: Int64) throws {
        let isAhead = try Int.fetchOne(self, sql: "SELECT 1 FROM cache_entry WHERE used > ?", arguments: [now + CacheUses.tolerance]) != nil
        if isAhead { try execute(sql: "UPDATE cache_entry SET used = ? WHERE used > ?", arguments: [now - 1, now]) }
    }

    /// Writes the noted uses.
    ///
    /// - Parameter span: In microseconds. A use within this time after the stored one is left out.
    func apply(_ uses: [UInt64: Int64], unlessWithin span: Int64 = 0) throws {
        let statement = try cachedStatement(sql: "UPDATE cache_entry SET used = ? WHERE id = ? AND used < ?")
        for (id, time) in uses { try statement.execute(arguments: [time, Int64(bitPattern: id), time - span]) }
    }
}
#endif
