import TarmacCore

/// The pending writes of one store, in order (pure; the write queue performs them).
struct PendingCacheWrites {
    enum Write: Sendable {
        case publish(CacheEntry, Bytes)
        case update(CacheEntry)
        case remove(CacheSelection)
        /// Marks entries as stale.
        case outdate(CacheSelection)
        /// A piece of a body that arrives as a stream.
        case piece(CacheBodyRecorder, Bytes)
        /// The end of such a body.
        case finish(CacheBodyRecorder)
        /// A point in the queue that a caller waits for.
        case barrier(CheckedContinuation<Void, Never>)
    }
    final class Item: Sendable {
        let write: Write
        /// The call that caused the write. Its observers receive errors.
        let context: CallContext?

        init(_ write: Write, _ context: CallContext?) {
            self.write = write
            self.context = context
        }
    }
    /// The maximum number of bytes that wait. Further responses are not stored.
    private let limit: Int
    /// The pending writes, from `head` on. The current write stays first until it is done.
    private var items: [Item] = []
    private var head = 0
    private var bytes = 0
    private var removals = 0
    /// The removals that one of everything has replaced, until they are released without the lock.
    private var replaced: [Item] = []
    /// The number of pending writes for each key.
    private var keys: [CacheKey: Int] = [:]
    /// The removals that failed. The matching entries must not be used.
    private(set) var distrusted: [CacheSelection] = []
    static let maximumItems = 4096
    static let maximumRemovals = 512
    static let maximumDistrusted = 64

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { head == items.count }
    var first: Item? { isEmpty ? nil : items[head] }
    var count: Int { items.count - head }

    // MARK: Queue

    /// Adds a write if there is room. A response without room is not stored; a removal always has room.
    mutating func enter(_ item: Item) -> Bool {
        switch item.write {
        case .publish, .piece:
            // An empty queue accepts a large response, so that the limit does not restrict the size of a body.
            guard isEmpty || bytes + item.size <= limit && count < Self.maximumItems else { return false }
        case .update, .finish: guard count < Self.maximumItems else { return false }
        case .remove, .outdate: if removals >= Self.maximumRemovals { forgetAllInstead(item) }
        case .barrier: break
        }
        note(item, 1)
        items.append(item)
        return true
    }

    /// Returns the removals that were replaced since the last time.
    mutating func takeReplaced() -> [Item] {
        defer { replaced = [] }
        return replaced
    }

    /// Removes the first write, which is done. Returns the writes that are kept no more.
    @discardableResult
    mutating func leave() -> ArraySlice<Item> {
        note(items[head], -1)
        head += 1
        guard isEmpty || head > 256 && head > items.count / 2 else { return [] }
        defer { (items, head) = (Array(items[head...]), 0) }
        return items[..<head]
    }

    private mutating func note(_ item: Item, _ sign: Int) {
        bytes += sign * item.size
        if item.isRemoval { removals += sign }
        guard let key = item.key else { return }
        let count = keys[key, default: 0] + sign
        keys[key] = count == 0 ? nil : count
    }

    /// Replaces too many removals by one of everything, except the current write.
    private mutating func forgetAllInstead(_ item: Item) {
        let kept = items[head...].enumerated().filter { $0.offset == 0 || !$0.element.isRemoval }.map(\.element)
        let all = Item(.remove(.all), item.context)
        replaced += items[head...]
        (items, head, bytes, removals, keys) = ([], 0, 0, 0, [:])
        for item in kept + [all] {
            note(item, 1)
            items.append(item)
        }
    }

    // MARK: Failed removals

    mutating func distrust(_ selection: CacheSelection) {
        guard !distrusted.contains(selection), !distrusted.contains(.all) else { return }
        distrusted.append(selection)
        if distrusted.count > Self.maximumDistrusted { distrusted = [.all] }
    }

    /// Ends the distrust of entries that have now been removed.
    mutating func trust(_ selection: CacheSelection) { distrusted.removeAll { $0 == selection } }

    // MARK: Pending changes

    /// Returns the pending changes of a key, or `nil` if there are none.
    func change(of key: CacheKey) -> Change? {
        if removals == 0, distrusted.isEmpty, keys.isEmpty || keys[key] == nil { return nil }
        let writes = items[head...].filter { $0.isRemoval || $0.key == key }.map(\.write)
        return writes.isEmpty && distrusted.isEmpty ? nil : Change(writes: writes, distrusted: distrusted)
    }

    struct Change {
        fileprivate let writes: [Write]
        fileprivate let distrusted: [CacheSelection]

        /// Returns the records that will be stored after all pending writes.
        func applied(to records: [CacheRecord]) -> [CacheRecord] {
            var records = records.filter { record in !distrusted.contains { $0.contains(record.entry) } }
            for write in writes {
                switch write {
                case .publish(let entry, let body):
                    records.removeAll { $0.entry.variant.isExactly(entry.variant) }
                    records.append(CacheRecord(entry, body: body))
                case .update(var entry):
                    guard let place = records.firstIndex(where: { $0.entry.id == entry.id }) else { continue }
                    entry.bodyLength = records[place].entry.bodyLength
                    records[place] = CacheRecord(entry, body: records[place].body)
                case .remove(let selection): records.removeAll { selection.contains($0.entry) }
                case .outdate(let selection): records = records.map { selection.contains($0.entry) ? $0.outdated : $0 }
                case .piece, .finish, .barrier: break
                }
            }
            return records
        }
    }
}

extension PendingCacheWrites.Write {
    /// Whether the write ends the use of all entries of a selection.
    var isRemoval: Bool {
        switch self {
        case .remove, .outdate: true
        case .publish, .update, .piece, .finish, .barrier: false
        }
    }
}

extension CacheRecord {
    fileprivate var outdated: CacheRecord {
        var entry = entry
        entry.isInvalidated = true
        return CacheRecord(entry, body: body)
    }
}

extension PendingCacheWrites.Item {
    fileprivate var size: Int {
        switch write {
        case .publish(_, let body), .piece(_, let body): body.count
        case .update, .remove, .outdate, .finish, .barrier: 0
        }
    }
    var isRemoval: Bool { write.isRemoval }
    fileprivate var key: CacheKey? {
        switch write {
        case .publish(let entry, _), .update(let entry): entry.key
        case .remove, .outdate, .piece, .finish, .barrier: nil
        }
    }
}
