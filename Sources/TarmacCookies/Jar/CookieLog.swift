/// The changes of a table that the store of its jar must still learn of (pure).
///
/// A cookie that changes often is written once. The log lists no more cookies than the table and the store contain.
struct CookieLog {
    private var noted: [CookieNode] = []
    private var removed: [CookieKey: CookieChanges.Change] = [:]
    private var written: [CookieNode] = []
    private var writtenRemoved: [CookieKey: CookieChanges.Change] = [:]
    /// The cookies in the store that removals remove.
    private var removedBases: [CookieKey: Cookie] = [:]
    private var writtenBases: [CookieKey: Cookie] = [:]
    /// Whether there are changes other than later uses.
    private(set) var hasChanges = false
    /// Whether there is anything to write.
    var hasNotes: Bool { !noted.isEmpty || !removed.isEmpty }
    /// The stored cookies that those being written replace.
    var bases: [CookieKey: Cookie] {
        Dictionary(written.compactMap { node in node.stored.map { (CookieKey($0), $0) } }) { $1 }.merging(writtenBases) { _, removed in removed }
    }

    /// Whether the removal of a cookie is not written yet.
    func isRemoving(_ key: CookieKey) -> Bool { removed[key] != nil || writtenRemoved[key] != nil }

    // MARK: Noting

    mutating func note(_ node: CookieNode, _ change: CookieNode.Change) {
        // A cookie without a date ends with the jar.
        guard node.cookie.expires != nil else { return }
        if change == .changed {
            node.change = .changed
            hasChanges = true
        } else if node.change == .none {
            node.change = change
        }
        guard !node.isNoted else { return }
        node.isNoted = true
        noted.append(node)
    }

    /// Notes that a cookie was set again.
    mutating func note(_ node: CookieNode, replacing old: Cookie) {
        if node.cookie.expires != nil { return note(node, old.isLike(node.cookie) ? .used : .changed) }
        node.change = .none
        noteGone(node, .removed(old))
    }

    mutating func noteRemoved(_ node: CookieNode, isExpired: Bool) {
        // The store still has the value that an unwritten change replaced, which has not expired.
        let hidesStored = node.isStored && node.change == .changed
        noteGone(node, isExpired && !hidesStored ? .expired(node.cookie) : .removed(node.cookie))
    }

    private mutating func noteGone(_ node: CookieNode, _ change: CookieChanges.Change) {
        guard node.isStored || node.isBeingWritten else { return }
        removed[CookieKey(node.cookie)] = change
        removedBases[CookieKey(node.cookie)] = node.beingWritten ?? node.stored
        node.beingWritten = nil
        hasChanges = true
    }

    // MARK: Writing

    mutating func take() -> [CookieChanges.Change] {
        (writtenRemoved, writtenBases) = (removed, removedBases)
        written = []
        var changes = Array(removed.values)
        for node in noted {
            node.isNoted = false
            guard node.isLive, node.change != .none else { continue }
            changes.append(node.change == .changed ? .set(node.cookie) : .used(node.cookie))
            if node.change == .changed {
                node.beingWritten = node.cookie
                written.append(node)
            }
            node.change = .none
        }
        (noted, removed, removedBases, hasChanges) = ([], [:], [:], false)
        return changes
    }

    mutating func settle(isWritten: Bool) {
        for node in written {
            if isWritten {
                if let cookie = node.beingWritten { node.stored = cookie }
            } else if node.isLive {
                note(node, .changed)
            } else if !node.isStored, writtenRemoved[CookieKey(node.cookie)] == nil {
                removed[CookieKey(node.cookie)] = nil
            }
            node.beingWritten = nil
        }
        if !isWritten, !writtenRemoved.isEmpty {
            removed.merge(writtenRemoved) { new, _ in new }
            removedBases.merge(writtenBases) { new, _ in new }
            hasChanges = true
        }
        (written, writtenRemoved, writtenBases) = ([], [:], [:])
    }
}

extension Cookie {
    /// Whether both cookies are equal apart from their last use.
    func isLike(_ other: Cookie) -> Bool {
        var other = other
        other.lastUsed = lastUsed
        return self == other
    }
}
