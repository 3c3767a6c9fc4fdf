/// The reason why a login ended.
public enum LogOutReason: String, Sendable, CaseIterable {
    /// The app ended the login, in this process or in another one that uses the same store.
    case requested
    /// The server refused the refresh token.
    case refused
}
