// One method for each HTTP method, and one more for calls without a value. A public function is linked into every program,
// used or not. These are emitted in the modules that call them, so a program has only those it uses.
// OPTIONS, which few apps send, has an endpoint only: `client.send(.options("/users"))`.

extension CallSender {
    /// Sends a GET request and returns its value.
    ///
    /// ```swift
    /// let user = try await client.get("/users/{id}", ["id": 7], as: User.self)
    /// ```
    /// - Parameters:
    ///   - template: the path, a URI template (RFC 6570).
    ///   - parameters: the values of the template's variables. All others go into the query.
    ///   - type: the type of the value. `Data` is the body's bytes, `String` the body as text in the charset that the
    ///     server names, and `JSON` the payload without a model. Every other type is decoded from the payload.
    ///   - configure: sets the settings of this call alone.
    /// - Throws: `TarmacError`, or `CancellationError` when the task is cancelled.
    @_alwaysEmitIntoClient @inline(__always) nonisolated(nonsending) public func get<Value: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await client.land(.get(template), parameters, as: type, Options(configure), to: service) }

    /// Sends a DELETE request and returns its value. Parameters that the template does not name go into the query.
    @_alwaysEmitIntoClient @inline(__always) nonisolated(nonsending) public func delete<Value: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await client.land(.delete(template), parameters, as: type, Options(configure), to: service) }

    /// Sends a POST request and returns its value.
    ///
    /// - Parameters:
    ///   - template: the path, a URI template (RFC 6570).
    ///   - parameters: the values of the template's variables. All others become the body, as JSON unless
    ///     ``Options/bodyFormat`` names another format. When `body` is given, they go into the query.
    ///   - body: the body. Default: made from the parameters.
    ///   - type: the type of the value, as in ``get(_:_:as:configure:)``.
    ///   - configure: sets the settings of this call alone.
    /// - Throws: `TarmacError`, or `CancellationError` when the task is cancelled.
    @_alwaysEmitIntoClient @inline(__always) nonisolated(nonsending) public func post<Value: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await client.land(.post(template), parameters, body: body, as: type, Options(configure), to: service) }

    /// Sends a PUT request and returns its value. It places the parameters as ``post(_:_:body:as:configure:)`` does.
    @_alwaysEmitIntoClient @inline(__always) nonisolated(nonsending) public func put<Value: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await client.land(.put(template), parameters, body: body, as: type, Options(configure), to: service) }

    /// Sends a PATCH request and returns its value. It places the parameters as ``post(_:_:body:as:configure:)``
    /// does.
    @_alwaysEmitIntoClient @inline(__always) nonisolated(nonsending) public func patch<Value: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await client.land(.patch(template), parameters, body: body, as: type, Options(configure), to: service) }

    // MARK: Without a value

    /// Sends a GET request whose response has no value. The status is checked, and the body is ignored.
    @_alwaysEmitIntoClient @inline(__always) nonisolated(nonsending) public func get(
        _ template: String, _ parameters: ParameterList = [:], configure: (inout Options) -> Void = { _ in }
    ) async throws { try await client.land(.get(template), parameters, Options(configure), to: service) }

    /// Sends a HEAD request.
    @_alwaysEmitIntoClient @inline(__always) nonisolated(nonsending) public func head(
        _ template: String, _ parameters: ParameterList = [:], configure: (inout Options) -> Void = { _ in }
    ) async throws { try await client.land(.head(template), parameters, Options(configure), to: service) }

    /// Sends a DELETE request whose response has no value.
    @_alwaysEmitIntoClient @inline(__always) nonisolated(nonsending) public func delete(
        _ template: String, _ parameters: ParameterList = [:], configure: (inout Options) -> Void = { _ in }
    ) async throws { try await client.land(.delete(template), parameters, Options(configure), to: service) }

    /// Sends a POST request whose response has no value.
    @_alwaysEmitIntoClient @inline(__always) nonisolated(nonsending) public func post(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, configure: (inout Options) -> Void = { _ in }
    ) async throws { try await client.land(.post(template), parameters, body: body, Options(configure), to: service) }

    /// Sends a PUT request whose response has no value.
    @_alwaysEmitIntoClient @inline(__always) nonisolated(nonsending) public func put(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, configure: (inout Options) -> Void = { _ in }
    ) async throws { try await client.land(.put(template), parameters, body: body, Options(configure), to: service) }

    /// Sends a PATCH request whose response has no value.
    @_alwaysEmitIntoClient @inline(__always) nonisolated(nonsending) public func patch(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, configure: (inout Options) -> Void = { _ in }
    ) async throws { try await client.land(.patch(template), parameters, body: body, Options(configure), to: service) }
}
