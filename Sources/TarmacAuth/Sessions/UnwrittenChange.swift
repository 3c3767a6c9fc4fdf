import TarmacCore

/// A change of an entry that could not be written (pure).
struct UnwrittenChange {
    enum Kind { case refresh, logIn, logOut, refusal }

    private(set) var kind: Kind
    /// The accounts of the logins that it ends.
    private var ended: [String] = []
    /// The token that the server has refused.
    private var refused: AccessToken?
    /// Whether it was written once, and is to be written again: without a lock, another process may have looked before and written after.
    private(set) var isWritten = false

    /// Returns the change for a second write after the first one; `nil` if one is enough.
    func confirmed() -> UnwrittenChange? {
        guard !isWritten, kind == .logIn || kind == .logOut else { return nil }
        var next = self
        next.isWritten = true
        return next
    }

    /// - Parameters:
    ///   - earlier: the change before, if it could not be written either.
    ///   - end: the token whose login the change ends.
    init(_ kind: Kind, ending end: AccessToken? = nil, after earlier: UnwrittenChange?) {
        // The store does not know the login that was refreshed.
        self.kind = kind == .refresh && earlier.map({ $0.kind != .refresh }) == true ? .logIn : kind
        ended = earlier?.ended ?? []
        switch kind {
        case .logIn, .logOut: if let account = end?.account, !ended.contains(where: { $0.isExactly(account) }) { ended.append(account) }
        case .refusal: refused = end
        case .refresh: break
        }
        if ended.count > Self.mostEnded { ended.removeFirst() }
    }

    private static let mostEnded = 16

    /// Returns what an entry is in view of the change: `unchanged` if the change is still to be written.
    ///
    /// - Parameter known: the entry that the session read or wrote last; `nil` if it has read none.
    func entry(_ stored: AccessToken?, known: AccessToken??) -> StoredEntry {
        let entry = StoredEntry(stored, known: known)
        guard let stored else {
            // A log-out elsewhere ends a login that was refreshed here. Another login begins all the same.
            return kind == .refresh ? entry : .unchanged
        }
        switch kind {
        case .refresh: return entry
        case .refusal: return refused.map { stored.isSame(as: $0) || stored.lacksOnlyAccount(of: $0) } == true ? .unchanged : entry
        case .logIn, .logOut:
            // Another process may have refreshed the login that has ended. What was there before the first reading is one of before.
            return known == nil || ended.contains { stored.account.isExactly($0) } ? .unchanged : entry
        }
    }
}
