@_spi(TarmacRooms) import TarmacCore

/// The sessions for the calls with one setting.
struct SessionCredentials: CredentialSource {
    let authentication: Authentication
    let principal: String
    let sessions: RuntimeSessions

    var isSession: Bool { true }
    var identity: String? { authentication.identity }

    func session() throws(TarmacError) -> any AuthSession { try sessions.session(authentication, principal: principal) }

    func authorize(_ request: inout Request) {}

    func begin(_ context: CallContext) {
        guard let session = try? session(), !context.isWork(of: session) else { return }
        session.begin(context)
    }

    func account(for context: CallContext) async throws -> String? {
        let session = try session()
        return context.isWork(of: session) ? nil : try await session.account(for: context)
    }

    func accountNow(of principal: String?, for context: CallContext) throws -> KnownAccount {
        if let principal {
            let account = try sessions.session(authentication, principal: principal).knownAccount(for: context)
            return account.map { .known($0) } ?? .unknown
        }
        let session = try session()
        if context.isWork(of: session) { return .known(nil) }
        return session.accountNow(for: context).map { .known($0) } ?? .unknown
    }

    func preview(_ request: inout Request, for context: CallContext) { (try? session())?.preview(&request) }
}

extension CallContext {
    /// Whether the call belongs to a refresh of the session, or to that of another user by the same authenticator. It has no credentials then: a
    /// refresh waits for no login, and does not go under another one's.
    func isWork(of session: any AuthSession) -> Bool {
        awaitedWork?.covers { work in (work as? TokenSession)?.hasAuthenticator(of: session) == true } == true
    }
}

/// Adds the session's credentials to each request on the wire, where they are current.
struct CredentialInterceptor: Interceptor {
    @inline(__always)
    nonisolated(nonsending) func intercept(_ request: Request, chain: Chain) async throws -> Response {
        guard let pass = chain[AuthPass.self] else { return try await chain.proceed(request) }
        var request = request
        let credential = try pass.session.stamp(&request, pass)
        var response = try await chain.proceed(request)
        response[StampedCredential.self] = credential
        return response
    }
}
