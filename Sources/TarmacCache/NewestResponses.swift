@_spi(TarmacRooms) import TarmacCore

/// The responses that were written or read last, above a store that reads a disk, so that the first frame of a screen
/// need not wait for it. A removal through the store's queue removes here first.
final class NewestResponses: Sendable {
    fileprivate struct State {
        var index = MemoryCacheIndex(limit: 4 << 20)
        /// The number of changes, so that what was read before one is not kept after it.
        var changes = 0
    }
    private let state = Locked(State())

    var changes: Int { state.withLock { $0.changes } }

    func lookup(_ key: CacheKey) -> CacheLookup { state.withLock { $0.index.lookup(key) } }

    /// Keeps records that were read from the store, unless something has changed since.
    func keep(_ records: [CacheRecord], after changes: Int) {
        for record in records {
            guard let body = record.body else { continue }
            let gone = state.withLock { state in
                state.changes == changes && state.index.use(record.entry.id) == nil ? state.insert(record.entry, body) : []
            }
            withExtendedLifetime(gone) {}
        }
    }

    /// Follows a write, before it is done.
    func follow(_ write: PendingCacheWrites.Write) {
        // What is replaced is released outside the lock.
        let gone = state.withLock { state -> [MemoryNode] in
            state.changes += 1
            switch write {
            case .publish(let entry, let body): return state.index.remove(.key(entry.key)) + state.insert(entry, body)
            case .update(let entry): _ = state.index.update(entry)
            case .remove(let selection): return state.index.remove(selection)
            case .outdate(let selection):
                for var entry in state.index.entries where selection.contains(entry) {
                    entry.isInvalidated = true
                    _ = state.index.update(entry)
                }
            case .finish(let tee): return state.index.remove(.key(tee.entry.key))
            case .piece, .barrier: break
            }
            return []
        }
        withExtendedLifetime(gone) {}
    }
}

extension NewestResponses.State {
    fileprivate mutating func insert(_ entry: CacheEntry, _ body: Bytes) -> [MemoryNode] {
        var entry = entry
        entry.bodyLength = Int64(body.count)
        return index.insert(MemoryNode(entry, body)).1
    }
}
