@_spi(TarmacRooms) public import TarmacCore

extension Client {
    /// Sends a call with a body that may be large, and returns the value of its response.
    ///
    /// Files and streams are read while they are sent, so memory use stays constant.
    ///
    /// ```swift
    /// let photo = try await client.upload(.file(path), to: PostPhoto(), progress: { bar.update($0.fraction) })
    /// try await client.upload(.multipart([.field("title", "Sunrise"), .file("photo", path)]), to: PostPhoto())
    /// ```
    /// The body replaces the endpoint's own. Parameters that the route's template does not name become fields of a
    /// multipart form, before its files; with any other body they go into the query, and `@Field` and `@WholeBody` are
    /// errors. An upload may take as long as bytes keep moving: ``Options/timeout`` counts from the last byte sent to the end of
    /// the response, and ``Options/idleTimeout`` ends a body that stalls. ``Options/deadline`` limits the whole call.
    ///
    /// - Parameters:
    ///   - body: The body to send.
    ///   - endpoint: The call.
    ///   - configure: Changes the settings of this call.
    ///   - progress: Receives the bytes sent so far, at most 20 times a second and once at the end, on any thread. It starts
    ///     over after a redirect or a resend. Return quickly.
    /// - Throws: `TarmacError`, or `CancellationError`.
    nonisolated(nonsending) public func upload<E: Endpoint>(
        _ body: Body, to endpoint: E, configure: (inout Options) -> Void = { _ in }, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> E.Value {
        try await landUpload(UploadEndpoint(base: endpoint, content: body), Options(configure), progress).value
    }

    /// Sends a call with a body whose response has no value.
    nonisolated(nonsending) public func upload<E: Endpoint>(
        _ body: Body, to endpoint: E, configure: (inout Options) -> Void = { _ in }, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws where E.Value == Void {
        _ = try await landUpload(UploadEndpoint(base: endpoint, content: body), Options(configure), progress)
    }

    /// Starts an upload whose progress is a sequence.
    ///
    /// A paused upload starts from the beginning when it is resumed, so its body must be replayable.
    public func startUpload<E: Endpoint>(_ body: Body, to endpoint: E, configure: (inout Options) -> Void = { _ in }) -> Transfer<E.Value> {
        let hold = TransferHold()
        let call = Options {
            configure(&$0)
            $0[TransferHoldOption.self] = .some(hold)
        }
        // The transfer belongs to the client and must not keep it alive.
        let client = Client(unowned: engine, binding: binding)
        return Transfer(hold: hold) { tell in
            try await client.landUpload(UploadEndpoint(base: endpoint, content: body), call, tell).value
        }
    }

    private nonisolated(nonsending) func landUpload<E: Endpoint>(
        _ endpoint: UploadEndpoint<E>, _ call: Options, _ progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws -> Landed<E.Value> {
        try await Flight.fly(endpoint, on: engine, for: binding, delivery: .buffered, call: call, restartsTimeout: true, progress: progress) { builder in
            try builder.build(endpoint)
        } respond: { flight, request in
            try await flight.pausable { try await flight.answer(to: request) }
        } land: { flight, response in
            try await flight.landed(endpoint, endpoint.landing, response)
        }
    }
}
