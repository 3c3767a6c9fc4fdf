/// The size and the counters of a store.
public struct CacheStatistics: Sendable, Equatable {
    public var entries = 0
    /// The size of the entries, bodies and fields, in bytes.
    public var bytes: Int64 = 0
    /// The maximum size of the entries, in bytes.
    public var limit: Int64 = 0
    /// The number of entries that were evicted since the store was opened.
    public var evictions = 0
    /// The number of entries that were found damaged since the store was opened.
    public var corruptions = 0

    public init() {}
}
