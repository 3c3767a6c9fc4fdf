/// Writes parameters as `application/x-www-form-urlencoded` (WHATWG URL §5.2): a space is `+`, and everything but
/// letters, digits and `*-._` is percent-encoded as UTF-8.
///
/// ```swift
/// try FormEncoder().encode(["name": "Ann Lee", "tags": ["a", "b"]])      // "name=Ann+Lee&tags=a&tags=b"
/// ```
public struct FormEncoder: Sendable {
    /// What goes into Content-Type.
    public static let contentType = "application/x-www-form-urlencoded"

    /// How arrays, booleans, dates, nil, nested names and the order are written; its ``QueryEncoder/spaces`` do not
    /// matter.
    public var strategies: QueryEncoder

    public init(_ strategies: QueryEncoder = QueryEncoder()) { self.strategies = strategies }

    /// The body, ASCII only, of all parameters whatever their placement.
    ///
    /// Throws `TarmacError(.invalidParameter)` as ``QueryEncoder/encode(_:)`` does.
    public func encode(_ parameters: ParameterList) throws(TarmacError) -> String {
        try QueryWriter.text(of: parameters, strategies: strategies, syntax: .form)
    }
}
