public import TarmacCore
package import TarmacSupport

/// An event of credentials and logins.
public enum AuthEvent: StageEvent {
    /// A token refresh that this call requested has started. All calls that need the token wait for this
    /// one refresh.
    case refreshStarted
    /// The refresh returned a token.
    case refreshEnded(duration: Duration)
    /// The refresh failed.
    case refreshFailed(TarmacError)
    /// The server refused the credentials, and the request is sent again with other credentials.
    case replayed
    /// The login ended, and not because the app asked for it. The event occurs once for each end of a
    /// login.
    case loggedOut(LogOutReason)
    /// A token could not be read from its store or written to it.
    case tokenStoreFailed(TarmacError)

    public func masked(_ mask: (TarmacError) -> TarmacError) -> AuthEvent {
        // No default: a new event with an error must be masked too.
        switch self {
        case .refreshFailed(let error): .refreshFailed(mask(error))
        case .tokenStoreFailed(let error): .tokenStoreFailed(mask(error))
        case .refreshStarted, .refreshEnded, .replayed, .loggedOut: self
        }
    }
}

extension AuthEvent: NotedEvent {
    package var line: EventLine {
        switch self {
        case .refreshStarted: .init("refreshes the token", .request)
        case .refreshEnded(let duration): .init("refreshed the token, \(duration.shown)", .request)
        case .refreshFailed(let error): .init("refresh failed: \(error)", .request)
        case .replayed: .init("sent again with other credentials", .step)
        case .loggedOut(let reason): .init("logged out: \(reason.rawValue)", .end)
        case .tokenStoreFailed(let error): .init("token store: \(error)", .end)
        }
    }

    package var topic: String { "refresh" }

    package var reasonOfNext: String? { if case .replayed = self { "new credentials" } else { nil } }

    package var warning: EventWarning? {
        switch self {
        case .refreshFailed(let error): .init("token refresh failed", error)
        case .tokenStoreFailed(let error): .init("token store failed", error)
        default: nil
        }
    }
}
