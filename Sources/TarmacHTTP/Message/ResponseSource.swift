/// The source of a response.
public enum ResponseSource: String, Sendable, CaseIterable {
    /// The server.
    case network
    /// The cache, with a response that is fresh.
    case cache
    /// The cache, with an expired response: the server allows it for a while, the app wants it, or there was no
    /// connection.
    case staleCache
    /// The cache, with a response that the server confirmed as valid.
    case validatedCache

    /// Whether the body comes from the cache.
    public var isCache: Bool { self != .network }
}
