/// Why a login has ended.
public enum LogOutReason: String, Sendable, CaseIterable {
    /// The app asked for it.
    case requested
    /// The server refused the refresh token.
    case refused
    /// The refresh token was handed over, and what became of it is not known; see ``Authenticator/reusesRefreshTokens``.
    case unknownOutcome
}
