public import TarmacCore

extension ServiceClient {
    /// Takes a token for this service in the current environment: from now on calls go with it, and it is stored.
    ///
    /// Calls made under the login before keep flying; none of them is ever sent again with the new token.
    ///
    /// ```swift
    /// let session = try await client.send(Login(name: "ann", password: password))       // its authenticator is .off
    /// try await client[.shop].logIn(AccessToken(session.token, refreshToken: session.refresh))
    /// ```
    /// - Parameter principal: on whose behalf, as ``Options/principal``. Default: what client and service set.
    /// - Throws: `TarmacError(.unsupported)` when the service has no authenticator that keeps tokens, `.tokenStoreFailed`
    ///   when the token is good but could not be stored.
    public func logIn(_ token: AccessToken, as principal: String? = nil) async throws {
        try await session(principal).logIn(token)
    }

    /// Forgets the token of this service in the current environment, here and in the store. Calls that wait for a token,
    /// and those refused later, end with `TarmacError(.loggedOut)`.
    public func logOut(_ principal: String? = nil) async throws {
        try await session(principal).logOut()
    }

    private func session(_ principal: String?) throws(TarmacError) -> TokenSession {
        let runtime = try client.engine.runtime(destination)
        let values = runtime.options.values, authenticator = values.value(of: AuthenticatorOption.self)
        if case .tokens = authenticator.kind {
            let session = try runtime.auth.session(authenticator, principal: principal ?? values.principal)
            if let tokens = session as? TokenSession { return tokens }
        }
        throw TarmacError(
            .unsupported, phase: .authenticating, "the authenticator of \(runtime.service.name) is \(authenticator), which keeps no tokens",
            suggestion: "set authenticator for the client or the service")
    }
}
