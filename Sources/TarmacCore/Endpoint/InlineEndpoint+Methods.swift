// One factory for each HTTP method, available with a leading dot wherever an endpoint is an argument.

extension Work {
    /// Creates a GET request.
    ///
    /// - Parameters:
    ///   - template: the path, a URI template (RFC 6570).
    ///   - parameters: the values of the template's variables. All others go into the query.
    ///   - type: the type of the value. `Data` is the body's bytes, `String` the body as text in the charset that the
    ///     server names, and `JSON` the payload without a model. Every other type is decoded from the payload.
    @_alwaysEmitIntoClient public static func get<V: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], as type: V.Type
    ) -> InlineEndpoint<V> where Self == InlineEndpoint<V> {
        InlineEndpoint(.get(template), parameters, landing: .byType)
    }

    /// Creates a DELETE request. Parameters that the template does not name go into the query.
    @_alwaysEmitIntoClient public static func delete<V: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], as type: V.Type
    ) -> InlineEndpoint<V> where Self == InlineEndpoint<V> {
        InlineEndpoint(.delete(template), parameters, landing: .byType)
    }

    /// Creates a POST request. Parameters that the template does not name become the body. When `body` is given, they
    /// go into the query.
    @_alwaysEmitIntoClient public static func post<V: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: V.Type
    ) -> InlineEndpoint<V> where Self == InlineEndpoint<V> {
        InlineEndpoint(.post(template), parameters, body: body, landing: .byType)
    }

    /// Creates a PUT request. Parameters that the template does not name become the body. When `body` is given, they
    /// go into the query.
    @_alwaysEmitIntoClient public static func put<V: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: V.Type
    ) -> InlineEndpoint<V> where Self == InlineEndpoint<V> {
        InlineEndpoint(.put(template), parameters, body: body, landing: .byType)
    }

    /// Creates a PATCH request. Parameters that the template does not name become the body. When `body` is given,
    /// they go into the query.
    @_alwaysEmitIntoClient public static func patch<V: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: V.Type
    ) -> InlineEndpoint<V> where Self == InlineEndpoint<V> {
        InlineEndpoint(.patch(template), parameters, body: body, landing: .byType)
    }
}

extension Work where Self == InlineEndpoint<Void> {
    /// Creates a GET request whose response has no value.
    @_alwaysEmitIntoClient public static func get(
        _ template: String, _ parameters: ParameterList = [:], as type: Void.Type = Void.self
    ) -> Self { Self(.get(template), parameters, landing: .void) }

    /// Creates a HEAD request.
    @_alwaysEmitIntoClient public static func head(
        _ template: String, _ parameters: ParameterList = [:], as type: Void.Type = Void.self
    ) -> Self { Self(.head(template), parameters, landing: .void) }

    /// Creates a DELETE request whose response has no value.
    @_alwaysEmitIntoClient public static func delete(
        _ template: String, _ parameters: ParameterList = [:], as type: Void.Type = Void.self
    ) -> Self { Self(.delete(template), parameters, landing: .void) }

    /// Creates a POST request whose response has no value.
    @_alwaysEmitIntoClient public static func post(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Void.Type = Void.self
    ) -> Self { Self(.post(template), parameters, body: body, landing: .void) }

    /// Creates a PUT request whose response has no value.
    @_alwaysEmitIntoClient public static func put(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Void.Type = Void.self
    ) -> Self { Self(.put(template), parameters, body: body, landing: .void) }

    /// Creates a PATCH request whose response has no value.
    @_alwaysEmitIntoClient public static func patch(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Void.Type = Void.self
    ) -> Self { Self(.patch(template), parameters, body: body, landing: .void) }

    /// Creates an OPTIONS request.
    @_alwaysEmitIntoClient public static func options(
        _ template: String, _ parameters: ParameterList = [:], as type: Void.Type = Void.self
    ) -> Self { Self(.options(template), parameters, landing: .void) }
}
