/// Encodes parameters as `application/x-www-form-urlencoded` (WHATWG URL §5.2).
///
/// A space becomes `+`. All bytes but letters, digits and `*-._` are percent-encoded as UTF-8.
///
/// ```swift
/// try FormEncoder().encode(["name": "Ann Lee", "tags": ["a", "b"]])      // "name=Ann+Lee&tags=a&tags=b"
/// ```
package struct FormEncoder: Sendable {
    /// The value for Content-Type.
    package static let contentType = "application/x-www-form-urlencoded"

    /// The encoding of arrays, booleans, dates, `nil` and nested names, and the order. ``QueryEncoder/plusForSpaces``
    /// has no effect.
    package var strategies: QueryEncoder

    package init(_ strategies: QueryEncoder = QueryEncoder()) { self.strategies = strategies }

    /// Returns the body in ASCII. It holds all parameters, whatever their placement.
    ///
    /// - Throws: `TarmacError(.invalidParameter)` in the same cases as ``QueryEncoder/encode(_:)``.
    package func encode(_ parameters: ParameterList) throws(TarmacError) -> String {
        try QueryWriter.text(of: parameters, strategies: strategies, syntax: .form)
    }
}
