#if SQLite
import GRDB
import Tarmac

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An entry as it stands in its row.
struct CacheRow: Sendable {
    let id: UInt64
    let head: Data
    let body: Data?
    let bodyNumber: Int64?

    static let columns = "id, head, body, body_number"

    init(_ row: Row) {
        id = UInt64(bitPattern: row[0])
        head = row[1]
        body = row[2]
        bodyNumber = row[3]
    }

    /// `nil` when it is damaged or cannot be opened.
    func entry(_ veil: CacheVeil) -> CacheEntry? {
        guard let bytes = try? veil.open(Bytes(head), as: .head(id)), let entry = CacheEntry(encoded: bytes.array), entry.id == id else { return nil }
        return entry
    }

    /// The body that is in the row.
    func inlineBody(_ veil: CacheVeil) throws -> Bytes? { try body.map { try veil.open(Bytes($0), as: .body(id)) } }
}

/// An entry ready for its row: encoded, and sealed where everything is.
struct NewCacheRow: Sendable {
    let entry: CacheEntry
    let head: Data
    let body: Data?
    let bodyNumber: Int64?
    /// What it counts for, in bytes.
    let size: Int64
    /// A row beside its texts and blobs.
    private static let overhead = 256

    init(_ entry: CacheEntry, body: Bytes?, bodyNumber: Int64?, _ veil: CacheVeil) throws {
        self.entry = entry
        self.bodyNumber = bodyNumber
        head = try veil.seal(Bytes(entry.encoded), as: .head(entry.id)).data
        self.body = try body.map { try veil.seal($0, as: .body(entry.id)).data }
        let texts = entry.key.url.utf8.count * 3 + entry.variant.utf8.count * 2
        size = Int64(head.count + texts + Self.overhead) + Int64(self.body?.count ?? 0) + (bodyNumber == nil ? 0 : entry.bodyLength)
    }
}

extension Database {
    /// Puts an entry into its place, in the stead of the one that was there.
    func insert(_ row: NewCacheRow, used: Int64, _ veil: CacheVeil) throws {
        let entry = row.entry, key = entry.key
        let place = veil.name(key.text), variant = veil.name(entry.variant), id = Int64(bitPattern: entry.id)
        try cachedStatement(sql: "DELETE FROM cache_entry WHERE place = ? AND variant = ?").execute(arguments: [place, variant])
        try cachedStatement(sql: "DELETE FROM cache_entry WHERE id = ?").execute(arguments: [id])
        let sql = """
            INSERT INTO cache_entry (id, place, variant, service, environment, principal, url, stored, used, size, length, head, body, body_number)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        try cachedStatement(sql: sql).execute(arguments: [
            id, place, variant, veil.name(key.service), veil.name(key.environment), veil.name(key.principal), veil.name(key.url),
            entry.responseDate.timeIntervalSince1970, used, row.size, entry.bodyLength, row.head, row.body, row.bodyNumber,
        ])
        try insertTags(of: entry, veil)
    }

    /// Changes what is known of an entry; `false` when it is not there any more.
    func update(_ row: NewCacheRow, _ veil: CacheVeil) throws -> Bool {
        let entry = row.entry
        let sql = """
            UPDATE cache_entry SET stored = ?, size = size - length(head) + ?, head = ? WHERE id = ? AND place = ? AND variant = ? AND length = ?
            """
        try cachedStatement(sql: sql).execute(arguments: [
            entry.responseDate.timeIntervalSince1970, row.head.count, row.head, Int64(bitPattern: entry.id), veil.name(entry.key.text),
            veil.name(entry.variant), entry.bodyLength,
        ])
        guard changesCount > 0 else { return false }
        try cachedStatement(sql: "DELETE FROM cache_tag WHERE entry = ?").execute(arguments: [Int64(bitPattern: entry.id)])
        try insertTags(of: entry, veil)
        return true
    }

    private func insertTags(of entry: CacheEntry, _ veil: CacheVeil) throws {
        for tag in entry.tags {
            try cachedStatement(sql: "INSERT OR IGNORE INTO cache_tag (tag, entry) VALUES (?, ?)")
                .execute(arguments: [veil.name(tag), Int64(bitPattern: entry.id)])
        }
    }

    /// Makes room: what was not used for longest goes, but never the entry that was just stored. Returns how many went.
    func evict(limit: Int64, keeping id: UInt64?) throws -> Int {
        var gone = 0
        while try occupied() > limit {
            let sql = "SELECT id FROM cache_entry WHERE id IS NOT ? ORDER BY used LIMIT 16"
            let ids = try Int64.fetchAll(try cachedStatement(sql: sql), arguments: [id.map { Int64(bitPattern: $0) }])
            if ids.isEmpty { break }
            for id in ids where try occupied() > limit {
                try cachedStatement(sql: "DELETE FROM cache_entry WHERE id = ?").execute(arguments: [id])
                gone += 1
            }
        }
        // Pages that are free go back to the file system a few at a time, so that no call waits for them all.
        if gone > 0 { try execute(sql: "PRAGMA incremental_vacuum(64)") }
        return gone
    }

    /// What entries and bodies on their way take together.
    private func occupied() throws -> Int64 {
        let sql = "SELECT bytes + (SELECT coalesce(sum(bytes), 0) FROM cache_pending) FROM cache_total"
        return try Int64.fetchOne(try cachedStatement(sql: sql)) ?? 0
    }

    /// Counts uses that were noted since the last time.
    func apply(_ uses: [UInt64: Int64]) throws {
        for (id, time) in uses {
            try cachedStatement(sql: "UPDATE cache_entry SET used = ? WHERE id = ?").execute(arguments: [time, Int64(bitPattern: id)])
        }
    }
}
#endif
