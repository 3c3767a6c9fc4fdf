#if SQLite
import GRDB
import TarmacCache
import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An entry as stored in its row.
struct CacheRow: Sendable {
    let id: UInt64
    let head: [UInt8]
    let body: [UInt8]?
    let bodyNumber: Int64?
    private let sums: (head: UInt32?, body: UInt32?)

    static let columns = "id, head, body, body_number, head_sum, body_sum"
    /// The columns without the body.
    static let headColumns = "id, head, NULL, body_number, head_sum, NULL"

    /// Copies the needed columns: the row belongs to SQLite and is valid until the next step.
    init(_ row: Row) throws {
        id = UInt64(bitPattern: row.read(0) ?? 0)
        head = try row.withUnsafeData(atIndex: 1) { $0.map { [UInt8]($0) } ?? [] }
        body = try row.withUnsafeData(atIndex: 2) { $0.map { [UInt8]($0) } }
        bodyNumber = row.read(3)
        sums = (CacheSum.value(row.read(4)), CacheSum.value(row.read(5)))
    }

    /// Returns the entry, or the reason why it cannot be read.
    func open(_ veil: CacheKeyDigester) -> Outcome {
        guard CacheSum.fits(sums.head, head) else { return .damaged }
        guard let bytes = try? veil.open(Bytes(head), as: .head(id)) else { return .sealed }
        guard let entry = CacheEntry(encoded: bytes.array), entry.id == id else { return .damaged }
        return .entry(entry)
    }

    enum Outcome {
        case entry(CacheEntry)
        /// Sealed with a missing key, or changed since: the two cannot be told apart.
        case sealed
        case damaged
    }

    func entry(_ veil: CacheKeyDigester) -> CacheEntry? { if case .entry(let entry) = open(veil) { entry } else { nil } }

    /// Returns the body in the row.
    func inlineBody(_ veil: CacheKeyDigester) throws -> Bytes? { try body.map { try veil.open(Bytes($0), as: .body(id)) } }

    /// Whether the body in the row is damaged.
    var isBodyDamaged: Bool { body.map { !CacheSum.fits(sums.body, $0) } ?? false }
}

/// Checksums of stored data. SQLite has none for its pages, and a flipped bit in a body would be delivered.
enum CacheSum {
    /// Returns the checksum in a column; `nil` for data that was stored before checksums existed.
    static func value(_ column: Int64?) -> UInt32? { column.map { UInt32(truncatingIfNeeded: $0) } }

    static func fits(_ sum: UInt32?, _ bytes: [UInt8]) -> Bool { sum.map { $0 == Checksum(bytes).value } ?? true }
}

/// An entry ready for its row: encoded, and sealed in a sealed cache.
struct NewCacheRow: Sendable {
    let entry: CacheEntry
    let head: Data
    let body: Data?
    let bodyNumber: Int64?
    let headSum: UInt32
    let bodySum: UInt32?
    /// The size in bytes that counts towards the limit.
    let size: Int64
    /// The size of a row besides its texts and blobs.
    private static let overhead = 256

    init(_ entry: CacheEntry, body: Bytes?, bodyNumber: Int64?, _ veil: CacheKeyDigester) throws {
        self.entry = entry
        self.bodyNumber = bodyNumber
        let head = try veil.seal(Bytes(entry.encoded), as: .head(entry.id))
        let body = try body.map { try veil.seal($0, as: .body(entry.id)) }
        (self.head, headSum) = (head.data, Checksum(head).value)
        (self.body, bodySum) = (body?.data, body.map { Checksum($0).value })
        let texts = entry.key.url.utf8.count * 3 + entry.variant.utf8.count * 2
        size = Int64(head.count + texts + Self.overhead) + Int64(body?.count ?? 0) + (bodyNumber == nil ? 0 : entry.bodyLength)
    }
}
#endif
