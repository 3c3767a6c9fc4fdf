import HTTPTypes

extension Client {
    /// Sends a call and returns its value.
    ///
    /// - Parameter configure: the call's own layer of settings.
    /// - Throws: `TarmacError`, or `CancellationError` when the task is cancelled; nothing else.
    @inline(__always)
    nonisolated(nonsending) public func send<E: Endpoint>(_ endpoint: E, configure: (inout Options) -> Void = { _ in }) async throws -> E.Value {
        try await engine.land(endpoint, Options(configure), binding).value
    }

    /// Sends a call and returns its value with everything that came along: status, header fields, attempts, JSON.
    nonisolated(nonsending) public func landed<E: Endpoint>(
        for endpoint: E, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Landed<E.Value> {
        try await engine.land(endpoint, Options(configure), binding)
    }

    /// Sends a call whose value is not needed.
    @inline(__always)
    nonisolated(nonsending) public func send<E: Endpoint>(
        _ endpoint: E, configure: (inout Options) -> Void = { _ in }
    ) async throws where E.Value == Void {
        _ = try await engine.land(endpoint, Options(configure), binding)
    }

    /// Sends a request as it is, past endpoints and parameters but through the whole chain: the escape hatch
    /// (YTK-11). Any status is a response unless `acceptableStatus` says otherwise.
    nonisolated(nonsending) public func send(
        raw request: Request, service: Service = .clientDefault, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Response {
        let endpoint = RawEndpoint(service: service, method: request.method.rawValue)
        return try await Flight.fly(endpoint, on: engine, for: binding, delivery: .buffered, call: Options(configure)) { builder in
            try builder.build(raw: request)
        } land: { _, response in
            response
        }
    }
}

extension Engine {
    @inline(__always)
    func land<E: Endpoint>(_ endpoint: E, _ call: Options, _ binding: CallBinding = .none) async throws -> Landed<E.Value> {
        try await Flight.fly(endpoint, on: self, for: binding, delivery: .buffered, call: call) { builder in
            try builder.build(endpoint)
        } land: { flight, response in
            try await flight.landed(endpoint, response)
        }
    }
}

/// What a ready-made request is called, and what it lands as.
private struct RawEndpoint: Endpoint {
    /// Not used: the request is there already.
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
