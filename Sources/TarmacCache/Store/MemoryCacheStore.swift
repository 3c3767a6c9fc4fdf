import TarmacJSON

@_spi(TarmacRooms) public import TarmacCore

/// A cache store in memory with a size limit. Its entries end with the process.
///
/// The store evicts entries by S3-FIFO (Yang et al., SOSP 2023): entries that were never used go first, so that a scan
/// through many responses does not evict those in frequent use.
public final class MemoryCacheStore: CacheStore {
    /// The maximum size of the entries, bodies and fields, in bytes.
    package let limit: Int
    private let state: Locked<MemoryCacheIndex>

    /// Creates an empty store.
    ///
    /// - Parameter limit: the maximum size in bytes. Default: 32 MiB. No entry may take more than a quarter of it. A call whose
    ///   ``Options/cacheStore`` has a negative limit fails with `TarmacError(.invalidOption)`.
    public init(limit: Int = 32 << 20) {
        self.limit = limit
        state = Locked(MemoryCacheIndex(limit: max(0, limit)))
    }

    /// The reason why the store cannot be used, or `nil` if it can.
    var fault: String? { limit < 0 ? "a memory of \(limit) bytes is less than none" : nil }

    public var name: String { "memory" }
    public var isDurable: Bool { false }

    public func lookup(_ key: CacheKey) async -> CacheLookup { lookUp(key) }
    public func lookupNow(_ key: CacheKey) -> CacheLookup? { lookUp(key) }

    private func lookUp(_ key: CacheKey) -> CacheLookup {
        state.withLock { $0.lookup(key) }
    }

    public func body(of entry: CacheEntry) async -> ResponseBody? {
        state.withLock { $0.use(entry.id) }.map { .bytes($0) }
    }

    public func touch(_ entry: CacheEntry) { state.withLock { _ = $0.use(entry.id) } }

    @discardableResult
    public func publish(_ entry: CacheEntry, body: Bytes) async -> Bool {
        var entry = entry
        entry.bodyLength = Int64(body.count)
        let node = MemoryNode(entry, body)
        // Evicted entries are released outside the lock.
        let (fits, gone) = state.withLock { $0.insert(node) }
        withExtendedLifetime(gone) {}
        return fits
    }

    public func makeWriter(for entry: CacheEntry) async -> (any CacheWriter)? {
        entry.bodyLength > Int64(limit / 4) ? nil : MemoryCacheWriter(self, limit: limit / 4)
    }

    @discardableResult
    public func update(_ entry: CacheEntry) async -> Bool { state.withLock { $0.update(entry) } }

    @discardableResult
    public func remove(_ selection: CacheSelection) async -> Int {
        state.withLock { $0.remove(selection) }.count
    }

    public func list(_ selection: CacheSelection, after id: UInt64?, limit: Int) async -> [CacheEntry] {
        let all = state.withLock { $0.entries }.filter { selection.contains($0) }.ordered { $0.id < $1.id }
        return Array(all.drop { entry in id.map { entry.id <= $0 } ?? false }.prefix(max(0, limit)))
    }

    public func statistics() async -> CacheStatistics { state.withLock { $0.statistics } }
}

private final class MemoryCacheWriter: CacheWriter {
    private let store: MemoryCacheStore
    private let collector: Locked<ByteCollector>

    init(_ store: MemoryCacheStore, limit: Int) {
        self.store = store
        collector = Locked(ByteCollector(limit: limit))
    }

    func append(_ chunk: Bytes) async throws { try collector.withLock { try $0.append(chunk) } }

    func publish(_ entry: CacheEntry) async -> Bool {
        await store.publish(entry, body: collector.withLock { $0.finish() })
    }

    func abort() async { collector.withLock { $0 = ByteCollector(limit: 0) } }
}
