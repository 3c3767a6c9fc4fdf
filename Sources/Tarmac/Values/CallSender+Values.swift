public import TarmacCore

// Each verb for a value whose fields are the parameters. A dictionary literal is a `ParameterList`: it keeps its order and omits what is `nil`.

extension CallSender {
    /// Sends a GET request whose parameters are the fields of a value, and returns its value.
    ///
    /// ```swift
    /// let found = try await client.get("/search", Filter(text: "cup", page: 2), as: [Product].self)
    /// ```
    /// - Parameters:
    ///   - template: the path, a URI template (RFC 6570).
    ///   - value: any `Encodable` value with named fields. They are encoded as those of an endpoint.
    ///   - type: the type of the value, as in the other `get`.
    ///   - configure: sets the settings of this call alone.
    /// - Throws: `TarmacError`, or `CancellationError` when the task is cancelled.
    @_disfavoredOverload
    nonisolated(nonsending) public func get<Value: Decodable & Sendable>(
        _ template: String, _ value: some Encodable & Sendable, as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await get(template, ParameterList(of: value, isBody: false), as: type, configure: configure) }

    /// Sends a POST request with a value as its body, and returns its value.
    ///
    /// ```swift
    /// let session = try await client.post("/login", Login(name: "ann", password: password), as: Session.self)
    /// ```
    /// Fields that the template names fill it. An array is the whole body.
    @_disfavoredOverload
    nonisolated(nonsending) public func post<Value: Decodable & Sendable>(
        _ template: String, _ value: some Encodable & Sendable, as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await post(template, ParameterList(of: value, isBody: true), as: type, configure: configure) }

    /// Sends a PUT request with a value as its body, and returns its value.
    @_disfavoredOverload
    nonisolated(nonsending) public func put<Value: Decodable & Sendable>(
        _ template: String, _ value: some Encodable & Sendable, as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await put(template, ParameterList(of: value, isBody: true), as: type, configure: configure) }

    /// Sends a PATCH request with a value as its body, and returns its value.
    @_disfavoredOverload
    nonisolated(nonsending) public func patch<Value: Decodable & Sendable>(
        _ template: String, _ value: some Encodable & Sendable, as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await patch(template, ParameterList(of: value, isBody: true), as: type, configure: configure) }

    // MARK: Without a value

    /// Sends a POST request with a value as its body. The response has no value.
    @_disfavoredOverload
    nonisolated(nonsending) public func post(
        _ template: String, _ value: some Encodable & Sendable, configure: (inout Options) -> Void = { _ in }
    ) async throws { try await post(template, ParameterList(of: value, isBody: true), configure: configure) }

    /// Sends a PUT request with a value as its body. The response has no value.
    @_disfavoredOverload
    nonisolated(nonsending) public func put(
        _ template: String, _ value: some Encodable & Sendable, configure: (inout Options) -> Void = { _ in }
    ) async throws { try await put(template, ParameterList(of: value, isBody: true), configure: configure) }

    /// Sends a PATCH request with a value as its body. The response has no value.
    @_disfavoredOverload
    nonisolated(nonsending) public func patch(
        _ template: String, _ value: some Encodable & Sendable, configure: (inout Options) -> Void = { _ in }
    ) async throws { try await patch(template, ParameterList(of: value, isBody: true), configure: configure) }
}
