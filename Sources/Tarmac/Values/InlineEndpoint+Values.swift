public import TarmacCore

// Each factory of an inline endpoint for a value whose fields are the parameters.

extension Work {
    /// Creates a GET request whose parameters are the fields of a value.
    @_disfavoredOverload
    public static func get<V: Decodable & Sendable>(
        _ template: String, _ value: some Encodable & Sendable, as type: V.Type
    ) -> InlineEndpoint<V> where Self == InlineEndpoint<V> { .get(template, ParameterList(of: value, isBody: false), as: type) }

    /// Creates a POST request with a value as its body.
    @_disfavoredOverload
    public static func post<V: Decodable & Sendable>(
        _ template: String, _ value: some Encodable & Sendable, as type: V.Type
    ) -> InlineEndpoint<V> where Self == InlineEndpoint<V> { .post(template, ParameterList(of: value, isBody: true), as: type) }

    /// Creates a PUT request with a value as its body.
    @_disfavoredOverload
    public static func put<V: Decodable & Sendable>(
        _ template: String, _ value: some Encodable & Sendable, as type: V.Type
    ) -> InlineEndpoint<V> where Self == InlineEndpoint<V> { .put(template, ParameterList(of: value, isBody: true), as: type) }

    /// Creates a PATCH request with a value as its body.
    @_disfavoredOverload
    public static func patch<V: Decodable & Sendable>(
        _ template: String, _ value: some Encodable & Sendable, as type: V.Type
    ) -> InlineEndpoint<V> where Self == InlineEndpoint<V> { .patch(template, ParameterList(of: value, isBody: true), as: type) }
}

extension Work where Self == InlineEndpoint<Void> {
    /// Creates a POST request with a value as its body. The response has no value.
    @_disfavoredOverload
    public static func post(_ template: String, _ value: some Encodable & Sendable, as type: Void.Type = Void.self) -> Self {
        .post(template, ParameterList(of: value, isBody: true))
    }

    /// Creates a PUT request with a value as its body. The response has no value.
    @_disfavoredOverload
    public static func put(_ template: String, _ value: some Encodable & Sendable, as type: Void.Type = Void.self) -> Self {
        .put(template, ParameterList(of: value, isBody: true))
    }

    /// Creates a PATCH request with a value as its body. The response has no value.
    @_disfavoredOverload
    public static func patch(_ template: String, _ value: some Encodable & Sendable, as type: Void.Type = Void.self) -> Self {
        .patch(template, ParameterList(of: value, isBody: true))
    }
}
