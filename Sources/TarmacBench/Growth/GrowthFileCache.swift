#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacCache

/// Opening a cache store on disk, up to the first answer.
struct GrowthFileCache: GrowthWork {
    var name: String { "entries of a FileCacheStore, opening it" }
    var unit: String { "the first answer" }
    var sizes: [Int] { [100, 1_000, 10_000] }

    func prepare(size: Int) async throws -> @Sendable () async throws -> Void {
        let folder = FileManager.default.temporaryDirectory.path + "/growth-\(UUID().uuidString)"
        let keys = (0..<size).map { CacheKey(service: "shop", environment: "production", url: "https://shop.example/\($0)") }
        do {
            let store = try FileCacheStore(folder: folder)
            for key in keys { _ = try await store.publish(Self.entry(key), body: Bytes("answer")) }
            try await store.flush()
        }
        return {
            let store = try FileCacheStore(folder: folder)
            guard let entry = try await store.lookup(keys[size / 2]).records.first?.entry, let body = try await store.body(of: entry) else {
                preconditionFailure("an entry is missing")
            }
            _ = body
        }
    }

    static func entry(_ key: CacheKey) -> CacheEntry {
        CacheEntry(key: key, shownURL: key.url, headers: [.cacheControl: "max-age=1000"], requestDate: Date(), responseDate: Date(), bodyLength: 6)
    }
}
#endif
