import TarmacCore

/// The stores of one call: that of the app or the client's memory, and both if the app's store may not contain
/// everything.
struct CacheStores: Sendable {
    private let main: CacheWriteQueue
    /// The store for responses that must not be written to a file.
    private let side: CacheWriteQueue?

    /// An entry that was found, with its store.
    struct Found: Sendable {
        let record: CacheRecord
        let writeQueue: CacheWriteQueue
        var entry: CacheEntry { record.entry }

        /// Returns the body if it is available without waiting, which counts as a use.
        func bodyAtOnce() -> Bytes? {
            guard let body = record.body else { return nil }
            writeQueue.store.touch(entry)
            return body
        }

        /// Returns the body, which counts as a use, or `nil` if it is gone or damaged.
        func body(for context: CallContext) async -> ResponseBody? {
            if let body = bodyAtOnce() { return .bytes(body) }
            return await writeQueue.body(of: entry, for: context)
        }
    }

    /// The entries that were found without waiting.
    struct AtHand: Sendable {
        let records: [CacheRecord]
        let list: VariantList?
        let wasCorrupt: Bool
        fileprivate let writeQueue: CacheWriteQueue

        var found: [Found] { records.map { Found(record: $0, writeQueue: writeQueue) } }

        func found(_ entry: CacheEntry) -> Found? {
            records.first { $0.entry.id == entry.id }.map { Found(record: $0, writeQueue: writeQueue) }
        }
    }

    init(cacheState: CacheState, own: (any CacheStore)?) {
        main = own.map { cacheState.writeQueue(of: $0) } ?? cacheState.memory
        side = own?.isDurable == true ? cacheState.memory : nil
    }

    /// Returns all entries of a key, or `nil` if they are not available without waiting.
    func findAtOnce(_ key: CacheKey) -> AtHand? {
        guard side == nil, !main.isDurable || key.isDurable, let lookup = main.lookupNow(key) else { return nil }
        return AtHand(records: lookup.records, list: lookup.list, wasCorrupt: lookup.wasCorrupt, writeQueue: main)
    }

    /// Returns all entries of a key.
    func find(_ key: CacheKey, for context: CallContext) async -> (found: [Found], wasCorrupt: Bool) {
        let found = side.map { self.found($0.lookupNow(key), in: $0) } ?? []
        guard !main.isDurable || key.isDurable else { return (found, false) }
        let lookup = await main.lookup(key, for: context)
        return (found + self.found(lookup, in: main), lookup.wasCorrupt)
    }

    /// Returns the entries of a key that are available without waiting.
    func findNow(_ key: CacheKey) -> [Found] {
        let aside = side.map { found($0.lookupNow(key), in: $0) } ?? []
        return aside + found(main.lookupAtHand(key), in: main)
    }

    private func found(_ lookup: CacheLookup?, in writeQueue: CacheWriteQueue) -> [Found] {
        (lookup?.records ?? []).map { Found(record: $0, writeQueue: writeQueue) }
    }

    /// Returns the write queue that may store an entry, or `nil` if none may.
    func writeQueue(for entry: CacheEntry) -> CacheWriteQueue? {
        guard main.isDurable, !entry.isDurable else { return main }
        return side
    }

    func publish(_ entry: CacheEntry, body: Bytes, for context: CallContext) async -> Bool {
        await writeQueue(for: entry)?.publish(entry, body: body, for: context) ?? false
    }

    func remove(_ selection: CacheSelection, for context: CallContext) async {
        await side?.remove(selection, for: context)
        await main.remove(selection, for: context)
    }

    /// Removes entries after the pending writes, without waiting for it.
    func removeSoon(_ selection: CacheSelection, for context: CallContext) {
        side?.removeSoon(selection, for: context)
        main.removeSoon(selection, for: context)
    }
}
