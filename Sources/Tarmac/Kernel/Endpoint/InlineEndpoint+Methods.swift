public import TarmacJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// One factory for each method, found by a leading dot wherever an endpoint is taken; `as:` picks the landing.

extension Endpoint {
    /// A GET; parameters the template does not name go into the query.
    public static func get<V: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], as type: V.Type
    ) -> InlineEndpoint<V> where Self == InlineEndpoint<V> {
        InlineEndpoint(.get(template), parameters, landing: .decodable)
    }

    /// A DELETE; parameters the template does not name go into the query.
    public static func delete<V: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], as type: V.Type
    ) -> InlineEndpoint<V> where Self == InlineEndpoint<V> {
        InlineEndpoint(.delete(template), parameters, landing: .decodable)
    }

    /// A POST; parameters the template does not name go into the body.
    public static func post<V: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: V.Type
    ) -> InlineEndpoint<V> where Self == InlineEndpoint<V> {
        InlineEndpoint(.post(template), parameters, body: body, landing: .decodable)
    }

    /// A PUT; parameters the template does not name go into the body.
    public static func put<V: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: V.Type
    ) -> InlineEndpoint<V> where Self == InlineEndpoint<V> {
        InlineEndpoint(.put(template), parameters, body: body, landing: .decodable)
    }

    /// A PATCH; parameters the template does not name go into the body.
    public static func patch<V: Decodable & Sendable>(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: V.Type
    ) -> InlineEndpoint<V> where Self == InlineEndpoint<V> {
        InlineEndpoint(.patch(template), parameters, body: body, landing: .decodable)
    }
}

extension Endpoint where Self == InlineEndpoint<Data> {
    /// A GET; parameters the template does not name go into the query.
    public static func get(
        _ template: String, _ parameters: ParameterList = [:], as type: Data.Type
    ) -> Self { Self(.get(template), parameters, landing: .data) }

    /// A DELETE; parameters the template does not name go into the query.
    public static func delete(
        _ template: String, _ parameters: ParameterList = [:], as type: Data.Type
    ) -> Self { Self(.delete(template), parameters, landing: .data) }

    /// A POST; parameters the template does not name go into the body.
    public static func post(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Data.Type
    ) -> Self { Self(.post(template), parameters, body: body, landing: .data) }

    /// A PUT; parameters the template does not name go into the body.
    public static func put(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Data.Type
    ) -> Self { Self(.put(template), parameters, body: body, landing: .data) }

    /// A PATCH; parameters the template does not name go into the body.
    public static func patch(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Data.Type
    ) -> Self { Self(.patch(template), parameters, body: body, landing: .data) }
}

extension Endpoint where Self == InlineEndpoint<String> {
    /// A GET; parameters the template does not name go into the query.
    public static func get(
        _ template: String, _ parameters: ParameterList = [:], as type: String.Type
    ) -> Self { Self(.get(template), parameters, landing: .text) }

    /// A DELETE; parameters the template does not name go into the query.
    public static func delete(
        _ template: String, _ parameters: ParameterList = [:], as type: String.Type
    ) -> Self { Self(.delete(template), parameters, landing: .text) }

    /// A POST; parameters the template does not name go into the body.
    public static func post(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: String.Type
    ) -> Self { Self(.post(template), parameters, body: body, landing: .text) }

    /// A PUT; parameters the template does not name go into the body.
    public static func put(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: String.Type
    ) -> Self { Self(.put(template), parameters, body: body, landing: .text) }

    /// A PATCH; parameters the template does not name go into the body.
    public static func patch(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: String.Type
    ) -> Self { Self(.patch(template), parameters, body: body, landing: .text) }
}

extension Endpoint where Self == InlineEndpoint<JSON> {
    /// A GET; parameters the template does not name go into the query.
    public static func get(
        _ template: String, _ parameters: ParameterList = [:], as type: JSON.Type
    ) -> Self { Self(.get(template), parameters, landing: .json) }

    /// A DELETE; parameters the template does not name go into the query.
    public static func delete(
        _ template: String, _ parameters: ParameterList = [:], as type: JSON.Type
    ) -> Self { Self(.delete(template), parameters, landing: .json) }

    /// A POST; parameters the template does not name go into the body.
    public static func post(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: JSON.Type
    ) -> Self { Self(.post(template), parameters, body: body, landing: .json) }

    /// A PUT; parameters the template does not name go into the body.
    public static func put(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: JSON.Type
    ) -> Self { Self(.put(template), parameters, body: body, landing: .json) }

    /// A PATCH; parameters the template does not name go into the body.
    public static func patch(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: JSON.Type
    ) -> Self { Self(.patch(template), parameters, body: body, landing: .json) }
}

extension Endpoint where Self == InlineEndpoint<Void> {
    /// A GET; parameters the template does not name go into the query.
    public static func get(
        _ template: String, _ parameters: ParameterList = [:], as type: Void.Type = Void.self
    ) -> Self { Self(.get(template), parameters, landing: .void) }

    /// A HEAD; lands when the head is there.
    public static func head(
        _ template: String, _ parameters: ParameterList = [:], as type: Void.Type = Void.self
    ) -> Self { Self(.head(template), parameters, landing: .void) }

    /// A DELETE; parameters the template does not name go into the query.
    public static func delete(
        _ template: String, _ parameters: ParameterList = [:], as type: Void.Type = Void.self
    ) -> Self { Self(.delete(template), parameters, landing: .void) }

    /// A POST; parameters the template does not name go into the body.
    public static func post(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Void.Type = Void.self
    ) -> Self { Self(.post(template), parameters, body: body, landing: .void) }

    /// A PUT; parameters the template does not name go into the body.
    public static func put(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Void.Type = Void.self
    ) -> Self { Self(.put(template), parameters, body: body, landing: .void) }

    /// A PATCH; parameters the template does not name go into the body.
    public static func patch(
        _ template: String, _ parameters: ParameterList = [:], body: Body? = nil, as type: Void.Type = Void.self
    ) -> Self { Self(.patch(template), parameters, body: body, landing: .void) }

    /// An OPTIONS.
    public static func options(
        _ template: String, _ parameters: ParameterList = [:], as type: Void.Type = Void.self
    ) -> Self { Self(.options(template), parameters, landing: .void) }
}
