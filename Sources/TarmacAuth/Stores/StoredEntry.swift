/// An entry of a token store, compared with the one that the session read or wrote last.
enum StoredEntry: Equatable {
    case unchanged
    /// Another process has removed the token.
    case removed
    /// Another process has written a token, which is newer than the session's.
    case foreign(AccessToken)

    /// - Parameter known: the token that the session read or wrote last; `.some(nil)` if there was none, `nil` if it does
    ///   not know.
    init(_ stored: AccessToken?, known: AccessToken??) {
        switch (stored, known) {
        case (_, nil), (nil, .some(nil)): self = .unchanged
        case (nil, .some(.some)): self = .removed
        case (let stored?, .some(let known)):
            self = known.map { stored.isSame(as: $0) || stored.lacksOnlyAccount(of: $0) } == true ? .unchanged : .foreign(stored)
        }
    }
}
