import TarmacTesting

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCache
@testable import TarmacCore
@testable import TarmacHTTP

/// A store that says it is a disk, whose writes wait for the test, or fail if the test says so.
final class GatedStore: CacheStore {
    struct Full: Error {}
    let base = MemoryCacheStore()
    let isOpen: Watched<Bool>
    let fails = Watched(false)
    /// What was asked of it, in order.
    let writes = Watched<[String]>([])

    init(isOpen: Bool = true) { self.isOpen = Watched(isOpen) }

    var name: String { "gated" }
    var isDurable: Bool { true }

    func pass(_ what: String) async throws {
        writes.update { $0.append(what) }
        try await isOpen.wait { $0 }
        if fails.value { throw Full() }
    }

    func lookup(_ key: CacheKey) async -> CacheLookup { await base.lookup(key) }
    func body(of entry: CacheEntry) async -> ResponseBody? { await base.body(of: entry) }
    func publish(_ entry: CacheEntry, body: Bytes) async throws -> Bool {
        try await pass("publish")
        return await base.publish(entry, body: body)
    }
    func makeWriter(for entry: CacheEntry) async throws -> (any CacheWriter)? {
        try await pass("writer")
        guard let writer = await base.makeWriter(for: entry) else { return nil }
        return GatedWriter(self, writer)
    }
    func update(_ entry: CacheEntry) async throws -> Bool {
        try await pass("update")
        return await base.update(entry)
    }
    func remove(_ selection: CacheSelection) async throws -> Int {
        try await pass("remove")
        return await base.remove(selection)
    }
    func list(_ selection: CacheSelection, after id: UInt64?, limit: Int) async -> [CacheEntry] { await base.list(selection, after: id, limit: limit) }
    func statistics() async -> CacheStatistics { await base.statistics() }
}

private final class GatedWriter: CacheWriter {
    private let store: GatedStore
    private let base: any CacheWriter

    init(_ store: GatedStore, _ base: any CacheWriter) { (self.store, self.base) = (store, base) }

    func append(_ chunk: Bytes) async throws {
        try await store.pass("append")
        try await base.append(chunk)
    }
    func publish(_ entry: CacheEntry) async throws -> Bool {
        try await store.pass("publish")
        return try await base.publish(entry)
    }
    func abort() async { await base.abort() }
}
