extension Client {
    /// Returns the scope of the cookies that a call would send and keep, from its endpoint and settings.
    ///
    /// Use it to show the same cookies in a web view, or to take over the cookies of a web view.
    ///
    /// ```swift
    /// let scope = try await client.cookieScope(for: Account())
    /// ```
    /// The first call may read a token store. A credential that an interceptor adds is not part of the scope.
    ///
    /// - Throws: the `TarmacError` that the call would throw before it is sent, or `CancellationError`.
    public func cookieScope<E: Endpoint>(for endpoint: E, configure: (inout Options) -> Void = { _ in }) async throws -> CookieScope {
        let context = try preview(endpoint, Options(configure))
        do {
            let built = try RequestBuilder(context.options, service: context.scope, delivery: .buffered).build(endpoint)
            context.addSecrets(built.secrets)
            return CookieScope(try await context.principal(of: built.request))
        } catch let error as TarmacError {
            throw error.with(context: context.errorContext())
        }
    }
}
