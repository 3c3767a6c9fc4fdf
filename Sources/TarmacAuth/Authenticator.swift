import HTTPTypes
public import TarmacCore

/// Gets tokens, renews them and puts them on requests. The engine does the rest: it refreshes once for all calls that
/// wait, keeps the token, stores it, replays what was refused, and logs out once.
///
/// ```swift
/// struct ShopAuthenticator: Authenticator {
///     let store: (any TokenStore)? = FileTokenStore(folder: "tokens")
///
///     func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
///         let answer = try await context.client.send(Refresh(token: token?.refreshToken ?? ""))
///         return AccessToken(answer.token, refreshToken: answer.refreshToken, expiry: answer.expires)
///     }
/// }
/// ```
/// Its calls made in ``refresh(_:in:)``, with the context's client or a captured one of the same engine, do not wait for
/// the refresh they belong to, carry no token of it, and need no dispatch slot.
public protocol Authenticator: Sendable {
    /// What tells this authenticator from others of the same service: those of one name share tokens and refreshes.
    /// `explain` shows it. Default: the type's name.
    var name: String { get }
    /// Where tokens outlive the client. Default `nil`: nowhere.
    var store: (any TokenStore)? { get }
    /// When to refresh, how often to try and for how long. Default: see ``RefreshRule``.
    var refreshRule: RefreshRule { get }
    /// Whether the server takes a refresh token a second time. Default `false`: once its use has an unknown outcome (the
    /// connection was lost before the answer, the process ended), it is never sent again, since a server that rotates
    /// refresh tokens takes that for theft and ends the login (RFC 9700 §4.14.2). Say `true` if yours does not rotate
    /// them: then a lost answer does not log out.
    var reusesRefreshTokens: Bool { get }

    /// Puts a token on a request that goes to one of the service's own origins. Default: `Authorization: Bearer …`
    /// (RFC 6750 §2.1).
    ///
    /// - Throws: `TarmacError` when the token cannot be sent.
    func authorize(_ request: inout Request, with token: AccessToken) throws
    /// Whether there can be a next token after this one, or a first one without a login. Default: a refresh token is there.
    func canRefresh(_ token: AccessToken?) -> Bool
    /// The next token. Runs once at a time for a service, environment and principal; cancelled by log-in, log-out,
    /// shutdown and the rule's time limit, never by a caller. Only the refresh token of `token` may be used.
    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken
    /// What a failed refresh means. Default: see ``RefreshConsequence/standard(for:)``.
    func consequence(of error: any Error) -> RefreshConsequence
    /// The login has ended: called once for each end, off the main actor. Default: nothing.
    func didLogOut(_ key: TokenKey, _ reason: LogOutReason)
}

extension Authenticator {
    public var name: String { "\(Self.self)" }
    public var store: (any TokenStore)? { nil }
    public var refreshRule: RefreshRule { RefreshRule() }
    public var reusesRefreshTokens: Bool { false }

    public func authorize(_ request: inout Request, with token: AccessToken) throws {
        request.authorize(try token.bearer.field ?? BearerCredentials(token.value).field)
    }

    public func canRefresh(_ token: AccessToken?) -> Bool { token?.refreshToken != nil }
    public func consequence(of error: any Error) -> RefreshConsequence { .standard(for: error) }
    public func didLogOut(_ key: TokenKey, _ reason: LogOutReason) {}
}
