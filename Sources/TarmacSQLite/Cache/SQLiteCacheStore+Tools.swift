#if SQLite
import GRDB
@_spi(TarmacRooms) public import TarmacCache
@_spi(TarmacRooms) import TarmacCore

/// Listing entries and reading statistics.
extension SQLiteCacheStore {
    public func list(_ selection: CacheSelection, after id: UInt64?, limit: Int) async throws -> [CacheEntry] {
        let conditions = CacheConditions(selection, veil)
        let owed = state.withLock { $0.owed }
        var entries: [CacheEntry] = []
        var last = id.map { Int64(bitPattern: $0) }
        while entries.count < limit {
            let arguments = conditions.arguments + [last, last]
            let rows = try await database.read { connection in
                let sql = "SELECT \(CacheRow.headColumns) FROM cache_entry WHERE \(conditions.sql) AND (? IS NULL OR id > ?) ORDER BY id LIMIT 256"
                let cursor = try Row.fetchCursor(connection, sql: sql, arguments: arguments)
                var rows: [CacheRow] = []
                while let row = try cursor.next() { rows.append(try CacheRow(row)) }
                return rows
            }
            guard let end = rows.last else { break }
            last = Int64(bitPattern: end.id)
            entries += rows.compactMap { $0.entry(veil) }.filter { selection.contains($0) && !owed.contains($0) }
        }
        return Array(entries.prefix(max(0, limit)))
    }

    public func statistics() async throws -> CacheStatistics {
        let sums: (entries: Int, bytes: Int64)? = try await database.read { connection in
            try Row.fetchOne(connection, sql: "SELECT entries, bytes FROM cache_total").map { (entries: $0.read(0) ?? 0, bytes: $0.read(1) ?? 0) }
        }
        var statistics = CacheStatistics()
        statistics.entries = max(0, sums?.entries ?? 0)
        statistics.bytes = max(0, sums?.bytes ?? 0)
        statistics.limit = limit
        state.withLock { state in
            if state.owed.isEverything { (statistics.entries, statistics.bytes) = (0, 0) }
            (statistics.evictions, statistics.corruptions) = (state.evictions, state.corruptions)
        }
        return statistics
    }

    public func takeNotices() -> [CacheNotice] {
        state.withLock { state in
            defer { state.notices = [] }
            return state.notices
        }
    }
}
#endif
