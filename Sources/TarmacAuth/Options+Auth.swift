@_spi(TarmacRooms) public import TarmacCore

extension Options {
    /// The way in which calls authenticate. Default: ``Authentication/off``.
    public var authenticator: Authentication? {
        get { self[AuthenticatorOption.self] }
        set { self[AuthenticatorOption.self] = newValue }
    }
}

package enum AuthenticatorOption: CredentialOption {
    package static let name = "authenticator"
    package static var defaultValue: Authentication { .off }
    package static func fault(of value: Authentication) -> String? { value.fault }
    package static var sharing: ResponseSharing { .exclusive }
    package static func secretNames(in value: Authentication) -> Set<String> { value.secretNames }

    /// Returns a stage above dispatch, which waits for a token, and one on the wire, which adds it.
    package static func stages(_ value: Authentication, in scope: StageScope) -> [SeatedStage] {
        guard let credentials = credentials(value, scope) else { return [] }
        return [
            SeatedStage(Seat(.authenticating), AuthInterceptor(credentials: credentials)),
            // After the service's header fields, which a token replaces, and before encryption.
            SeatedStage(Seat(.sealing, order: -10), CredentialInterceptor()),
        ]
    }

    package static func credentialSource(_ value: Authentication, in scope: StageScope) -> (any CredentialSource)? {
        value.fixed.map { FixedSource(credentials: $0) } ?? credentials(value, scope)
    }

    private static func credentials(_ value: Authentication, _ scope: StageScope) -> SessionCredentials? {
        guard value.hasSession else { return nil }
        return SessionCredentials(authentication: value, principal: scope.values.principal, sessions: scope.state(RuntimeSessions.self))
    }
}

/// Credentials that are the same with every request, for the kernel.
private struct FixedSource: CredentialSource {
    let credentials: any FixedCredentials
    var isSession: Bool { false }
    var parameter: String? { credentials.parameter }
    func authorize(_ request: inout Request) { credentials.authorize(&request) }
    func account(for context: CallContext) -> String? { nil }
    func accountNow(for context: CallContext) -> KnownAccount { .known(nil) }
    func preview(_ request: inout Request, for context: CallContext) {}
}
