public import TarmacCore

extension Client {
    /// Sends calls of several kinds at once, all or nothing: the first to fail, wherever it stands, cancels the others.
    ///
    /// ```swift
    /// let (image, user) = try await client.batch(GetImage(name: "1.jpg"), GetUser(id: 7))
    /// ```
    /// - Throws: the error of the call that failed, whose ``TarmacError/member`` says which it was, or `CancellationError`.
    nonisolated(nonsending) public func batch<each E: Endpoint>(
        _ endpoint: repeat each E, limit: Int? = nil, configure: (inout Options) -> Void = { _ in },
        progress: (@Sendable (GroupProgress) -> Void)? = nil
    ) async throws -> (repeat (each E).Value) {
        try await Batch(repeat each endpoint, limit: limit, configure: configure).run(on: self, progress: progress)
    }

    /// Sends calls of several kinds at once, each landing for itself.
    nonisolated(nonsending) public func batch<each E: Endpoint>(
        outcomesOf endpoint: repeat each E, limit: Int? = nil, configure: (inout Options) -> Void = { _ in },
        progress: (@Sendable (GroupProgress) -> Void)? = nil
    ) async throws -> (repeat Result<(each E).Value, any Error>) {
        try await Batch(outcomesOf: repeat each endpoint, limit: limit, configure: configure).run(on: self, progress: progress)
    }

    /// Sends calls of one kind at once, each landing for itself: in order, nothing hidden.
    ///
    /// ```swift
    /// let outcomes = await client.batch(ids.map { GetUser(id: $0) }, limit: 8)
    /// ```
    /// - Parameters:
    ///   - limit: how many of them fly at once; below one, each fails with `TarmacError(.invalidGroup)`. Default: all.
    ///   - configure: the call's own layer of settings, for each of them.
    ///   - progress: told after each call that has ended, from any thread; return quickly.
    nonisolated(nonsending) public func batch<E: Endpoint>(
        _ endpoints: [E], limit: Int? = nil, configure: (inout Options) -> Void = { _ in },
        progress: (@Sendable (GroupProgress) -> Void)? = nil
    ) async -> [Result<E.Value, any Error>] {
        do { return try await Batch(endpoints, limit: limit, configure: configure).run(on: self, progress: progress) } catch {
            return endpoints.map { _ in .failure(error) }
        }
    }

    /// Sends calls of one kind at once, all or nothing; the values stand in the order of the calls.
    nonisolated(nonsending) public func batch<E: Endpoint>(
        allOrNothing endpoints: [E], limit: Int? = nil, configure: (inout Options) -> Void = { _ in },
        progress: (@Sendable (GroupProgress) -> Void)? = nil
    ) async throws -> [E.Value] {
        try await Batch(allOrNothing: endpoints, limit: limit, configure: configure).run(on: self, progress: progress)
    }
}
