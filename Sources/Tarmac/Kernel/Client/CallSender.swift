/// A type that sends calls: a client, one of its services, or a type of your own that has a client.
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
    /// The service that receives every call. With `nil`, the endpoint names it.
    // No default: a `let service = Service.shop`, which is no `Service?`, would be ignored for it.
    var service: Service? { get }
}

extension CallSender {
    /// Sends a call and returns its value.
    ///
    /// - Parameters:
    ///   - endpoint: the call. It goes to ``service``, if there is one, whatever service it names itself.
    ///   - configure: sets the settings of this call alone.
    /// - Throws: `TarmacError`, or `CancellationError` when the task is cancelled.
    @inline(__always)
    nonisolated(nonsending) public func send<E: Endpoint>(_ endpoint: E, configure: (inout Options) -> Void = { _ in }) async throws -> E.Value {
        let client = client
        return try await client.engine.land(endpoint, Options(configure), client.binding, to: service).value
    }

    /// Sends a call that has no value.
    ///
    /// - Throws: `TarmacError`, or `CancellationError` when the task is cancelled.
    // Of its own, for speed: the type of what lands is not made at run time.
    nonisolated(nonsending) public func send<E: Endpoint>(
        _ endpoint: E, configure: (inout Options) -> Void = { _ in }
    ) async throws where E.Value == Void {
        let client = client
        _ = try await client.engine.land(endpoint, Options(configure), client.binding, to: service)
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

    /// Sends a call and returns the value that a function makes of the response.
    ///
    /// - Throws: `TarmacError`, with `.reformingFailed` for an error of the function, or `CancellationError`.
    nonisolated(nonsending) public func send<E: Endpoint, Made: Sendable>(
        _ endpoint: E, reformedBy function: @escaping @Sendable (Payload) throws -> Made, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Made { try await send(endpoint.reformed(by: function), configure: configure) }

    /// Sends a call and returns the value that a reformer makes of the response, together with the status and the header fields.
    nonisolated(nonsending) public func landed<E: Endpoint, R: Reformer>(
        for endpoint: E, reformedBy reformer: R, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Landed<R.Value> { try await landed(for: endpoint.reformed(by: reformer), configure: configure) }

    /// Sends a call and returns the value that a function makes of the response, together with the status and the header fields.
    nonisolated(nonsending) public func landed<E: Endpoint, Made: Sendable>(
        for endpoint: E, reformedBy function: @escaping @Sendable (Payload) throws -> Made, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Landed<Made> { try await landed(for: endpoint.reformed(by: function), configure: configure) }
}

extension Client: CallSender {
    /// This client.
    public var client: Client { self }
    /// `nil`: the endpoint names the service.
    public var service: Service? { nil }
}
