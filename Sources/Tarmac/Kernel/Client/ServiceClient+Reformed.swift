// What a reformer makes of the answer. The answer has to be JSON if the reformer says so, and may be anything otherwise.
extension ServiceClient {
    /// Sends an inline endpoint to this service and returns what a reformer makes of its answer.
    nonisolated(nonsending) public func send<Value, R: Reformer>(
        _ endpoint: InlineEndpoint<Value>, reformedBy reformer: R, configure: (inout Options) -> Void = { _ in }
    ) async throws -> R.Value { try await client.send(endpoint.on(service), reformedBy: reformer, configure: configure) }

    /// Sends an inline endpoint to this service and returns what a plain function makes of its answer.
    nonisolated(nonsending) public func send<Value, Made: Sendable>(
        _ endpoint: InlineEndpoint<Value>, reformedBy function: @escaping @Sendable (Payload) throws -> Made,
        configure: (inout Options) -> Void = { _ in }
    ) async throws -> Made { try await client.send(endpoint.on(service), reformedBy: function, configure: configure) }

    /// Sends GET to this service and returns what a reformer makes of the answer.
    nonisolated(nonsending) public func get<R: Reformer>(
        _ template: String, _ parameters: ParameterList = [:], reformedBy reformer: R, configure: (inout Options) -> Void = { _ in }
    ) async throws -> R.Value {
        try await send(InlineEndpoint(.get(template), parameters, landing: .reformed(by: reformer)), configure: configure)
    }

    /// Sends GET to this service and returns what a plain function makes of the answer.
    nonisolated(nonsending) public func get<Made: Sendable>(
        _ template: String, _ parameters: ParameterList = [:], reformedBy function: @escaping @Sendable (Payload) throws -> Made,
        configure: (inout Options) -> Void = { _ in }
    ) async throws -> Made {
        try await send(InlineEndpoint(.get(template), parameters, landing: .reformed(by: FunctionReformer(function))), configure: configure)
    }

    /// Sends DELETE to this service and returns what a reformer makes of the answer.
    nonisolated(nonsending) public func delete<R: Reformer>(
        _ template: String, _ parameters: ParameterList = [:], reformedBy reformer: R, configure: (inout Options) -> Void = { _ in }
    ) async throws -> R.Value {
        try await send(InlineEndpoint(.delete(template), parameters, landing: .reformed(by: reformer)), configure: configure)
    }

    /// Sends DELETE to this service and returns what a plain function makes of the answer.
    nonisolated(nonsending) public func delete<Made: Sendable>(
        _ template: String, _ parameters: ParameterList = [:], reformedBy function: @escaping @Sendable (Payload) throws -> Made,
        configure: (inout Options) -> Void = { _ in }
    ) async throws -> Made {
        try await send(InlineEndpoint(.delete(template), parameters, landing: .reformed(by: FunctionReformer(function))), configure: configure)
    }

    /// Sends POST to this service and returns what a reformer makes of the answer.
    nonisolated(nonsending) public func post<R: Reformer>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, reformedBy reformer: R, configure: (inout Options) -> Void = { _ in }
    ) async throws -> R.Value {
        try await send(InlineEndpoint(.post(template), parameters, body: body, landing: .reformed(by: reformer)), configure: configure)
    }

    /// Sends POST to this service and returns what a plain function makes of the answer.
    nonisolated(nonsending) public func post<Made: Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, reformedBy function: @escaping @Sendable (Payload) throws -> Made,
        configure: (inout Options) -> Void = { _ in }
    ) async throws -> Made {
        try await send(InlineEndpoint(.post(template), parameters, body: body, landing: .reformed(by: FunctionReformer(function))), configure: configure)
    }

    /// Sends PUT to this service and returns what a reformer makes of the answer.
    nonisolated(nonsending) public func put<R: Reformer>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, reformedBy reformer: R, configure: (inout Options) -> Void = { _ in }
    ) async throws -> R.Value {
        try await send(InlineEndpoint(.put(template), parameters, body: body, landing: .reformed(by: reformer)), configure: configure)
    }

    /// Sends PUT to this service and returns what a plain function makes of the answer.
    nonisolated(nonsending) public func put<Made: Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, reformedBy function: @escaping @Sendable (Payload) throws -> Made,
        configure: (inout Options) -> Void = { _ in }
    ) async throws -> Made {
        try await send(InlineEndpoint(.put(template), parameters, body: body, landing: .reformed(by: FunctionReformer(function))), configure: configure)
    }

    /// Sends PATCH to this service and returns what a reformer makes of the answer.
    nonisolated(nonsending) public func patch<R: Reformer>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, reformedBy reformer: R, configure: (inout Options) -> Void = { _ in }
    ) async throws -> R.Value {
        try await send(InlineEndpoint(.patch(template), parameters, body: body, landing: .reformed(by: reformer)), configure: configure)
    }

    /// Sends PATCH to this service and returns what a plain function makes of the answer.
    nonisolated(nonsending) public func patch<Made: Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, reformedBy function: @escaping @Sendable (Payload) throws -> Made,
        configure: (inout Options) -> Void = { _ in }
    ) async throws -> Made {
        try await send(InlineEndpoint(.patch(template), parameters, body: body, landing: .reformed(by: FunctionReformer(function))), configure: configure)
    }
}

// The client's first service.
extension Client {
    /// Sends GET to the client's first service and returns what a reformer makes of the answer.
    nonisolated(nonsending) public func get<R: Reformer>(
        _ template: String, _ parameters: ParameterList = [:], reformedBy reformer: R, configure: (inout Options) -> Void = { _ in }
    ) async throws -> R.Value { try await self[.clientDefault].get(template, parameters, reformedBy: reformer, configure: configure) }

    /// Sends GET to the client's first service and returns what a plain function makes of the answer.
    nonisolated(nonsending) public func get<Made: Sendable>(
        _ template: String, _ parameters: ParameterList = [:], reformedBy function: @escaping @Sendable (Payload) throws -> Made,
        configure: (inout Options) -> Void = { _ in }
    ) async throws -> Made { try await self[.clientDefault].get(template, parameters, reformedBy: function, configure: configure) }

    /// Sends DELETE to the client's first service and returns what a reformer makes of the answer.
    nonisolated(nonsending) public func delete<R: Reformer>(
        _ template: String, _ parameters: ParameterList = [:], reformedBy reformer: R, configure: (inout Options) -> Void = { _ in }
    ) async throws -> R.Value { try await self[.clientDefault].delete(template, parameters, reformedBy: reformer, configure: configure) }

    /// Sends DELETE to the client's first service and returns what a plain function makes of the answer.
    nonisolated(nonsending) public func delete<Made: Sendable>(
        _ template: String, _ parameters: ParameterList = [:], reformedBy function: @escaping @Sendable (Payload) throws -> Made,
        configure: (inout Options) -> Void = { _ in }
    ) async throws -> Made { try await self[.clientDefault].delete(template, parameters, reformedBy: function, configure: configure) }

    /// Sends POST to the client's first service and returns what a reformer makes of the answer.
    nonisolated(nonsending) public func post<R: Reformer>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, reformedBy reformer: R, configure: (inout Options) -> Void = { _ in }
    ) async throws -> R.Value { try await self[.clientDefault].post(template, parameters, body: body, reformedBy: reformer, configure: configure) }

    /// Sends POST to the client's first service and returns what a plain function makes of the answer.
    nonisolated(nonsending) public func post<Made: Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, reformedBy function: @escaping @Sendable (Payload) throws -> Made,
        configure: (inout Options) -> Void = { _ in }
    ) async throws -> Made { try await self[.clientDefault].post(template, parameters, body: body, reformedBy: function, configure: configure) }

    /// Sends PUT to the client's first service and returns what a reformer makes of the answer.
    nonisolated(nonsending) public func put<R: Reformer>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, reformedBy reformer: R, configure: (inout Options) -> Void = { _ in }
    ) async throws -> R.Value { try await self[.clientDefault].put(template, parameters, body: body, reformedBy: reformer, configure: configure) }

    /// Sends PUT to the client's first service and returns what a plain function makes of the answer.
    nonisolated(nonsending) public func put<Made: Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, reformedBy function: @escaping @Sendable (Payload) throws -> Made,
        configure: (inout Options) -> Void = { _ in }
    ) async throws -> Made { try await self[.clientDefault].put(template, parameters, body: body, reformedBy: function, configure: configure) }

    /// Sends PATCH to the client's first service and returns what a reformer makes of the answer.
    nonisolated(nonsending) public func patch<R: Reformer>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, reformedBy reformer: R, configure: (inout Options) -> Void = { _ in }
    ) async throws -> R.Value { try await self[.clientDefault].patch(template, parameters, body: body, reformedBy: reformer, configure: configure) }

    /// Sends PATCH to the client's first service and returns what a plain function makes of the answer.
    nonisolated(nonsending) public func patch<Made: Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, reformedBy function: @escaping @Sendable (Payload) throws -> Made,
        configure: (inout Options) -> Void = { _ in }
    ) async throws -> Made { try await self[.clientDefault].patch(template, parameters, body: body, reformedBy: function, configure: configure) }
}
