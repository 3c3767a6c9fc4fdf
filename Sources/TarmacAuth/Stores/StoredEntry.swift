/// An entry of a token store, compared with the one that the session read or wrote last.
enum StoredEntry: Equatable {
    case unchanged
    /// Another process has removed the token.
    case removed
    /// Another process has written a token, which is newer than the session's.
    case foreign(AccessToken)

    /// - Parameter known: the token that the session read or wrote last; `.some(nil)` if there was none, `nil` if it does
    ///   not know. A token that it has never seen is not its own.
    init(_ stored: AccessToken?, known: AccessToken??) {
        switch (stored, known) {
        case (nil, nil), (nil, .some(nil)): self = .unchanged
        case (nil, .some(.some)): self = .removed
        case (let stored?, let known):
            self = (known ?? nil).map { stored.isSame(as: $0) || stored.lacksOnlyAccount(of: $0) } == true ? .unchanged : .foreign(stored)
        }
    }
}
