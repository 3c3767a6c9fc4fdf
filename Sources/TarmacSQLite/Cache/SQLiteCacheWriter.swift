#if SQLite
import GRDB
import TarmacCache
@_spi(TarmacRooms) import TarmacCore

/// Writes a body: a small one is kept in memory until it is published, a large one goes into chunks that are not
/// visible.
final class SQLiteCacheWriter: CacheWriter {
    private struct State {
        var gathered: [UInt8] = []
        var length: Int64 = 0
        var chunks: Int64 = 0
        var isOver = false
    }

    private let store: SQLiteCacheStore
    private let number = Int64.random(in: .min ... .max)
    private let state = Locked(State())
    static let chunkSize = 256 << 10

    init(_ store: SQLiteCacheStore) { self.store = store }

    func append(_ chunk: Bytes) async throws {
        let isTooLarge = state.withLock { state in
            state.length += Int64(chunk.count)
            return state.length > store.limit / 4
        }
        if isTooLarge { throw TarmacError(.bodyTooLarge, phase: .receiving, "the body does not fit into the cache") }
        var place = 0
        while place < chunk.count {
            place = gather(chunk, from: place)
            if let next = takeChunk(ofAtLeast: Self.chunkSize) { try await write(next) }
        }
    }

    /// Adds bytes up to the size of a chunk; returns where the rest begins.
    private func gather(_ chunk: Bytes, from place: Int) -> Int {
        state.withLock { state in
            if state.isOver { return chunk.count }
            let end = min(chunk.count, place + Self.chunkSize - state.gathered.count)
            chunk.withUnsafeBytes { state.gathered.append(contentsOf: $0[place..<end]) }
            return end
        }
    }

    func publish(_ entry: CacheEntry) async throws -> Bool {
        if let small = state.withLock({ $0.chunks == 0 && $0.gathered.count <= SQLiteCacheStore.inlineLimit ? $0.gathered : nil }) {
            state.withLock { $0.isOver = true }
            return try await store.publish(entry, body: Bytes(small))
        }
        if let next = takeChunk(ofAtLeast: 1) { try await write(next) }
        var entry = entry
        entry.bodyLength = state.withLock { $0.length }
        let isStored = try await store.publish(try NewCacheRow(entry, body: nil, bodyNumber: number, store.veil))
        if isStored { state.withLock { $0.isOver = true } } else { await abort() }
        return isStored
    }

    func abort() async {
        guard let number = end() else { return }
        await store.forget(body: number)
    }

    /// Ends the writer; returns the number of the body to remove, if any of it was written.
    private func end() -> Int64? {
        state.withLock { state in
            defer { (state.isOver, state.gathered) = (true, []) }
            return state.isOver || state.chunks == 0 ? nil : number
        }
    }

    private func takeChunk(ofAtLeast size: Int) -> (number: Int64, bytes: [UInt8])? {
        state.withLock { state in
            guard !state.isOver, state.gathered.count >= size else { return nil }
            defer { (state.chunks, state.gathered) = (state.chunks + 1, []) }
            return (state.chunks, state.gathered)
        }
    }

    private func write(_ chunk: (number: Int64, bytes: [UInt8])) async throws {
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
        guard let number = end() else { return }
        // LIFETIME: ends with one transaction.
        Task { [store] in await store.forget(body: number) }
    }
}

extension SQLiteCacheStore {
    fileprivate func forget(body number: Int64) async {
        try? await writing { try $0.forget(body: number) }
    }
}
#endif
