public import TarmacCore

/// Where cached answers are kept. `MemoryCacheStore` and `FileCacheStore` are two; TarmacSQLite brings a third.
///
/// What a store must keep to, and `CacheStoreConformance` of TarmacTesting tests:
/// - An entry and its body are seen together or not at all, whatever fails, and only what was stored under exactly that key.
/// - There is one entry for a key and variant; publishing another takes its place, also for those that read the old body:
///   they read it to its end, or get an error, never bytes of both.
/// - What was published is found by the next lookup; when it reaches a disk is the store's affair, until ``flush()``.
/// - The size stays within the store's limit; what was not used for long goes first. An entry that is too large for it is
///   not stored, and publishing it returns `false`.
/// - Nothing waits for another's slow reader or writer. A call waits 2 s for a lookup or a body, then goes on without.
/// - A failure costs the entry, not the call: what throws is told to the call's observers once, and calls go on uncached.
///
/// A client writes from one task, in order, behind its responses; two clients that share a store write at once.
public protocol CacheStore: AnyObject, Sendable {
    /// The name events and the command line show, such as `memory`.
    var name: String { get }
    /// Whether what is stored outlives the process. Such a store is given durable entries alone (``CacheEntry/isDurable``).
    var isDurable: Bool { get }
    /// Whether nothing of an answer stands in it in the clear, and nobody but the app can have put one there. Another durable
    /// store is neither given answers that came encrypted or verified, nor asked for them. Default: `false`.
    var isSealed: Bool { get }

    /// What is stored under a key: an entry for each variant, in any order. It counts as a use of none of them.
    func lookup(_ key: CacheKey) async throws -> CacheLookup
    /// The same at once, for ``Client/cached(_:configure:)``; `nil` when the store would have to wait for it.
    /// Default: `nil`.
    func lookupNow(_ key: CacheKey) -> CacheLookup?
    /// The body of an entry, which counts as a use of it; `nil` when it has been replaced or removed, or is damaged.
    func body(of entry: CacheEntry) async throws -> ResponseBody?
    /// Notes that the body a lookup brought along was used; called often, so it costs next to nothing. Default: nothing.
    func touch(_ entry: CacheEntry)

    /// Stores an entry with a body that is there; `false` when it does not fit. Default: with a writer.
    @discardableResult
    func publish(_ entry: CacheEntry, body: Bytes) async throws -> Bool
    /// Begins to store an entry whose body comes in pieces; `nil` when it cannot fit.
    func makeWriter(for entry: CacheEntry) async throws -> (any CacheWriter)?
    /// Changes what is known of an entry and leaves its body alone, after a validation; `false` when it has been replaced or
    /// removed. Key and variant never change.
    @discardableResult
    func update(_ entry: CacheEntry) async throws -> Bool
    /// Removes what the selection names; returns how many entries there were.
    @discardableResult
    func remove(_ selection: CacheSelection) async throws -> Int

    /// Entries without their bodies, ordered by what they were stored as, for tools: at most `limit` behind the one with the
    /// given id.
    func list(_ selection: CacheSelection, after id: UInt64?, limit: Int) async throws -> [CacheEntry]
    func statistics() async throws -> CacheStatistics
    /// What went wrong since the last time it was asked, behind the calls' backs. Default: nothing.
    func takeNotices() -> [CacheNotice]
    /// Whether notices tell of every fault, once when it begins and once when it is over: calls are told those alone then,
    /// and what the store throws is for whoever calls the store. Default: no, each error is told.
    var tellsByNotices: Bool { get }
    /// Returns once what was published survives the end of the process. Default: at once.
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

/// A body on its way into a store. Nobody sees anything of it until it is published; dropped or aborted it leaves nothing.
public protocol CacheWriter: AnyObject, Sendable {
    /// The next piece. Throws when it does not fit any more; then abort.
    func append(_ chunk: Bytes) async throws
    /// Publishes what was written under the entry, whose ``CacheEntry/bodyLength`` is the number of bytes written; `false`
    /// when it does not fit after all.
    func publish(_ entry: CacheEntry) async throws -> Bool
    /// Forgets what was written. Aborting twice, or after publishing, does nothing.
    func abort() async
}

/// What a store has under one key.
public struct CacheLookup: Sendable {
    public var records: [CacheRecord]
    /// Whether there was an entry that had to be thrown away, because it was damaged or could not be opened.
    public var wasCorrupt: Bool

    public init(_ records: [CacheRecord] = [], wasCorrupt: Bool = false) {
        self.records = records
        self.wasCorrupt = wasCorrupt
    }
}

/// An entry, and its body if it came along.
public struct CacheRecord: Sendable {
    public let entry: CacheEntry
    /// `nil` when it has to be asked for: ``CacheStore/body(of:)``.
    public let body: Bytes?

    public init(_ entry: CacheEntry, body: Bytes? = nil) {
        self.entry = entry
        self.body = body
    }
}
