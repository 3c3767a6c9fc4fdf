#if Redis
@_spi(TarmacRooms) import TarmacCache
@_spi(TarmacRooms) import TarmacCore

/// Writes a body: a small one is kept in memory until it is published, a large one goes to the server in chunks that no lookup finds.
final class RedisCacheWriter: CacheWriter {
    private let store: RedisCacheStore
    private let number = Int64.random(in: 0 ... .max)
    private let body = ChunkedBody()
    /// The time after which the server forgets the chunks of a process that was killed.
    static let lifetime = Duration.seconds(120)

    init(_ store: RedisCacheStore) { self.store = store }

    func append(_ chunk: Bytes) async throws { try await body.append(chunk, storeLimit: store.limit, write: write) }

    func publish(_ entry: CacheEntry) async throws -> Bool {
        if let small = body.endSmall(limit: RedisCacheStore.inlineLimit) { return try await store.publish(entry, small: small) }
        if let rest = body.rest() { try await write(rest) }
        let isStored = try await store.publish(entry, length: body.size.bytes, body: number, chunks: body.size.chunks)
        if isStored { _ = body.end() } else { await abort() }
        return isStored
    }

    func abort() async {
        if body.end() { await store.forget(body: number) }
    }

    private func write(_ chunk: ChunkedBody.Chunk) async throws {
        let sealed = try await store.veil().seal(Bytes(chunk.bytes), as: .chunk(body: number, number: chunk.number))
        _ = try await store.run(CacheScripts.append, [Bytes("\(number)"), sealed, Bytes("\(Self.lifetime.components.seconds)")])
    }

    deinit {
        guard body.end() else { return }
        // LIFETIME: ends with one command, which has a time limit.
        Task { [store, number] in await store.forget(body: number) }
    }
}

extension RedisCacheStore {
    fileprivate func forget(body number: Int64) async { _ = try? await commands.run("UNLINK", bodyKey(number)) }
}
#endif
