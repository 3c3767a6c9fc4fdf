public import TarmacCore

/// A store for cached responses, such as `MemoryCacheStore`, `FileCacheStore` or the store of TarmacSQLite.
///
/// A store must meet these requirements, which `CacheStoreConformance` of TarmacTesting tests:
/// - A reader sees an entry and its body together or not at all, whatever fails, and only under exactly the key they
///   were stored under.
/// - There is one entry for each key and variant. Publishing another replaces it. A reader of the old body reads it to
///   its end or gets an error, never bytes of both.
/// - The next lookup finds a published entry. The store decides when the entry reaches a disk, until ``flush()``.
/// - The size stays within the store's limit, and entries unused for long are evicted first. An entry that is too large
///   is not stored, and publishing it returns `false`.
/// - No operation waits for another operation's slow reader or writer. A call waits 2 s for a lookup or a body, then
///   continues without the store.
/// - A failure loses the entry, not the call. An error is reported once to the call's observers, and calls continue
///   uncached.
///
/// A client writes from one task, in order, after delivering its responses. Two clients that share a store write
/// concurrently.
public protocol CacheStore: AnyObject, Sendable {
    /// The name that events and the command line show, such as `memory`.
    var name: String { get }
    /// Whether entries outlive the process. Such a store receives only durable entries (``CacheEntry/isDurable``).
    var isDurable: Bool { get }
    /// Whether the store keeps no part of a response in plain text, and contains only entries that the app put there.
    /// Default: `false`.
    ///
    /// A durable store that is not sealed neither receives encrypted or verified responses nor is asked for them.
    var isSealed: Bool { get }

    /// Returns the entries stored under a key, one for each variant, in any order. A lookup does not count as a use.
    func lookup(_ key: CacheKey) async throws -> CacheLookup
    /// Returns the entries stored under a key immediately, for ``Client/cached(_:configure:)``, or `nil` if the store
    /// would have to wait. Default: `nil`.
    func lookupNow(_ key: CacheKey) -> CacheLookup?
    /// Returns the body of an entry, which counts as a use, or `nil` if the entry was replaced or removed, or is
    /// damaged.
    func body(of entry: CacheEntry) async throws -> ResponseBody?
    /// Records a use of the body that a lookup returned. It is called often and must be cheap. Default: does nothing.
    func touch(_ entry: CacheEntry)

    /// Stores an entry with a complete body. Returns `false` if it does not fit. Default: uses a writer.
    @discardableResult
    func publish(_ entry: CacheEntry, body: Bytes) async throws -> Bool
    /// Starts to store an entry whose body arrives in pieces. Returns `nil` if it cannot fit.
    func makeWriter(for entry: CacheEntry) async throws -> (any CacheWriter)?
    /// Updates the metadata of an entry after a validation and keeps its body. Returns `false` if the entry was
    /// replaced or removed. The key and the variant never change.
    @discardableResult
    func update(_ entry: CacheEntry) async throws -> Bool
    /// Removes the entries that match a selection. Returns the number of removed entries.
    @discardableResult
    func remove(_ selection: CacheSelection) async throws -> Int

    /// Returns entries without their bodies, for tools, in the order of their ids: at most `limit`, after the one with
    /// the given id.
    func list(_ selection: CacheSelection, after id: UInt64?, limit: Int) async throws -> [CacheEntry]
    func statistics() async throws -> CacheStatistics
    /// Returns the notices since the previous call of this method, such as faults that occurred after a call had ended.
    /// Default: none.
    func takeNotices() -> [CacheNotice]
    /// Whether the notices report every fault, once when it begins and once when it ends. Default: `false`, every error
    /// is reported.
    ///
    /// If `true`, calls report only the notices, and a thrown error is only for the direct caller of the store.
    var tellsByNotices: Bool { get }
    /// Returns when all published entries survive the end of the process. Default: immediately.
    func flush() async throws
}

extension CacheStore {
    public var isSealed: Bool { false }
    public func lookupNow(_ key: CacheKey) -> CacheLookup? { nil }
    public func touch(_ entry: CacheEntry) {}
    public func takeNotices() -> [CacheNotice] { [] }
    public var tellsByNotices: Bool { false }
    public func flush() async throws {}

    @discardableResult
    public func publish(_ entry: CacheEntry, body: Bytes) async throws -> Bool {
        var entry = entry
        entry.bodyLength = Int64(body.count)
        guard let writer = try await makeWriter(for: entry) else { return false }
        do {
            if !body.isEmpty { try await writer.append(body) }
            return try await writer.publish(entry)
        } catch {
            await writer.abort()
            throw error
        }
    }
}

/// A writer for a body that arrives in pieces. The entry is invisible until it is published. A writer that is released
/// or aborted leaves nothing.
public protocol CacheWriter: AnyObject, Sendable {
    /// Appends a piece of the body. Throws if it no longer fits; the caller then aborts.
    func append(_ chunk: Bytes) async throws
    /// Publishes the written body under `entry`, whose ``CacheEntry/bodyLength`` is the number of bytes written.
    /// Returns `false` if it does not fit.
    func publish(_ entry: CacheEntry) async throws -> Bool
    /// Discards the written bytes. Aborting twice, or after publishing, does nothing.
    func abort() async
}

/// The entries that a store has under one key.
public struct CacheLookup: Sendable {
    public var records: [CacheRecord] {
        didSet { list = nil }
    }
    /// The records of many variants with their index, from a store in memory.
    private(set) var list: VariantList?
    /// Whether an entry was discarded because it was damaged or could not be opened.
    public var wasCorrupt: Bool

    public init(_ records: [CacheRecord] = [], wasCorrupt: Bool = false) {
        self.records = records
        self.wasCorrupt = wasCorrupt
    }

    init(_ list: VariantList) {
        self.init(list.records)
        self.list = list
    }
}

/// An entry, with its body if the lookup returned it.
public struct CacheRecord: Sendable {
    public let entry: CacheEntry
    /// The body, or `nil` if it must be requested with ``CacheStore/body(of:)``.
    public let body: Bytes?

    public init(_ entry: CacheEntry, body: Bytes? = nil) {
        self.entry = entry
        self.body = body
    }
}
