#if SQLite
import GRDB
import TarmacCache
@_spi(TarmacRooms) import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads a large body chunk by chunk. Throws an error if the entry is removed or replaced during the read.
final class CacheBodySource: ByteStreamSource {
    private let store: SQLiteCacheStore
    private let entry: UInt64
    private let body: Int64
    private let length: Int64
    private let state = Locked<(chunk: Int64, read: Int64)>((0, 0))

    init(_ store: SQLiteCacheStore, of entry: UInt64, body: Int64, length: Int64) {
        self.store = store
        self.entry = entry
        self.body = body
        self.length = length
    }

    func next() async throws -> Bytes? {
        let (number, read) = state.withLock { $0 }
        if read >= length { return nil }
        let found = try await store.database.read { [body] connection in
            let statement = try connection.cachedStatement(sql: "SELECT bytes, sum FROM cache_chunk WHERE body = ? AND number = ?")
            let cursor = try Row.fetchCursor(statement, arguments: [body, number])
            return try cursor.next().map { row in
                (bytes: try row.withUnsafeData(atIndex: 0) { $0.map { [UInt8]($0) } ?? [] }, sum: CacheSum.value(row.read(1)))
            }
        }
        if let found, !CacheSum.fits(found.sum, found.bytes) {
            store.throwAway(entry)
            throw TarmacError(.truncatedBody, phase: .receiving, "the stored body is damaged", suggestion: "make the call again")
        }
        guard let found, let bytes = try? store.veil.open(Bytes(found.bytes), as: .chunk(body: body, number: number)) else {
            throw TarmacError(.storeFailed, phase: .receiving, "the cached body was replaced or removed while it was read", suggestion: "make the call again")
        }
        state.withLock { $0 = (number + 1, read + Int64(bytes.count)) }
        return bytes
    }
}
#endif
