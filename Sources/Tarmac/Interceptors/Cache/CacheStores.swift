/// The stores of one call: the app's, or the client's memory; and the memory too where the app's may not have everything.
struct CacheStores: Sendable {
    private let main: any CacheStore
    /// For what must not be written to a file.
    private let side: MemoryCacheStore?

    /// What was found, and where.
    struct Found: Sendable {
        let record: CacheRecord
        let store: any CacheStore
        var entry: CacheEntry { record.entry }

        /// The body, which counts as used; `nil` when it is gone or damaged.
        func body() async -> ResponseBody? {
            if let body = record.body {
                store.touch(entry)
                return .bytes(body)
            }
            return (try? await store.body(of: entry)) ?? nil
        }
    }

    init(shelf: CacheShelf, own: (any CacheStore)?) {
        if let own { shelf.use(own) }
        main = own ?? shelf.memory
        side = own?.isDurable == true ? shelf.memory : nil
    }

    /// All that is stored under a key.
    func find(_ key: CacheKey, tell: (CacheNotice) -> Void) async -> (found: [Found], wasCorrupt: Bool) {
        var found = side?.lookupNow(key)?.records.map { Found(record: $0, store: side ?? main) } ?? []
        guard !main.isDurable || key.isDurable else { return (found, false) }
        // Without a wait where it is at hand.
        if side == nil, let lookup = main.lookupNow(key) { return (lookup.records.map { Found(record: $0, store: main) }, lookup.wasCorrupt) }
        do {
            let lookup = try await main.lookup(key)
            found += lookup.records.map { Found(record: $0, store: main) }
            tellNotices(tell)
            return (found, lookup.wasCorrupt)
        } catch {
            if main.tellsByNotices { tellNotices(tell) } else { tell(CacheNotice(.unreadable, Self.reason(main, error))) }
            return (found, false)
        }
    }

    /// What is at hand under a key, without a wait; the first store that has something.
    func findNow(_ key: CacheKey) -> [Found] {
        let stores: [any CacheStore] = (side.map { [$0] } ?? []) + [main]
        return stores.flatMap { store in (store.lookupNow(key)?.records ?? []).map { Found(record: $0, store: store) } }
    }

    /// Where an entry may be stored.
    func store(for entry: CacheEntry) -> any CacheStore { main.isDurable && !entry.isDurable ? side ?? main : main }

    func publish(_ entry: CacheEntry, body: Bytes, tell: (CacheNotice) -> Void) async -> Bool {
        let store = store(for: entry)
        guard !store.isDurable || entry.isDurable else { return false }
        return await attempt(store, tell) { try await store.publish(entry, body: body) } ?? false
    }

    func makeWriter(for entry: CacheEntry, tell: (CacheNotice) -> Void) async -> (any CacheWriter)? {
        let store = store(for: entry)
        guard !store.isDurable || entry.isDurable else { return nil }
        return await attempt(store, tell) { try await store.makeWriter(for: entry) } ?? nil
    }

    /// Whether the entry is still there.
    @discardableResult
    func update(_ entry: CacheEntry, in store: any CacheStore, tell: (CacheNotice) -> Void) async -> Bool {
        await attempt(store, tell) { try await store.update(entry) } ?? false
    }

    func remove(_ selection: CacheSelection, tell: (CacheNotice) -> Void) async {
        if let side { _ = await side.remove(selection) }
        _ = await attempt(main, tell) { try await main.remove(selection) }
    }

    private func attempt<Value>(_ store: any CacheStore, _ tell: (CacheNotice) -> Void, _ body: () async throws -> Value) async -> Value? {
        do {
            let value = try await body()
            tellNotices(tell)
            return value
        } catch {
            // One that does not fit is not stored, and that is all.
            if (error as? TarmacError)?.code != .bodyTooLarge { tellFailure(error, of: store, tell) }
            return nil
        }
    }

    /// Tells that a store could not be written.
    func tellFailure(_ error: any Error, of store: any CacheStore, _ tell: (CacheNotice) -> Void) {
        if store.tellsByNotices { tellNotices(tell) } else { tell(CacheNotice(.unwritable, Self.reason(store, error))) }
    }

    private func tellNotices(_ tell: (CacheNotice) -> Void) {
        for notice in main.takeNotices() { tell(notice) }
    }

    private static func reason(_ store: any CacheStore, _ error: any Error) -> String {
        "the store \(store.name) " + ((error as? TarmacError)?.reason ?? "failed: \(type(of: error))")
    }
}
