public import TarmacCore

extension CallSender {
    /// Sends a call and returns the value that a reformer makes of the response.
    ///
    /// ```swift
    /// let cells = try await client.send(ListProducts(page: 1), reformedBy: ProductCells())
    /// ```
    /// ``ReformedEndpoint`` describes when the endpoint's own value is made.
    /// - Throws: `TarmacError`, with `.reformingFailed` for an error of the reformer, or `CancellationError`.
    nonisolated(nonsending) public func send<E: Endpoint, R: Reformer>(
        _ endpoint: E, reformedBy reformer: R, configure: (inout Options) -> Void = { _ in }
    ) async throws -> R.Value { try await send(endpoint.reformed(by: reformer), configure: configure) }

    /// Sends a call and returns the value that a reformer makes of the response, together with the status and the
    /// header fields.
    nonisolated(nonsending) public func landed<E: Endpoint, R: Reformer>(
        for endpoint: E, reformedBy reformer: R, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Landed<R.Value> { try await landed(for: endpoint.reformed(by: reformer), configure: configure) }
}
