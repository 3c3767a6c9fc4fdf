/// The credentials of a service's calls. A room provides them through its setting, see ``CredentialOption``.
package protocol CredentialSource: Sendable {
    /// Whether the credentials belong to a session, which is known only while a call is under way. The others are the same
    /// with every request.
    var isSession: Bool { get }
    /// The text that credentials of every request add to the query.
    var parameter: String? { get }
    /// Puts credentials that are the same with every request on a request. A session puts none.
    func authorize(_ request: inout Request)
    /// The account of the session that a call's requests go out for, or `nil` if nobody is logged in. The first time this
    /// can read a store.
    func account(for context: CallContext) async throws -> String?
    /// The same without a wait: ``KnownAccount/unknown`` where a store must be read first.
    func accountNow(for context: CallContext) throws -> KnownAccount
    /// Puts the session's credentials on a request that is only shown.
    func preview(_ request: inout Request, for context: CallContext)
}

/// An account as far as it is known without a wait.
package enum KnownAccount: Sendable {
    case unknown
    /// Known; `nil` for a call that no session covers.
    case known(String?)
}

/// A setting that says how calls authenticate.
package protocol CredentialOption: OptionKey {
    static func credentialSource(_ value: Value, in scope: StageScope) -> (any CredentialSource)?
}
