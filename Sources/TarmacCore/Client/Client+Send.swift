import HTTPTypes

extension Client {
    /// Sends a request that you made yourself through the whole chain.
    ///
    /// Every status is a success unless ``Options/acceptableStatus`` says otherwise.
    ///
    /// - Parameters:
    ///   - request: the request. The client adds the service's header fields and credentials.
    ///   - service: the service that receives it. Default: the client's first.
    ///   - configure: sets the settings of this call alone.
    /// - Throws: `TarmacError`, or `CancellationError` when the task is cancelled.
    nonisolated(nonsending) public func send(
        raw request: Request, service: Service = .clientDefault, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Response {
        let endpoint = RawEndpoint(service: service, method: request.method.rawValue)
        var request = request
        request.expect(.anyEnvelope)
        return try await Flight.fly(endpoint, on: engine, for: binding, delivery: .buffered, call: Options(configure)) { [request] builder in
            try builder.build(raw: request)
        } land: { _, response in
            response
        }
    }
}

extension Client {
    // The methods of `CallSender` are inlined into their callers, so a call costs this frame only.
    @usableFromInline func land<Value: Decodable & Sendable>(
        _ route: Route, _ parameters: ParameterList, body: Body? = nil, as type: Value.Type, _ call: Options, to service: Service?
    ) async throws -> Value {
        try await engine.land(InlineCall(route, parameters, body), as: type, call, binding, to: service)
    }

    @usableFromInline func land(_ route: Route, _ parameters: ParameterList, body: Body? = nil, _ call: Options, to service: Service?) async throws {
        let inline = InlineCall(route, parameters, body)
        let plan = FlightPlan(inline, to: service, as: nil)
        let (ending, response) = try await Flight.arrive(plan, on: engine, for: binding, delivery: .buffered, call: call) { try $0.build(inline) }
        do {
            try await ending.land(response, ())
        } catch {
            throw await ending.fail(error, response)
        }
    }
}

extension Engine {
    @inline(__always)
    package func land<E: Endpoint>(
        _ endpoint: E, _ call: Options, _ binding: CallBinding = .none, to service: Service? = nil, progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> Landed<E.Value> {
        let landing = endpoint.landing
        let plan = FlightPlan(endpoint, landing, to: service)
        let (ending, response) = try await Flight.arrive(plan, on: self, for: binding, delivery: .buffered, call: call, progress: progress) {
            try $0.build(endpoint)
        }
        do {
            let landed = try await ending.flight.landed(endpoint, landing, response)
            try await ending.land(response, landed.value)
            return landed
        } catch {
            throw await ending.fail(error, response)
        }
    }

    /// Sends an inline call and returns its value. Its endpoint has no hook, and its landing follows from the type.
    @inline(__always)
    func land<Value: Decodable & Sendable>(
        _ inline: InlineCall, as type: Value.Type, _ call: Options, _ binding: CallBinding, to service: Service?
    ) async throws -> Value {
        let landing = TypeLanding(type)
        let plan = FlightPlan(inline, to: service, as: landing)
        let (ending, response) = try await Flight.arrive(plan, on: self, for: binding, delivery: .buffered, call: call) { try $0.build(inline) }
        do {
            let value = try landing.checkedValue(of: ending.flight.context.payload(of: response), as: type)
            try await ending.land(response, value)
            return value
        } catch {
            throw await ending.fail(error, response)
        }
    }
}

/// The endpoint of a ready-made request.
private struct RawEndpoint: Endpoint {
    typealias Value = Response
    /// Not used, because the request already exists.
    static var route: Route { .get("/") }
    let service: Service
    let method: String

    var endpointName: String { "raw \(method)" }
    var landing: Landing<Response> { Landing { $0.response } }

    func configure(_ options: inout Options) {
        options.acceptableStatus = .any
        options.acceptableContentTypes = .any
    }
}
