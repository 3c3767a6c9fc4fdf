public import TarmacCore

extension Client {
    /// Sends calls of several types at the same time, all or nothing. The first call that fails cancels the others.
    ///
    /// ```swift
    /// let (image, user) = try await client.batch(GetImage(name: "1.jpg"), GetUser(id: 7))
    /// ```
    /// - Throws: the error of the call that failed, which ``TarmacError/members`` names, or `CancellationError`.
    nonisolated(nonsending) public func batch<each E: Endpoint>(
        _ endpoint: repeat each E, limit: Int? = nil, configure: (inout Options) -> Void = { _ in },
        progress: (@Sendable (GroupProgress) -> Void)? = nil
    ) async throws -> (repeat (each E).Value) {
        try await Batch(repeat each endpoint, limit: limit, configure: configure).run(on: self, progress: progress)
    }

    /// Sends calls of several types at the same time, each with its own result.
    nonisolated(nonsending) public func batch<each E: Endpoint>(
        outcomesOf endpoint: repeat each E, limit: Int? = nil, configure: (inout Options) -> Void = { _ in },
        progress: (@Sendable (GroupProgress) -> Void)? = nil
    ) async throws -> (repeat Result<(each E).Value, any Error>) {
        try await Batch(outcomesOf: repeat each endpoint, limit: limit, configure: configure).run(on: self, progress: progress)
    }

    /// Sends calls of one type at the same time, each with its own result. The results are in the order of the calls.
    ///
    /// ```swift
    /// let outcomes = await client.batch(ids.map { GetUser(id: $0) }, limit: 8)
    /// ```
    /// - Parameters:
    ///   - endpoints: the calls.
    ///   - limit: the maximum number of concurrent calls. With a limit below one, each call fails with
    ///     `TarmacError(.invalidGroup)`. Default: no limit.
    ///   - configure: changes the settings of each call.
    ///   - progress: called after each call has ended, on any thread. Return quickly.
    nonisolated(nonsending) public func batch<E: Endpoint>(
        _ endpoints: [E], limit: Int? = nil, configure: (inout Options) -> Void = { _ in },
        progress: (@Sendable (GroupProgress) -> Void)? = nil
    ) async -> [Result<E.Value, any Error>] {
        do { return try await Batch(endpoints, limit: limit, configure: configure).run(on: self, progress: progress) } catch {
            return endpoints.map { _ in .failure(error) }
        }
    }

    /// Sends calls of one type at the same time, all or nothing. The values are in the order of the calls.
    nonisolated(nonsending) public func batch<E: Endpoint>(
        allOrNothing endpoints: [E], limit: Int? = nil, configure: (inout Options) -> Void = { _ in },
        progress: (@Sendable (GroupProgress) -> Void)? = nil
    ) async throws -> [E.Value] {
        try await Batch(allOrNothing: endpoints, limit: limit, configure: configure).run(on: self, progress: progress)
    }
}
