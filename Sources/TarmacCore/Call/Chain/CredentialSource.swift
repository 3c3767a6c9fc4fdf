/// A source of the credentials for a service's calls. A module provides it through its setting; see
/// ``Setting/Rules``.
package protocol CredentialSource: Sendable {
    /// Whether the credentials belong to a session, which is known only while a call runs. Other credentials are the
    /// same in every request.
    var isSession: Bool { get }
    /// A text that identifies the caller if neither an account nor a header field does, such as `query: key=k`. It is never shown.
    var identity: String? { get }
    /// Adds fixed credentials to a request. A session adds none.
    func authorize(_ request: inout Request)
    /// Binds a call that begins to the login that there is.
    func begin(_ context: CallContext)
    /// Returns the account of the session that a call's requests use, or `nil` if there is no login. The first call
    /// may read a store, or make the login.
    func account(for context: CallContext) async throws -> String?
    /// Returns the account without waiting, or ``KnownAccount/unknown`` if a store must be read first.
    ///
    /// - Parameter principal: another principal than the call's, whose store this begins to read. `nil` for the call's own.
    func accountNow(of principal: String?, for context: CallContext) throws -> KnownAccount
    /// Adds the session's credentials to a request for display.
    func preview(_ request: inout Request, for context: CallContext)
}

/// An account, as far as it is known without waiting.
package enum KnownAccount: Sendable {
    case unknown
    /// The account is known. It is `nil` for a call without a session.
    case known(String?)
}
