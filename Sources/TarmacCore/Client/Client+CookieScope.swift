extension Client {
    /// Whose cookies a call would send and keep, by its endpoint and its settings: to show the same cookies in a web view, or to
    /// take those of one over.
    ///
    /// ```swift
    /// let scope = try await client.cookieScope(for: Account())
    /// ```
    /// The first time it may have to read a token store. A credential that an interceptor adds is not known here.
    ///
    /// - Throws: `TarmacError` as the call would before it is sent, or `CancellationError`.
    public func cookieScope<E: Endpoint>(for endpoint: E, configure: (inout Options) -> Void = { _ in }) async throws -> CookieScope {
        let context = try preview(endpoint, Options(configure))
        do {
            let built = try RequestBuilder(context.options, runtime: context.runtime, delivery: .buffered).build(endpoint)
            context.addSecrets(built.secrets)
            return CookieScope(try await context.principal(of: built.request))
        } catch let error as TarmacError {
            throw error.with(context: context.errorContext())
        }
    }
}
