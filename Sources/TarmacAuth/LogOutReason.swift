/// The reason why a login ended.
public enum LogOutReason: String, Sendable, CaseIterable {
    /// The app ended the login.
    case requested
    /// The server refused the refresh token.
    case refused
    /// The refresh token was sent, and the outcome is unknown. See ``Authenticator/reusesRefreshTokens``.
    case unknownOutcome
}
