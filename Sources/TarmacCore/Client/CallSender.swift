/// A type that sends calls: a client, one of its services, or your own type that has a client.
///
/// A conforming type gets a method for every HTTP method:
///
/// ```swift
/// struct Shop: CallSender {
///     let client: Client
///     var service: Service? { .shop }
/// }
/// let user = try await Shop(client: client).get("/users/{id}", ["id": 7], as: User.self)
/// ```
public protocol CallSender: Sendable {
    /// The client that sends the calls.
    var client: Client { get }
    /// The service that receives every call. With `nil`, each endpoint names its own.
    // Without a default: a conforming type's `let service = Service.shop` is not a `Service?`, so a default would win
    // over it.
    var service: Service? { get }
}

extension CallSender {
    /// Sends a call and returns its value.
    ///
    /// - Parameters:
    ///   - endpoint: the call. If ``service`` is not `nil`, it replaces the endpoint's own service.
    ///   - configure: sets the settings of this call alone.
    /// - Throws: `TarmacError`, or `CancellationError` when the task is cancelled.
    @_alwaysEmitIntoClient @inline(__always)
    nonisolated(nonsending) public func send<E: Endpoint>(_ endpoint: E, configure: (inout Options) -> Void = { _ in }) async throws -> E.Value {
        try await landed(for: endpoint, configure: configure).value
    }

    /// Sends a call that has no value.
    ///
    /// - Throws: `TarmacError`, or `CancellationError` when the task is cancelled.
    // A separate method for speed: it does not make the type of the result at run time.
    nonisolated(nonsending) public func send<E: Endpoint>(
        _ endpoint: E, configure: (inout Options) -> Void = { _ in }
    ) async throws where E.Value == Void {
        let client = client
        _ = try await client.engine.land(endpoint, Options(configure), client.binding, to: service)
    }

    /// Sends a work, such as a download or a batch, and returns its value.
    ///
    /// ```swift
    /// let file = try await client.send(Download(Film(id: 1), to: path), progress: { bar.update($0.fraction) })
    /// let (image, user) = try await client.send(Batch(GetImage(name: "1.jpg"), GetUser(id: 7)))
    /// ```
    /// - Parameters:
    ///   - work: the work. If ``service`` is not `nil`, it replaces the service of every endpoint in it.
    ///   - configure: sets the settings of its calls, over those of the work itself.
    ///   - progress: called with the progress, in order and on any thread. Return quickly. Default: none.
    /// - Throws: `TarmacError`, or `CancellationError` when the task is cancelled.
    @discardableResult
    nonisolated(nonsending) public func send<W: Work>(
        _ work: W, configure: (inout Options) -> Void = { _ in }, progress: (@Sendable (W.WorkProgress) -> Void)? = nil
    ) async throws -> W.Value {
        let client = client
        do {
            return try await work.perform(in: WorkRun(client.engine, Options(configure), client.binding, to: service), progress: progress).value
        } catch {
            throw TarmacError.publicError(error)
        }
    }

    /// Sends a call and returns its value together with the status, the header fields and the number of attempts.
    ///
    /// - Throws: `TarmacError`, or `CancellationError` when the task is cancelled.
    nonisolated(nonsending) public func landed<E: Endpoint>(
        for endpoint: E, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Landed<E.Value> {
        let client = client
        return try await client.engine.land(endpoint, Options(configure), client.binding, to: service)
    }
}

extension Client: CallSender {
    /// This client.
    public var client: Client { self }
    /// Always `nil`: each endpoint names its own service.
    public var service: Service? { nil }
}
