import HTTPTypes
import TarmacCore

/// The consequence of a failed refresh.
public enum RefreshConsequence: Sendable, Hashable {
    /// The server refuses the refresh token permanently; the login has ended.
    case logOut
    /// The server has given no token and may be asked again with the same refresh token, within the rule's limits.
    case retry
    /// The server may have used the refresh token. The refresh is repeated only if
    /// ``Authenticator/reusesRefreshTokens`` is `true`.
    case unknown
    /// The refresh has failed and the login continues. The next call that needs a token tries again.
    case fail

    /// Returns the consequence by the status and the code of an error.
    ///
    /// The statuses 400, 401 and 403 end the login. The refresh is repeated after 429 and 5xx, if the server was not
    /// reached, and if it did not process the request. A response that was lost has an unknown outcome. Any other error
    /// fails, which the session takes for the end of the login if the error has a code of ``Envelope/expired``.
    public static func standard(for error: any Error) -> RefreshConsequence {
        guard let error = error as? TarmacError else { return .fail }
        if error.code == .loggedOut { return .logOut }
        if error.code == .requestUnprocessed { return .retry }
        if let status = error.status?.code { return standard(forStatus: status) }
        switch error.code.category {
        case .connection, .timeout: return error.reach == .mayHaveActed ? .unknown : .retry
        case .message: return .unknown
        default: return .fail
        }
    }

    // A token endpoint answers by statuses of its own (RFC 6749 §5.2), so they go before `reach`.
    static func standard(forStatus status: Int) -> RefreshConsequence {
        switch status {
        case 400, 401, 403: .logOut
        case 429, 500...599: .retry
        default: .fail
        }
    }
}
