/// Where a response comes from.
public enum ResponseSource: String, Sendable, CaseIterable {
    /// The server.
    case network
    /// The cache, and it is good.
    case cache
    /// The cache, past its time: the server allows it for a while, the app wants it, or no connection could be had.
    case staleCache
    /// The cache, and the server said that it is still good.
    case validatedCache

    /// Whether the body comes from the cache (YTK-28).
    public var isCache: Bool { self != .network }
}
