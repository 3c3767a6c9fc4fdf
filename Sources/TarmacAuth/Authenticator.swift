import HTTPTypes
public import TarmacCore

/// A type that gets and refreshes tokens and puts them on requests.
///
/// The engine does the rest: it refreshes once for all waiting calls, keeps and stores the token, repeats refused
/// requests, and logs out once.
///
/// ```swift
/// struct ShopAuthenticator: Authenticator {
///     func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
///         let answer = try await context.client.send(Refresh(token: token?.refreshToken ?? ""))
///         return AccessToken(answer.token, refreshToken: answer.refreshToken, expiry: answer.expires)
///     }
/// }
/// ```
/// Calls that the authenticator makes in ``refresh(_:in:)``, with the context's client or another client of the same
/// engine, do not wait for their own refresh, carry no token of it, and need no dispatch slot.
public protocol Authenticator: Sendable {
    /// The name of the authenticator. Authenticators of one service with the same name share tokens and refreshes.
    /// `explain` shows it. Default: the type's name.
    var name: String { get }
    /// The rule for when to refresh, how often to try and for how long. Default: see ``RefreshRule``.
    var refreshRule: RefreshRule { get }
    /// The maximum number of logins that stay in memory, if a store keeps their tokens. Those that were used last stay,
    /// and the store is asked for the others. The largest of a client's authenticators counts. Default: 1,000.
    ///
    /// Logins without a store stay until ``CallSender/logOut(_:)``.
    var maximumSessions: Int { get }

    /// Puts a token on a request to one of the service's own origins. Default: `Authorization: Bearer …` (RFC 6750
    /// §2.1).
    ///
    /// - Throws: `TarmacError` if the token cannot be sent.
    func authorize(_ request: inout Request, with token: AccessToken) throws
    /// Whether there can be another token after this one, or a first token without a login. Default: whether there is a
    /// refresh token.
    func canRefresh(_ token: AccessToken?) -> Bool
    /// Returns the next token.
    ///
    /// The engine runs one refresh at a time for a service, environment and principal. A log-in, a log-out, a shutdown
    /// and the rule's time limit cancel it; a caller never does. Only the refresh token of `token` may be used. If the
    /// store has a newer token of another process, the engine takes that one instead.
    ///
    /// Count an expiry that the server states in seconds from the moment its response arrives. An expiry that it states
    /// as a date is judged by the server's clock, if the `Date` of its response shows that the device's clock differs
    /// by a minute or more. A new token that has expired already by both is used until the server refuses it.
    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken
    /// Returns the consequence of a failed refresh. Default: see ``RefreshConsequence/standard(for:)``.
    func consequence(of error: any Error) -> RefreshConsequence
    /// Called once for each end of a login, off the main actor. Default: does nothing.
    func didLogOut(_ key: TokenKey, _ reason: LogOutReason)
}

extension Authenticator {
    public var name: String { "\(Self.self)" }
    public var refreshRule: RefreshRule { RefreshRule() }
    public var maximumSessions: Int { 1_000 }

    public func authorize(_ request: inout Request, with token: AccessToken) throws {
        request.authorize(try token.bearer.field ?? BearerCredentials(token.value).field)
    }

    public func canRefresh(_ token: AccessToken?) -> Bool { token?.refreshToken != nil }
    public func consequence(of error: any Error) -> RefreshConsequence { .standard(for: error) }
    public func didLogOut(_ key: TokenKey, _ reason: LogOutReason) {}
}
