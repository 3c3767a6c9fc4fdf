@_spi(TarmacRooms) public import TarmacCore

extension Options {
    /// The way in which calls authenticate. Default: ``Authentication/off``.
    public var authenticator: Authentication? {
        get { self[Settings.authenticator] }
        set { self[Settings.authenticator] = newValue }
    }
}

extension Settings {
    package static let authenticator = Setting<Authentication>("authenticator", default: .off) {
        $0.fault = { $0.fault }
        $0.sharing = .exclusive
        $0.secretNames = { value in value.secretNames }
        // Returns a stage above dispatch, which waits for a token, and one on the wire, which adds it.
        $0.stages = { value, scope in
            guard let credentials = SessionCredentials(value, in: scope) else { return [] }
            return [
                SeatedStage(Seat(.authenticating), AuthInterceptor(credentials: credentials)),
                // After the service's header fields, which a token replaces, and before encryption.
                SeatedStage(Seat(.sealing, order: -10), CredentialInterceptor()),
            ]
        }
        $0.credentials = { value, scope in
            value.fixed.map { FixedSource(credentials: $0) } ?? SessionCredentials(value, in: scope)
        }
    }
}

extension SessionCredentials {
    /// Creates the credentials of a session; `nil` if calls have none.
    fileprivate init?(_ value: Authentication, in scope: StageScope) {
        guard value.hasSession else { return nil }
        self.init(authentication: value, principal: scope.values.principal, sessions: scope.state(RuntimeSessions.self))
    }
}

/// Credentials that are the same with every request, for the kernel.
private struct FixedSource: CredentialSource {
    let credentials: any FixedCredentials
    var isSession: Bool { false }
    var identity: String? { credentials.parameter.map { "query: \($0)" } }
    func authorize(_ request: inout Request) { credentials.authorize(&request) }
    func begin(_ context: CallContext) {}
    func account(for context: CallContext) -> String? { nil }
    func accountNow(of principal: String?, for context: CallContext) -> KnownAccount { .known(nil) }
    func preview(_ request: inout Request, for context: CallContext) {}
}
