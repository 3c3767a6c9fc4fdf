public import TarmacCore

extension Client {
    /// The pages of an endpoint, each asked for when the loop comes to it.
    ///
    /// ```swift
    /// for try await page in client.pages(of: ListRepos(user: "ann")) { show(page.value) }              // Link header
    /// for try await repo in client.pages(of: ListRepos(user: "ann")).elements { … }
    /// for try await page in client.pages(of: ListProducts(), by: .cursor("after") { $0.next }) { … }
    /// ```
    /// Every page is a call of its own, with the settings, retries, hooks and errors of any other. A link to another origin is
    /// followed only within the service: what the first call may show, a stranger does not see.
    ///
    /// - Parameters:
    ///   - paging: where the next page is found. Default: the Link header (RFC 8288).
    ///   - limit: how many pages there may be; one more is `TarmacError(.tooManyPages)`. Default 10,000. To have only the
    ///     first few, leave the loop.
    ///   - configure: the layer of settings of every call.
    /// - Throws: while it is read, `TarmacError` or `CancellationError`: `.pageLoop` when a request is the same as one before,
    ///   `.pageRefused` for a link that is not followed, and what any call fails with.
    public func pages<E: Endpoint>(
        of endpoint: E, by paging: Paging<E> = .linkHeader, limit: Int = 10_000, configure: (inout Options) -> Void = { _ in }
    ) -> PageStream<E> {
        PageStream(endpoint: endpoint, client: self, options: Options(configure), paging: paging, limit: limit)
    }

    /// The pages of an endpoint that says itself which comes next.
    public func pages<E: PagedEndpoint>(of endpoint: E, limit: Int = 10_000, configure: (inout Options) -> Void = { _ in }) -> PageStream<E> {
        pages(of: endpoint, by: .endpoint, limit: limit, configure: configure)
    }
}
