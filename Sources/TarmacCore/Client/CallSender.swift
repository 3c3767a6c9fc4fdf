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
}

extension Client: CallSender {
    /// This client.
    public var client: Client { self }
    /// `nil`: the endpoint names the service.
    public var service: Service? { nil }
}
