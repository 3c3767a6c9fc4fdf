public import TarmacCore

/// The stores of a client's answers, to look into and to clear (YTK-B3).
///
/// ```swift
/// try await client.cache.remove(.tag("feed"))
/// try await client.cache.removeAll(of: .shop)
/// ```
public struct ClientCache: Sendable {
    private let shelf: CacheShelf

    init(_ shelf: CacheShelf) { self.shelf = shelf }

    /// The stores, each once what was answered so far is written into it.
    private func visit(_ body: (any CacheStore) async throws -> Void) async throws {
        for backlog in shelf.backlogs {
            await backlog.drained()
            try await body(backlog.store)
        }
    }

    /// Removes what the selection names from every store; returns how many entries there were. What is asked for at the time,
    /// whatever it is, is delivered and not stored.
    ///
    /// - Throws: what the first store did that could not remove them: the others have. Nobody is shown what is left in this process.
    @discardableResult
    public func remove(_ selection: CacheSelection) async throws -> Int {
        shelf.noteChangeOfAll()
        var count = 0
        var fault: (any Error)?
        for backlog in shelf.backlogs {
            await backlog.drained()
            do { count += try await backlog.removeNow(selection) } catch { fault = fault ?? error }
        }
        if let fault { throw fault }
        return count
    }

    /// Removes everything.
    public func removeAll() async throws { try await remove(.all) }

    /// Removes what is stored for a service, in every environment.
    public func removeAll(of service: Service) async throws { try await remove(.service(service.name)) }

    /// Removes what is stored for somebody, such as who has logged out: the value of ``Options/principal`` or the account of an
    /// authenticator, in every service and environment. Reads through what is stored. Returns how many entries there were.
    @discardableResult
    public func removeAll(ofPrincipal name: String) async throws -> Int {
        // Though nothing of his may be stored yet: what is on its way is not.
        shelf.noteChangeOfAll()
        return try await remove(.principal(name))
    }

    /// What is stored, without bodies: at most `limit` entries. Their keys may hold secrets; ``CacheEntry/shownURL`` does not.
    public func entries(_ selection: CacheSelection = .all, limit: Int = 1000) async throws -> [CacheEntry] {
        var entries: [CacheEntry] = []
        try await visit { if entries.count < limit { entries += try await $0.list(selection, after: nil, limit: limit - entries.count) } }
        return entries
    }

    /// How all stores are doing together.
    public func statistics() async throws -> CacheStatistics {
        var sum = CacheStatistics()
        try await visit {
            let one = try await $0.statistics()
            sum.entries += one.entries
            sum.bytes += one.bytes
            sum.limit += one.limit
            sum.evictions += one.evictions
            sum.corruptions += one.corruptions
        }
        return sum
    }

    /// Returns once what was stored survives the end of the process, as far as its store does.
    public func flush() async throws { for backlog in shelf.backlogs { try await backlog.flush() } }
}

extension Client {
    /// The stores of this client's answers: its memory, and those its settings and its services' name, or that a call has used.
    public var cache: ClientCache { ClientCache(engine.cache) }
}

extension Engine {
    /// What the client keeps for its caches.
    var cache: CacheShelf { scope.state(CacheShelf.self) }
}
