#if SQLite
import GRDB
import Tarmac

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A large body, read chunk by chunk; an error when it makes room, or is replaced, meanwhile.
final class CacheBodySource: ByteStreamSource {
    private let store: SQLiteCacheStore
    private let body: Int64
    private let length: Int64
    private let state = Locked<(chunk: Int64, read: Int64)>((0, 0))

    init(_ store: SQLiteCacheStore, body: Int64, length: Int64) {
        self.store = store
        self.body = body
        self.length = length
    }

    func next() async throws -> Bytes? {
        let (number, read) = state.withLock { $0 }
        if read >= length { return nil }
        let sealed = try await store.database.read { [body] connection in
            let statement = try connection.cachedStatement(sql: "SELECT bytes FROM cache_chunk WHERE body = ? AND number = ?")
            return try Data.fetchOne(statement, arguments: [body, number])
        }
        guard let sealed, let bytes = try? store.veil.open(Bytes(sealed), as: .chunk(body: body, number: number)) else {
            throw TarmacError(.storeFailed, phase: .receiving, "the cached body was replaced or removed while it was read", suggestion: "make the call again")
        }
        state.withLock { $0 = (number + 1, read + Int64(bytes.count)) }
        return bytes
    }
}
#endif
