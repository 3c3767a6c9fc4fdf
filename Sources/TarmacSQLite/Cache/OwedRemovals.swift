#if SQLite
@_spi(TarmacRooms) import TarmacCache

/// Removals that failed because the file could not be written: the entries are hidden, and the next write removes them.
struct OwedRemovals: Sendable {
    private var ids: Set<UInt64> = []
    private var selections: [CacheSelection] = []
    private static let maximumIDs = 4096
    private static let maximumSelections = 64

    var isEmpty: Bool { ids.isEmpty && selections.isEmpty }

    mutating func add(_ selection: CacheSelection) {
        if let id = selection.id, selection == .entry(id) { ids.insert(id) } else if !selections.contains(selection) { selections.append(selection) }
        // More removals than are worth tracking.
        if ids.count > Self.maximumIDs || selections.count > Self.maximumSelections { (ids, selections) = ([], [.all]) }
    }

    /// Forgets the removals that are done.
    mutating func settle(_ done: OwedRemovals) {
        ids.subtract(done.ids)
        selections.removeAll { done.selections.contains($0) }
    }

    func contains(_ entry: CacheEntry) -> Bool { ids.contains(entry.id) || selections.contains { $0.contains(entry) } }

    var isEverything: Bool { selections.contains(.all) }

    var all: [CacheSelection] { selections + ids.map(CacheSelection.entry) }
}
#endif
