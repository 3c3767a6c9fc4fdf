import HTTPTypes
import TarmacCore

/// What a failed refresh means.
public enum RefreshConsequence: Sendable, Hashable {
    /// The server refuses the refresh token for good: the login has ended.
    case logOut
    /// The server has given no token and may be asked again with the same refresh token, within the rule's limits.
    case retry
    /// It is not known whether the server has used the refresh token: asked again only if
    /// ``Authenticator/reusesRefreshTokens``.
    case unknown
    /// The refresh has failed, the login lasts: the next call that needs a token tries again.
    case fail

    /// What status and code say.
    ///
    /// 400, 401 and 403 end the login; 429 and 5xx are asked again, and so is a server that was not reached; an answer
    /// lost on its way is of unknown outcome; anything else fails.
    public static func standard(for error: any Error) -> RefreshConsequence {
        guard let error = error as? TarmacError else { return .fail }
        if error.code == .loggedOut { return .logOut }
        if error.code == .requestUnprocessed { return .retry }
        if let status = error.status?.code { return standard(forStatus: status) }
        switch error.code.category {
        case .connection, .timeout: return wasSent(error.phase) ? .unknown : .retry
        case .message: return .unknown
        default: return .fail
        }
    }

    static func standard(forStatus status: Int) -> RefreshConsequence {
        switch status {
        case 400, 401, 403: .logOut
        case 429, 500...599: .retry
        default: .fail
        }
    }

    private static func wasSent(_ phase: TarmacError.Phase) -> Bool {
        switch phase {
        case .sending, .waiting, .receiving: true
        default: false
        }
    }
}
