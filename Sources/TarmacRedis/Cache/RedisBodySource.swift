#if Redis
import TarmacCache
@_spi(TarmacRooms) import TarmacCore

/// Reads a large body chunk by chunk. Throws an error if the entry is removed or replaced during the read.
final class RedisBodySource: ByteStreamSource {
    private let store: RedisCacheStore
    private let veil: CacheKeyDigester
    private let body: Int64
    private let length: Int64
    private let state = Locked<(chunk: Int64, read: Int64)>((0, 0))

    init(_ store: RedisCacheStore, _ veil: CacheKeyDigester, body: Int64, length: Int64) {
        (self.store, self.veil, self.body, self.length) = (store, veil, body, length)
    }

    func next() async throws -> Bytes? {
        let (number, read) = state.withLock { $0 }
        if read >= length { return nil }
        let sealed = try await store.commands.run("LINDEX", store.bodyKey(body), "\(number)").bytes
        guard let sealed, let bytes = try? veil.open(sealed, as: .chunk(body: body, number: number)), !bytes.isEmpty, bytes.count <= length - read else {
            throw TarmacError(.storeFailed, phase: .receiving, "the cached body was replaced or removed while it was read", suggestion: "make the call again")
        }
        state.withLock { $0 = (number + 1, read + Int64(bytes.count)) }
        return bytes
    }
}
#endif
