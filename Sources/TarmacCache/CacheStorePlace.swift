/// The store for the responses of a call: memory, or a store of your own. See ``Options/cacheStore``.
public struct CacheStorePlace: Sendable, CustomStringConvertible {
    let store: (any CacheStore)?

    /// In memory, up to 32 MiB, for the lifetime of the client. Each client has its own.
    public static let memory = CacheStorePlace(store: nil)

    /// In a store that the app provides. Clients with the same store share its entries. Responses that must not be
    /// written to a file stay in the client's memory.
    public static func store(_ store: any CacheStore) -> CacheStorePlace { CacheStorePlace(store: store) }

    public var description: String { store?.name ?? "memory" }
}
