public import TarmacCore

extension Client {
    /// Runs several calls that the user sees as one. A loading indication that one of the calls begins stays until
    /// `body` ends. If any of them fails, one error is presented when `body` has ended.
    ///
    /// ```swift
    /// try await client.presenting(host: .object(self)) { client in
    ///     let user = try await client.send(GetUser(id: 7))
    ///     return try await client.send(GetImage(name: user.avatar))
    /// }
    /// ```
    /// The settings of the calls decide whether there is an indication and whose errors are presented. Batches, chains
    /// and graphs do this by themselves.
    ///
    /// - Parameters:
    ///   - host: the host of calls that set none. Default: the owner's, or that of the enclosing group.
    ///   - body: the work, with the client to use for it.
    /// - Throws: the error of `body`, as `TarmacError` or `CancellationError`. Any other error becomes the cause of
    ///   `TarmacError(.callerFailed)`.
    nonisolated(nonsending) public func presenting<Value: Sendable>(
        host: PresentationHost = .owner, _ body: (Client) async throws -> Value
    ) async throws -> Value {
        try await flyingAsOne(.scope, name: "presenting", host: host, body)
    }

    /// Runs several calls as one: one indication, one error, the hooks of the group, and one cancellation.
    package nonisolated(nonsending) func flyingAsOne<Value: Sendable>(
        _ kind: CallSummary.Kind, name: String, host: PresentationHost = .owner, presenter: (any Presenter)? = nil, hooks: [CallHooks] = [],
        tags: Set<CallTag> = [], userInfo: UserInfo = UserInfo(), _ body: (Client) async throws -> Value
    ) async throws -> Value {
        let summary = CallSummary(kind: kind, id: engine.nextCall(), name: name, service: nil, tags: tags, userInfo: userInfo)
        let scope = CallScope(summary, in: binding)
        let presentation = ScopePresentation(scope, in: binding, on: host, presenter: presenter, hooks: hooks, indicators: engine.indicators)
        scope.attach(presentation)
        let place = engine.enter(.scope(scope))
        defer { engine.leave(place) }
        await presentation.begin()
        do {
            let value = try await body(bound(to: scope))
            await presentation.end(.landed(value: value, response: nil))
            return value
        } catch {
            let failure = TarmacError.publicError(error)
            await presentation.end(CallOutcome(failure))
            throw failure
        }
    }

    private func bound(to scope: CallScope) -> Client {
        Client(unowned: engine, binding: CallBinding(owner: binding.owner, scope: scope))
    }
}

extension CallSummary.Kind {
    /// The closure given to ``Client/presenting(host:_:)``.
    public static let scope = Self("scope")
}
