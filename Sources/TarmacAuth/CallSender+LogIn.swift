public import TarmacCore

extension CallSender {
    /// Sets the token of a service in the current environment, and stores it. From now on, calls use it.
    ///
    /// The service is that of `client[.shop]`, or the only one of a client.
    ///
    /// Calls of another account continue, and none of them is sent again with the new token. Calls of the same
    /// ``AccessToken/account`` use the new token from now on.
    ///
    /// ```swift
    /// let session = try await client.send(Login(name: "ann", password: password))       // its authenticator is .off
    /// try await client[.shop].logIn(AccessToken(session.token, refreshToken: session.refresh))
    /// ```
    /// - Parameters:
    ///   - token: the token, with its refresh token if the server issues one.
    ///   - principal: the principal, as in ``Options/principal``. Default: the one that the client and the service set.
    /// - Throws: `TarmacError(.unsupported)` if the service has no authenticator that keeps tokens, or if the client has
    ///   several services and none is named; `.tokenStoreFailed` if the token is valid but could not be stored.
    public func logIn(_ token: AccessToken, as principal: String? = nil) async throws {
        let session = try session(principal)
        // The token is valid even if it cannot be stored.
        defer { client.engine.scope.existingState(LoginWatch.self)?.note() }
        try await session.logIn(token)
    }

    /// Removes the token of a service in the current environment, from memory and from the store. Calls that wait
    /// for a token, and calls refused later, end with `TarmacError(.loggedOut)`. Nothing of the principal stays in
    /// memory, as soon as its calls have ended.
    public func logOut(_ principal: String? = nil) async throws {
        let runtime = try client.engine.runtime(try named())
        let authenticator = try await logOut(principal, runtime)
        runtime.scope.auth.release(authenticator, principal: principal ?? runtime.options.values.principal)
    }

    /// Logs out, and returns the authenticator of the session, to which it leaves no reference.
    private func logOut(_ principal: String?, _ runtime: ServiceRuntime) async throws -> any Authenticator {
        let session = try session(principal, runtime)
        try await session.logOut()
        return session.authenticator
    }

    private func session(_ principal: String?) throws(TarmacError) -> TokenSession {
        try session(principal, client.engine.runtime(try named()))
    }

    private func session(_ principal: String?, _ runtime: ServiceRuntime) throws(TarmacError) -> TokenSession {
        let values = runtime.options.values, authenticator = values.value(of: Settings.authenticator)
        if case .tokens = authenticator.kind {
            let session = try runtime.scope.auth.session(authenticator, principal: principal ?? values.principal)
            if let tokens = session as? TokenSession { return tokens }
        }
        throw TarmacError(
            .unsupported, phase: .authenticating, "the authenticator of \(runtime.service.name) is \(authenticator), which keeps no tokens",
            suggestion: "set authenticator for the client or the service")
    }

    private func named() throws(TarmacError) -> Service {
        if let service { return service }
        guard let only = client.engine.onlyService else {
            throw TarmacError(
                .unsupported, phase: .authenticating, "the client does not have exactly one service, so the login must name its own",
                suggestion: "write client[service] in place of client")
        }
        return only
    }
}
