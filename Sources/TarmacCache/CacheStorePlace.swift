/// Where a call's answers are kept: ``Options/cacheStore``.
public struct CacheStorePlace: Sendable, CustomStringConvertible {
    let store: (any CacheStore)?

    /// In memory, 32 MiB, for as long as the client lives; each client has its own.
    public static let memory = CacheStorePlace(store: nil)

    /// In a store of the app's. Clients that are given one store share what is in it. Answers that must not be written to a
    /// file stay in the client's memory.
    public static func store(_ store: any CacheStore) -> CacheStorePlace { CacheStorePlace(store: store) }

    public var description: String { store?.name ?? "memory" }
}
