/// How a store is doing.
public struct CacheStatistics: Sendable, Equatable {
    public var entries = 0
    /// What they take, bodies and fields, in bytes.
    public var bytes: Int64 = 0
    /// What they may take.
    public var limit: Int64 = 0
    /// Entries that had to make room since the store was opened.
    public var evictions = 0
    /// Entries that were found damaged since the store was opened.
    public var corruptions = 0

    public init() {}
}
