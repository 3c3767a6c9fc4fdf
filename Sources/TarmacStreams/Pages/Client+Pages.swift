public import TarmacCore

extension Client {
    /// Returns the pages of an endpoint, each requested when the loop reaches it.
    ///
    /// ```swift
    /// for try await page in client.pages(of: ListRepos(user: "ann")) { show(page.value) }              // Link header
    /// for try await repo in client.pages(of: ListRepos(user: "ann")).elements { … }
    /// for try await page in client.pages(of: ListProducts(), by: .cursor("after") { $0.next }) { … }
    /// ```
    /// Each page is a separate call, with the settings, retries, hooks and errors of any call. A link to another origin
    /// is followed only within the service, so that no credentials reach a foreign server.
    ///
    /// - Parameters:
    ///   - endpoint: The call for the first page.
    ///   - paging: The rule that finds the next page. Default: that of a ``PagedEndpoint``, or the Link header (RFC 8288).
    ///   - limit: The largest number of pages; one more throws `TarmacError(.tooManyPages)`, and a limit below one
    ///     `TarmacError(.invalidOption)`. Default: 10,000. To read only the first few pages, leave the loop.
    ///   - configure: Changes the settings of every call.
    /// - Returns: A sequence that throws `TarmacError` or `CancellationError`: `.pageLoop` when a request repeats an
    ///   earlier one, `.pageRefused` for a link that is not followed, and the errors of any call.
    public func pages<E: Endpoint>(
        of endpoint: E, by paging: Paging<E>? = nil, limit: Int = 10_000, configure: (inout Options) -> Void = { _ in }
    ) -> PageStream<E> {
        PageStream(endpoint: endpoint, client: self, options: Options(configure), paging: paging ?? .standard, limit: limit)
    }
}
