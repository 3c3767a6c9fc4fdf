#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacJSON

extension Client {
    /// The client's calls to one service: `client[.shop].get("/users/{id}", ["id": 7], as: User.self)`.
    public subscript(service: Service) -> ServiceClient { ServiceClient(client: self, service: service) }
}

/// A client's calls to one service, in one line each (QSP-31).
///
/// Parameters the template does not name go into the query of GET, HEAD and DELETE and into the body of the others.
/// `as:` takes a `Decodable` type, `Data.self`, `String.self` or `JSON.self`; without it nothing is landed.
public struct ServiceClient: Sendable {
    let client: Client
    let service: Service

    /// Sends an inline endpoint to this service.
    // Part of each verb, as are those it calls: an async function costs a frame, a generic one more.
    @inline(__always)
    nonisolated(nonsending) public func send<Value>(
        _ endpoint: consuming InlineEndpoint<Value>, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value {
        try await client.send(endpoint.on(service), configure: configure)
    }
}

// Landing as a decoded value.
extension ServiceClient {
    /// Sends GET to this service and decodes the answer.
    nonisolated(nonsending) public func get<Value: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await send(.get(template, parameters, as: Value.self), configure: configure) }

    /// Sends DELETE to this service and decodes the answer.
    nonisolated(nonsending) public func delete<Value: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await send(.delete(template, parameters, as: Value.self), configure: configure) }

    /// Sends POST to this service and decodes the answer.
    nonisolated(nonsending) public func post<Value: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await send(.post(template, parameters, body: body, as: Value.self), configure: configure) }

    /// Sends PUT to this service and decodes the answer.
    nonisolated(nonsending) public func put<Value: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await send(.put(template, parameters, body: body, as: Value.self), configure: configure) }

    /// Sends PATCH to this service and decodes the answer.
    nonisolated(nonsending) public func patch<Value: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await send(.patch(template, parameters, body: body, as: Value.self), configure: configure) }
}

// Landing as bytes.
extension ServiceClient {
    /// Sends GET to this service and returns the body's bytes.
    nonisolated(nonsending) public func get(
        _ template: String, _ parameters: ParameterList = [:], as type: Data.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Data { try await send(.get(template, parameters, as: Data.self), configure: configure) }

    /// Sends DELETE to this service and returns the body's bytes.
    nonisolated(nonsending) public func delete(
        _ template: String, _ parameters: ParameterList = [:], as type: Data.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Data { try await send(.delete(template, parameters, as: Data.self), configure: configure) }

    /// Sends POST to this service and returns the body's bytes.
    nonisolated(nonsending) public func post(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Data.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Data { try await send(.post(template, parameters, body: body, as: Data.self), configure: configure) }

    /// Sends PUT to this service and returns the body's bytes.
    nonisolated(nonsending) public func put(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Data.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Data { try await send(.put(template, parameters, body: body, as: Data.self), configure: configure) }

    /// Sends PATCH to this service and returns the body's bytes.
    nonisolated(nonsending) public func patch(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Data.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Data { try await send(.patch(template, parameters, body: body, as: Data.self), configure: configure) }
}

// Landing as text.
extension ServiceClient {
    /// Sends GET to this service and returns the body as text, in the charset the server names.
    nonisolated(nonsending) public func get(
        _ template: String, _ parameters: ParameterList = [:], as type: String.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> String { try await send(.get(template, parameters, as: String.self), configure: configure) }

    /// Sends DELETE to this service and returns the body as text, in the charset the server names.
    nonisolated(nonsending) public func delete(
        _ template: String, _ parameters: ParameterList = [:], as type: String.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> String { try await send(.delete(template, parameters, as: String.self), configure: configure) }

    /// Sends POST to this service and returns the body as text, in the charset the server names.
    nonisolated(nonsending) public func post(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: String.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> String { try await send(.post(template, parameters, body: body, as: String.self), configure: configure) }

    /// Sends PUT to this service and returns the body as text, in the charset the server names.
    nonisolated(nonsending) public func put(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: String.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> String { try await send(.put(template, parameters, body: body, as: String.self), configure: configure) }

    /// Sends PATCH to this service and returns the body as text, in the charset the server names.
    nonisolated(nonsending) public func patch(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: String.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> String { try await send(.patch(template, parameters, body: body, as: String.self), configure: configure) }
}

// Landing as JSON.
extension ServiceClient {
    /// Sends GET to this service and returns the answer as model-free JSON.
    nonisolated(nonsending) public func get(
        _ template: String, _ parameters: ParameterList = [:], as type: JSON.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> JSON { try await send(.get(template, parameters, as: JSON.self), configure: configure) }

    /// Sends DELETE to this service and returns the answer as model-free JSON.
    nonisolated(nonsending) public func delete(
        _ template: String, _ parameters: ParameterList = [:], as type: JSON.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> JSON { try await send(.delete(template, parameters, as: JSON.self), configure: configure) }

    /// Sends POST to this service and returns the answer as model-free JSON.
    nonisolated(nonsending) public func post(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: JSON.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> JSON { try await send(.post(template, parameters, body: body, as: JSON.self), configure: configure) }

    /// Sends PUT to this service and returns the answer as model-free JSON.
    nonisolated(nonsending) public func put(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: JSON.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> JSON { try await send(.put(template, parameters, body: body, as: JSON.self), configure: configure) }

    /// Sends PATCH to this service and returns the answer as model-free JSON.
    nonisolated(nonsending) public func patch(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: JSON.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> JSON { try await send(.patch(template, parameters, body: body, as: JSON.self), configure: configure) }
}

// Landing as nothing.
extension ServiceClient {
    /// Sends GET to this service and lands nothing.
    nonisolated(nonsending) public func get(
        _ template: String, _ parameters: ParameterList = [:], configure: (inout Options) -> Void = { _ in }
    ) async throws { try await send(InlineEndpoint<Void>.get(template, parameters), configure: configure) }

    /// Sends HEAD to this service and lands nothing.
    nonisolated(nonsending) public func head(
        _ template: String, _ parameters: ParameterList = [:], configure: (inout Options) -> Void = { _ in }
    ) async throws { try await send(InlineEndpoint<Void>.head(template, parameters), configure: configure) }

    /// Sends DELETE to this service and lands nothing.
    nonisolated(nonsending) public func delete(
        _ template: String, _ parameters: ParameterList = [:], configure: (inout Options) -> Void = { _ in }
    ) async throws { try await send(InlineEndpoint<Void>.delete(template, parameters), configure: configure) }

    /// Sends POST to this service and lands nothing.
    nonisolated(nonsending) public func post(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, configure: (inout Options) -> Void = { _ in }
    ) async throws { try await send(InlineEndpoint<Void>.post(template, parameters, body: body), configure: configure) }

    /// Sends PUT to this service and lands nothing.
    nonisolated(nonsending) public func put(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, configure: (inout Options) -> Void = { _ in }
    ) async throws { try await send(InlineEndpoint<Void>.put(template, parameters, body: body), configure: configure) }

    /// Sends PATCH to this service and lands nothing.
    nonisolated(nonsending) public func patch(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, configure: (inout Options) -> Void = { _ in }
    ) async throws { try await send(InlineEndpoint<Void>.patch(template, parameters, body: body), configure: configure) }
}

// Landing as a decoded value.
extension Client {
    /// Sends GET to the client's first service and decodes the answer.
    nonisolated(nonsending) public func get<Value: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await send(.get(template, parameters, as: type), configure: configure) }

    /// Sends DELETE to the client's first service and decodes the answer.
    nonisolated(nonsending) public func delete<Value: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await send(.delete(template, parameters, as: type), configure: configure) }

    /// Sends POST to the client's first service and decodes the answer.
    nonisolated(nonsending) public func post<Value: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await send(.post(template, parameters, body: body, as: type), configure: configure) }

    /// Sends PUT to the client's first service and decodes the answer.
    nonisolated(nonsending) public func put<Value: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await send(.put(template, parameters, body: body, as: type), configure: configure) }

    /// Sends PATCH to the client's first service and decodes the answer.
    nonisolated(nonsending) public func patch<Value: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Value.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Value { try await send(.patch(template, parameters, body: body, as: type), configure: configure) }
}

// Landing as bytes.
extension Client {
    /// Sends GET to the client's first service and returns the body's bytes.
    nonisolated(nonsending) public func get(
        _ template: String, _ parameters: ParameterList = [:], as type: Data.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Data { try await send(.get(template, parameters, as: type), configure: configure) }

    /// Sends DELETE to the client's first service and returns the body's bytes.
    nonisolated(nonsending) public func delete(
        _ template: String, _ parameters: ParameterList = [:], as type: Data.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Data { try await send(.delete(template, parameters, as: type), configure: configure) }

    /// Sends POST to the client's first service and returns the body's bytes.
    nonisolated(nonsending) public func post(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Data.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Data { try await send(.post(template, parameters, body: body, as: type), configure: configure) }

    /// Sends PUT to the client's first service and returns the body's bytes.
    nonisolated(nonsending) public func put(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Data.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Data { try await send(.put(template, parameters, body: body, as: type), configure: configure) }

    /// Sends PATCH to the client's first service and returns the body's bytes.
    nonisolated(nonsending) public func patch(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Data.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> Data { try await send(.patch(template, parameters, body: body, as: type), configure: configure) }
}

// Landing as text.
extension Client {
    /// Sends GET to the client's first service and returns the body as text, in the charset the server names.
    nonisolated(nonsending) public func get(
        _ template: String, _ parameters: ParameterList = [:], as type: String.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> String { try await send(.get(template, parameters, as: type), configure: configure) }

    /// Sends DELETE to the client's first service and returns the body as text, in the charset the server names.
    nonisolated(nonsending) public func delete(
        _ template: String, _ parameters: ParameterList = [:], as type: String.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> String { try await send(.delete(template, parameters, as: type), configure: configure) }

    /// Sends POST to the client's first service and returns the body as text, in the charset the server names.
    nonisolated(nonsending) public func post(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: String.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> String { try await send(.post(template, parameters, body: body, as: type), configure: configure) }

    /// Sends PUT to the client's first service and returns the body as text, in the charset the server names.
    nonisolated(nonsending) public func put(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: String.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> String { try await send(.put(template, parameters, body: body, as: type), configure: configure) }

    /// Sends PATCH to the client's first service and returns the body as text, in the charset the server names.
    nonisolated(nonsending) public func patch(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: String.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> String { try await send(.patch(template, parameters, body: body, as: type), configure: configure) }
}

// Landing as JSON.
extension Client {
    /// Sends GET to the client's first service and returns the answer as model-free JSON.
    nonisolated(nonsending) public func get(
        _ template: String, _ parameters: ParameterList = [:], as type: JSON.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> JSON { try await send(.get(template, parameters, as: type), configure: configure) }

    /// Sends DELETE to the client's first service and returns the answer as model-free JSON.
    nonisolated(nonsending) public func delete(
        _ template: String, _ parameters: ParameterList = [:], as type: JSON.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> JSON { try await send(.delete(template, parameters, as: type), configure: configure) }

    /// Sends POST to the client's first service and returns the answer as model-free JSON.
    nonisolated(nonsending) public func post(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: JSON.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> JSON { try await send(.post(template, parameters, body: body, as: type), configure: configure) }

    /// Sends PUT to the client's first service and returns the answer as model-free JSON.
    nonisolated(nonsending) public func put(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: JSON.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> JSON { try await send(.put(template, parameters, body: body, as: type), configure: configure) }

    /// Sends PATCH to the client's first service and returns the answer as model-free JSON.
    nonisolated(nonsending) public func patch(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: JSON.Type, configure: (inout Options) -> Void = { _ in }
    ) async throws -> JSON { try await send(.patch(template, parameters, body: body, as: type), configure: configure) }
}

// Landing as nothing.
extension Client {
    /// Sends GET to the client's first service and lands nothing.
    nonisolated(nonsending) public func get(
        _ template: String, _ parameters: ParameterList = [:], configure: (inout Options) -> Void = { _ in }
    ) async throws { try await send(.get(template, parameters), configure: configure) }

    /// Sends HEAD to the client's first service and lands nothing.
    nonisolated(nonsending) public func head(
        _ template: String, _ parameters: ParameterList = [:], configure: (inout Options) -> Void = { _ in }
    ) async throws { try await send(.head(template, parameters), configure: configure) }

    /// Sends DELETE to the client's first service and lands nothing.
    nonisolated(nonsending) public func delete(
        _ template: String, _ parameters: ParameterList = [:], configure: (inout Options) -> Void = { _ in }
    ) async throws { try await send(.delete(template, parameters), configure: configure) }

    /// Sends POST to the client's first service and lands nothing.
    nonisolated(nonsending) public func post(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, configure: (inout Options) -> Void = { _ in }
    ) async throws { try await send(.post(template, parameters, body: body), configure: configure) }

    /// Sends PUT to the client's first service and lands nothing.
    nonisolated(nonsending) public func put(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, configure: (inout Options) -> Void = { _ in }
    ) async throws { try await send(.put(template, parameters, body: body), configure: configure) }

    /// Sends PATCH to the client's first service and lands nothing.
    nonisolated(nonsending) public func patch(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, configure: (inout Options) -> Void = { _ in }
    ) async throws { try await send(.patch(template, parameters, body: body), configure: configure) }
}
