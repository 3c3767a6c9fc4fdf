/// The stores of a client's answers, to look into and to clear (YTK-B3).
///
/// ```swift
/// try await client.cache.remove(.tag("feed"))
/// try await client.cache.removeAll(of: .shop)
/// ```
public struct ClientCache: Sendable {
    private let stores: [any CacheStore]

    init(_ stores: [any CacheStore]) { self.stores = stores }

    /// Removes what the selection names from every store; returns how many entries there were.
    @discardableResult
    public func remove(_ selection: CacheSelection) async throws -> Int {
        var count = 0
        for store in stores { count += try await store.remove(selection) }
        return count
    }

    /// Removes everything.
    public func removeAll() async throws { try await remove(.all) }

    /// Removes what is stored for a service, in every environment.
    public func removeAll(of service: Service) async throws { try await remove(.service(service.name)) }

    /// What is stored, without bodies: at most `limit` entries. Their keys may hold secrets; ``CacheEntry/shownURL`` does not.
    public func entries(_ selection: CacheSelection = .all, limit: Int = 1000) async throws -> [CacheEntry] {
        var entries: [CacheEntry] = []
        for store in stores where entries.count < limit { entries += try await store.list(selection, after: nil, limit: limit - entries.count) }
        return entries
    }

    /// How all stores are doing together.
    public func statistics() async throws -> CacheStatistics {
        var sum = CacheStatistics()
        for store in stores {
            let one = try await store.statistics()
            sum.entries += one.entries
            sum.bytes += one.bytes
            sum.limit += one.limit
            sum.evictions += one.evictions
            sum.corruptions += one.corruptions
        }
        return sum
    }

    /// Returns once what was stored survives the end of the process, as far as its store does.
    public func flush() async throws { for store in stores { try await store.flush() } }
}

extension Client {
    /// The stores of this client's answers: its memory, and those its settings and its services' name, or that a call has used.
    public var cache: ClientCache { ClientCache(engine.cacheStores) }
}

extension Engine {
    fileprivate var cacheStores: [any CacheStore] {
        for layer in layers { if let store = layer.cacheStore?.store { cache.use(store) } }
        return cache.stores
    }
}
