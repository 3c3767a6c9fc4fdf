#if Redis
@_spi(TarmacRooms) import TarmacCache
@_spi(TarmacRooms) import TarmacCore

/// Writes a body: a small one is kept in memory until it is published, a large one goes to the server in chunks that no lookup finds.
final class RedisCacheWriter: CacheWriter {
    private struct State {
        var gathered: [UInt8] = []
        var length: Int64 = 0
        var chunks: Int64 = 0
        var isOver = false
    }

    private let store: RedisCacheStore
    private let number = Int64.random(in: 0 ... .max)
    private let state = Locked(State())
    static let chunkSize = 256 << 10
    /// The time after which the server forgets the chunks of a process that was killed.
    static let lifetime = Duration.seconds(120)

    init(_ store: RedisCacheStore) { self.store = store }

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
        if let small = state.withLock({ $0.chunks == 0 && $0.gathered.count <= RedisCacheStore.inlineLimit ? $0.gathered : nil }) {
            state.withLock { $0.isOver = true }
            return try await store.publish(entry, small: Bytes(small))
        }
        if let next = takeChunk(ofAtLeast: 1) { try await write(next) }
        let (length, chunks) = state.withLock { ($0.length, $0.chunks) }
        let isStored = try await store.publish(entry, length: length, body: number, chunks: chunks)
        if isStored { state.withLock { $0.isOver = true } } else { await abort() }
        return isStored
    }

    func abort() async {
        if let number = end() { await store.forget(body: number) }
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
        let sealed = try await store.veil().seal(Bytes(chunk.bytes), as: .chunk(body: number, number: chunk.number))
        _ = try await store.run(CacheScripts.append, [Bytes("\(number)"), sealed, Bytes("\(Self.lifetime.components.seconds)")])
    }

    deinit {
        guard let number = end() else { return }
        // LIFETIME: ends with one command, which has a time limit.
        Task { [store] in await store.forget(body: number) }
    }
}

extension RedisCacheStore {
    fileprivate func forget(body number: Int64) async { _ = try? await commands.run("UNLINK", bodyKey(number)) }
}
#endif
