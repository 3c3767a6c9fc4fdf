import HTTPTypes
import TarmacCore

/// The entries of a memory store and their order of eviction (S3-FIFO). A new entry enters a small queue. If it is used
/// there, it moves to the main queue; otherwise it is evicted, and its name is remembered for a time. If it returns in
/// that time, it enters the main queue.
struct MemoryCacheIndex {
    private let limit: Int
    /// The latest entry of each key and of each URL. Each entry names the previous one.
    private var keys: [CacheKey: MemoryNode] = [:]
    private var urls: [String: MemoryNode] = [:]
    /// The records of keys with many variants, until one of them changes.
    private var lists: [CacheKey: VariantList] = [:]
    /// All entries.
    private var ids: [UInt64: MemoryNode] = [:]
    private let small = MemoryQueue()
    private let main = MemoryQueue()
    private var ghosts = GhostList()
    private var evictions = 0

    init(limit: Int) { self.limit = limit }

    /// Returns the entries of a key with their bodies.
    mutating func lookup(_ key: CacheKey) -> CacheLookup {
        guard var node = keys[key] else { return CacheLookup() }
        if node.olderOfKey != nil, let list = lists[key] { return CacheLookup(list) }
        var records = [CacheRecord(node.entry, body: node.body)]
        while let next = node.olderOfKey {
            records.append(CacheRecord(next.entry, body: next.body))
            node = next
        }
        guard records.count >= VariantList.minimum else { return CacheLookup(records) }
        let list = VariantList(records)
        lists[key] = list
        return CacheLookup(list)
    }

    private func nodes(_ key: CacheKey) -> [MemoryNode] { Self.all(keys[key]) { $0.olderOfKey } }

    private static func all(_ newest: MemoryNode?, older: (MemoryNode) -> MemoryNode?) -> [MemoryNode] {
        var nodes: [MemoryNode] = [], next = newest
        while let node = next {
            nodes.append(node)
            next = older(node)
        }
        return nodes
    }

    var entries: [CacheEntry] { ids.values.map(\.entry) }
    private var cost: Int { small.cost + main.cost }

    var statistics: CacheStatistics {
        var statistics = CacheStatistics()
        statistics.entries = ids.count
        statistics.bytes = Int64(cost)
        statistics.limit = Int64(limit)
        statistics.evictions = evictions
        return statistics
    }

    /// Records a use. Returns the body.
    func use(_ id: UInt64) -> Bytes? {
        guard let node = ids[id] else { return nil }
        if node.uses < 3 { node.uses += 1 }
        return node.body
    }

    /// Adds an entry. Returns whether it fits, and the evicted entries.
    mutating func insert(_ node: MemoryNode) -> (Bool, [MemoryNode]) {
        var gone: [MemoryNode] = []
        let key = node.entry.key, variants = nodes(key)
        if let old = variants.first(where: { $0.entry.variant.isExactly(node.entry.variant) }) { gone.append(forget(old)) }
        guard node.cost <= limit / 4 else { return (false, gone) }
        if gone.isEmpty, variants.count >= CacheKey.maximumVariants, let oldest = variants.min(by: { $0.entry.responseDate < $1.entry.responseDate }) {
            gone.append(forget(oldest))
        }
        // An entry that replaces one in the main queue enters that queue too.
        let isKnown = gone.contains { $0.queue === main } || ghosts.remove(node.name)
        (isKnown ? main : small).push(node)
        // An id belongs to one response.
        if let other = ids.updateValue(node, forKey: node.entry.id) { gone.append(unlink(other)) }
        lists[key] = nil
        node.follow(ofKey: keys.updateValue(node, forKey: key), ofURL: urls.updateValue(node, forKey: key.url))
        while cost > limit, let evicted = evict() { gone.append(evicted) }
        return (true, gone)
    }

    /// Replaces the fields of an entry. Returns whether it is there and still fits.
    mutating func update(_ entry: CacheEntry) -> Bool {
        guard let node = ids[entry.id], node.entry.key == entry.key, node.entry.variant.isExactly(entry.variant) else { return false }
        lists[entry.key] = nil
        let length = node.entry.bodyLength
        node.entry = entry
        node.entry.bodyLength = length
        node.queue?.recount(node)
        if node.cost <= limit / 4 { return true }
        _ = forget(node)
        return false
    }

    mutating func remove(_ selection: CacheSelection) -> [MemoryNode] {
        candidates(selection).filter { selection.contains($0.entry) }.map { forget($0) }
    }

    /// Returns the entries that may match, without a search if one condition names them.
    private func candidates(_ selection: CacheSelection) -> [MemoryNode] {
        if let id = selection.id { return ids[id].map { [$0] } ?? [] }
        if let key = selection.key { return nodes(key) }
        if let url = selection.url { return Self.all(urls[url]) { $0.olderOfURL } }
        return Array(ids.values)
    }

    // MARK: Eviction

    private mutating func evict() -> MemoryNode? {
        while true {
            if small.cost > limit / 10 || main.isEmpty {
                guard let node = small.pop() else { return nil }
                if node.uses == 0 {
                    ghosts.insert(node.name, limit: max(64, ids.count))
                    return drop(node)
                }
                node.uses = 0
                main.push(node)
            } else if let node = main.pop() {
                if node.uses == 0 { return drop(node) }
                node.uses -= 1
                main.push(node)
            }
        }
    }

    private mutating func drop(_ node: MemoryNode) -> MemoryNode {
        evictions += 1
        return forget(node)
    }

    @discardableResult
    private mutating func forget(_ node: MemoryNode) -> MemoryNode {
        ids[node.entry.id] = nil
        return unlink(node)
    }

    private mutating func unlink(_ node: MemoryNode) -> MemoryNode {
        let key = node.entry.key
        lists[key] = nil
        let queue = node.queue
        queue?.remove(node)
        // Remembered for an entry that replaces this one.
        node.queue = queue
        if node.newerOfKey == nil { keys[key] = node.olderOfKey }
        if node.newerOfURL == nil { urls[key.url] = node.olderOfURL }
        node.leave()
        return node
    }
}

/// An entry with its body, in one of the queues.
// SAFETY: nodes are touched only by their index, behind the store's lock, until they have left it.
final class MemoryNode: @unchecked Sendable {
    fileprivate(set) var entry: CacheEntry
    let body: Bytes
    /// The number of uses since the entry was last at the end of its queue, at most 3.
    fileprivate var uses = 0
    fileprivate(set) var cost: Int
    // The queue lives as long as the index, which alone touches this.
    fileprivate unowned(unsafe) var queue: MemoryQueue?
    fileprivate var newer: MemoryNode?
    fileprivate unowned(unsafe) var older: MemoryNode?
    // The neighbours among the entries of one key and of one URL. The index holds all of them.
    fileprivate unowned(unsafe) var olderOfKey: MemoryNode?
    fileprivate unowned(unsafe) var newerOfKey: MemoryNode?
    fileprivate unowned(unsafe) var olderOfURL: MemoryNode?
    fileprivate unowned(unsafe) var newerOfURL: MemoryNode?
    /// The key and the variant as a number.
    fileprivate let name: Int
    /// The size without body and texts: the node and its places in the tables and the queue.
    private static let overhead = 600

    init(_ entry: CacheEntry, _ body: Bytes) {
        self.entry = entry
        self.body = body
        cost = Self.cost(entry) + body.count
        var hasher = Hasher()
        hasher.combine(entry.key)
        hasher.combine(entry.variant)
        name = hasher.finalize()
    }

    fileprivate func recount() { cost = Self.cost(entry) + body.count }

    /// Adds the node as the newest of its key and of its URL.
    fileprivate func follow(ofKey key: MemoryNode?, ofURL url: MemoryNode?) {
        (olderOfKey, olderOfURL) = (key, url)
        key?.newerOfKey = self
        url?.newerOfURL = self
    }

    fileprivate func leave() {
        newerOfKey?.olderOfKey = olderOfKey
        olderOfKey?.newerOfKey = newerOfKey
        newerOfURL?.olderOfURL = olderOfURL
        olderOfURL?.newerOfURL = newerOfURL
        (olderOfKey, newerOfKey, olderOfURL, newerOfURL) = (nil, nil, nil, nil)
    }

    private static func cost(_ entry: CacheEntry) -> Int {
        let fields = entry.headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 64 }
        return overhead + entry.key.url.utf8.count * 2 + entry.variant.utf8.count + fields
    }
}

/// The nodes in their order of arrival.
// SAFETY: touched only by its index, behind the store's lock.
final class MemoryQueue: @unchecked Sendable {
    /// Each node holds the next newer one, so the oldest one holds them all.
    private var oldest: MemoryNode?
    private unowned(unsafe) var newest: MemoryNode?
    private(set) var cost = 0

    var isEmpty: Bool { oldest == nil }

    func push(_ node: MemoryNode) {
        node.queue = self
        node.older = newest
        if let newest { newest.newer = node } else { oldest = node }
        newest = node
        cost += node.cost
    }

    func pop() -> MemoryNode? {
        guard let node = oldest else { return nil }
        remove(node)
        return node
    }

    func remove(_ node: MemoryNode) {
        guard node.queue === self else { return }
        let newer = node.newer
        newer?.older = node.older
        if newest === node { newest = node.older }
        if let older = node.older { older.newer = newer } else { oldest = newer }
        (node.newer, node.older, node.queue) = (nil, nil, nil)
        cost -= node.cost
    }

    func recount(_ node: MemoryNode) {
        cost -= node.cost
        node.recount()
        cost += node.cost
    }

    deinit {
        // One after the other, because a long list would otherwise be released by recursion.
        while let node = oldest {
            oldest = node.newer
            node.newer = nil
        }
    }
}

/// The names of recently evicted entries.
private struct GhostList {
    private var order: [Int] = []
    private var first = 0
    private var names: Set<Int> = []

    mutating func insert(_ name: Int, limit: Int) {
        if names.insert(name).inserted { order.append(name) }
        while order.count - first > limit {
            names.remove(order[first])
            first += 1
        }
        if first > 1024, first > order.count / 2 {
            order.removeFirst(first)
            first = 0
        }
    }

    mutating func remove(_ name: Int) -> Bool { names.remove(name) != nil }
}
