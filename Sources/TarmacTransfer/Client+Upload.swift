public import TarmacCore

extension Client {
    /// Sends a call with a body that may be large, and returns its value. Files and streams are read while they are sent, so memory
    /// stays flat.
    ///
    /// ```swift
    /// let photo = try await client.upload(.file(path), to: PostPhoto()) progress: { bar.update($0.fraction) }
    /// try await client.upload(.multipart([.field("title", "Sunrise"), .file("photo", path)]), to: PostPhoto())
    /// ```
    /// The body takes the place of the endpoint's own; parameters the template does not name go into the query. An upload may
    /// take as long as it comes on: ``Options/timeout`` counts from the last bytes that left to the end of the response, and
    /// ``Options/idleTimeout`` ends a body that stalls. ``Options/deadline`` is for the whole of it.
    ///
    /// - Parameter progress: told how much is sent, at most 20 times a second and at the end, from any thread; a redirect or
    ///   resend starts over. Return quickly.
    /// - Throws: `TarmacError`, or `CancellationError`.
    nonisolated(nonsending) public func upload<E: Endpoint>(
        _ body: Body, to endpoint: E, configure: (inout Options) -> Void = { _ in }, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> E.Value {
        try await landUpload(UploadEndpoint(base: endpoint, content: body), Options(configure), progress).value
    }

    /// Sends a call with a body whose answer has no value.
    nonisolated(nonsending) public func upload<E: Endpoint>(
        _ body: Body, to endpoint: E, configure: (inout Options) -> Void = { _ in }, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws where E.Value == Void {
        _ = try await landUpload(UploadEndpoint(base: endpoint, content: body), Options(configure), progress)
    }

    /// Starts an upload; its progress is a sequence. Paused and resumed it begins anew, and its body must be one that can be sent again.
    public func startUpload<E: Endpoint>(_ body: Body, to endpoint: E, configure: (inout Options) -> Void = { _ in }) -> Transfer<E.Value> {
        let call = Options(configure)
        // A transfer of the client's must not keep it alive.
        let client = Client(unowned: engine, binding: binding)
        return Transfer(hold: TransferHold()) { tell in
            try await client.landUpload(UploadEndpoint(base: endpoint, content: body), call, tell).value
        }
    }

    private nonisolated(nonsending) func landUpload<E: Endpoint>(
        _ endpoint: UploadEndpoint<E>, _ call: Options, _ progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws -> Landed<E.Value> {
        try await Flight.fly(endpoint, on: engine, for: binding, delivery: .buffered, call: call, isUpload: true, progress: progress) { builder in
            try builder.build(endpoint)
        } land: { flight, response in
            try await flight.landed(endpoint, endpoint.landing, response)
        }
    }
}
