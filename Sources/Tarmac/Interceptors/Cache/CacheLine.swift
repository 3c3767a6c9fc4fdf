/// What is still to be written into one store, in order (pure; the backlog writes it).
struct CacheLine {
    enum Write: Sendable {
        case publish(CacheEntry, Bytes)
        case update(CacheEntry)
        case remove(CacheSelection)
        /// A piece of a body that arrives as a stream.
        case piece(CacheTee, Bytes)
        /// The end of such a body.
        case finish(CacheTee)
        /// Somebody waits until all before it is written.
        case barrier(CheckedContinuation<Void, Never>)
    }
    struct Item: Sendable {
        let write: Write
        /// The call it came with, whose observers are told what goes wrong.
        let context: CallContext?
    }
    /// The most bytes of bodies that wait; what comes beyond is not stored.
    private let limit: Int
    /// The one that is being written stays first until it is.
    private var items: [Item] = []
    private var bytes = 0
    private var removals = 0
    /// What could not be removed, and is not to be used all the same.
    private var distrusted: [CacheSelection] = []
    private static let maximumItems = 512
    private static let maximumDistrusted = 64

    init(limit: Int) { self.limit = limit }

    var isEmpty: Bool { items.isEmpty }
    var first: Item? { items.first }
    /// Whether what is found is what is there.
    var changesNothing: Bool { items.isEmpty && distrusted.isEmpty }

    // MARK: In and out

    /// Whether there is room. An answer that finds none is not stored; a removal always finds some.
    mutating func enter(_ item: Item) -> Bool {
        switch item.write {
        case .publish, .piece:
            // One that is large by itself enters an empty line, so that the limit is no limit for a body.
            guard items.isEmpty || bytes + item.size <= limit && items.count < Self.maximumItems else { return false }
            bytes += item.size
        case .update: guard items.count < Self.maximumItems else { return false }
        case .remove:
            removals += 1
            if removals > Self.maximumItems { removeAllInstead() }
        case .finish, .barrier: break
        }
        items.append(item)
        return true
    }

    /// The first is written.
    mutating func leave() {
        let item = items.removeFirst()
        bytes -= item.size
        if case .remove = item.write { removals -= 1 }
    }

    /// More removals than anybody wants to remember: everything goes.
    private mutating func removeAllInstead() {
        let context = items.last?.context
        items =
            items.enumerated().filter { index, item in
                if index == 0 { return true }
                if case .remove = item.write { return false }
                return true
            }.map(\.element) + [Item(write: .remove(.all), context: context)]
        removals = items.reduce(0) { if case .remove = $1.write { $0 + 1 } else { $0 } } + 1
    }

    // MARK: What cannot be removed

    mutating func distrust(_ selection: CacheSelection) {
        guard !distrusted.contains(selection) else { return }
        distrusted.append(selection)
        if distrusted.count > Self.maximumDistrusted { distrusted = [.all] }
    }

    /// What is to be removed now that the store can be written again.
    mutating func takeDistrusted() -> [CacheSelection] {
        if distrusted.isEmpty { return [] }
        defer { distrusted = [] }
        return distrusted
    }

    // MARK: What is seen

    /// What will be stored under a key once all is written, given what is.
    func shown(_ records: [CacheRecord], under key: CacheKey) -> [CacheRecord] {
        var shown = records.filter { record in !distrusted.contains { $0.contains(record.entry) } }
        for item in items {
            switch item.write {
            case .publish(let entry, let body) where entry.key == key:
                shown.removeAll { $0.entry.variant == entry.variant }
                shown.append(CacheRecord(entry, body: body))
            case .update(let entry):
                if let place = shown.firstIndex(where: { $0.entry.id == entry.id }) {
                    var entry = entry
                    entry.bodyLength = shown[place].entry.bodyLength
                    shown[place] = CacheRecord(entry, body: shown[place].body)
                }
            case .remove(let selection): shown.removeAll { selection.contains($0.entry) }
            case .publish, .piece, .finish, .barrier: break
            }
        }
        return shown
    }
}

extension CacheLine.Item {
    fileprivate var size: Int {
        switch write {
        case .publish(_, let body), .piece(_, let body): body.count
        case .update, .remove, .finish, .barrier: 0
        }
    }
}
