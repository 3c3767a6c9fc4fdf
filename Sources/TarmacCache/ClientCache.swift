public import TarmacCore
import TarmacSupport

/// The stores of a client's cached responses. Use it to inspect and to clear them.
///
/// ```swift
/// try await client.cache.remove(.tag("feed"))
/// try await client.cache.remove(.principal("ann"))
/// ```
public struct ClientCache: Sendable {
    private let cacheState: CacheState

    init(_ cacheState: CacheState) { self.cacheState = cacheState }

    /// Calls `body` with each store, after its pending writes.
    private func inEachStore(_ body: (any CacheStore) async throws -> Void) async throws {
        for writeQueue in cacheState.writeQueues {
            await writeQueue.drained()
            try await body(writeQueue.store)
        }
    }

    /// Removes the entries that match `selection` from every store. Returns the number of removed entries.
    ///
    /// A response that arrives during the removal is delivered but not stored.
    ///
    /// - Throws: `TarmacError(.invalidURL)` if the selection has a URL or the beginning of one that is not absolute, and
    ///   otherwise the first store's error. The other stores are still cleared. In this process, no call uses an entry
    ///   that could not be removed.
    @discardableResult
    public func remove(_ selection: CacheSelection) async throws -> Int {
        let selection = try selection.checked()
        cacheState.noteChangeOfAll()
        var count = 0
        var fault: (any Error)?
        for writeQueue in cacheState.writeQueues {
            await writeQueue.drained()
            do { count = count.addingClamped(try await writeQueue.removeNow(selection)) } catch { fault = fault ?? error }
        }
        if let fault { throw fault }
        return count
    }

    /// Removes all entries.
    public func removeAll() async throws { try await remove(.all) }

    /// Returns up to `limit` stored entries, without their bodies. Their keys may contain secrets;
    /// ``CacheEntry/shownURL`` does not. A negative limit counts as zero.
    ///
    /// - Throws: as ``remove(_:)`` does.
    public func entries(_ selection: CacheSelection = .all, limit: Int = 1000) async throws -> [CacheEntry] {
        let selection = try selection.checked()
        var entries: [CacheEntry] = []
        try await inEachStore { if entries.count < limit { entries += try await $0.list(selection, after: nil, limit: limit - entries.count) } }
        return entries
    }

    /// Returns the sum of the statistics of all stores.
    public func statistics() async throws -> CacheStatistics {
        var sum = CacheStatistics()
        try await inEachStore {
            let one = try await $0.statistics()
            sum.entries = sum.entries.addingClamped(one.entries)
            sum.bytes = sum.bytes.addingClamped(one.bytes)
            sum.limit = sum.limit.addingClamped(one.limit)
            sum.evictions = sum.evictions.addingClamped(one.evictions)
            sum.corruptions = sum.corruptions.addingClamped(one.corruptions)
        }
        return sum
    }

    /// Returns when all stored responses survive the end of the process, in stores that are durable.
    public func flush() async throws { for writeQueue in cacheState.writeQueues { try await writeQueue.flush() } }
}

extension Client {
    /// The stores of this client's cached responses: the one in memory, those in the settings of the client and its
    /// services, and those that a call has used.
    public var cache: ClientCache { ClientCache(engine.cache) }
}

extension Engine {
    /// The state that the client keeps for its caches.
    var cache: CacheState { scope.state(CacheState.self) }
}
