#if SQLite
import GRDB
import TarmacCache
@_spi(TarmacRooms) import TarmacCore

/// Writes a body: a small one is kept in memory until it is published, a large one goes into chunks that are not
/// visible.
final class SQLiteCacheWriter: CacheWriter {
    private let store: SQLiteCacheStore
    private let number = Int64.random(in: .min ... .max)
    private let body = ChunkedBody()

    init(_ store: SQLiteCacheStore) { self.store = store }

    func append(_ chunk: Bytes) async throws { try await body.append(chunk, storeLimit: store.limit, write: write) }

    func publish(_ entry: CacheEntry) async throws -> Bool {
        if let small = body.endSmall(limit: SQLiteCacheStore.inlineLimit) { return try await store.publish(entry, body: small) }
        if let rest = body.rest() { try await write(rest) }
        var entry = entry
        entry.bodyLength = body.size.bytes
        let isStored = try await store.publish(try NewCacheRow(entry, body: nil, bodyNumber: number, store.veil))
        if isStored { _ = body.end() } else { await abort() }
        return isStored
    }

    func abort() async {
        if body.end() { await store.forget(body: number) }
    }

    private func write(_ chunk: ChunkedBody.Chunk) async throws {
        let sealed = try store.veil.seal(Bytes(chunk.bytes), as: .chunk(body: number, number: chunk.number))
        let bytes = sealed.data, sum = Checksum(sealed).value
        let owner = try store.owner()
        let (isWritten, gone) = try await store.writing(of: Int64(bytes.count)) { [number, limit = store.limit] connection in
            if chunk.number == 0 { try connection.begin(body: number, owner: owner) }
            guard try connection.append(bytes, sum: sum, number: chunk.number, toBody: number) else { return (false, 0) }
            let gone = try connection.evict(limit: limit, keeping: nil)
            return (try !connection.isCrowded(limit: limit), gone)
        }
        store.state.withLock { $0.evictions += gone }
        // The body was swept, or there is no room for so many bodies at once: it is not stored, which is no fault.
        if !isWritten { throw TarmacError(.bodyTooLarge, phase: .receiving, "the body does not fit into the cache") }
    }

    deinit {
        guard body.end() else { return }
        // LIFETIME: ends with one transaction.
        Task { [store, number] in await store.forget(body: number) }
    }
}

extension SQLiteCacheStore {
    fileprivate func forget(body number: Int64) async {
        try? await writing { try $0.forget(body: number) }
    }
}
#endif
