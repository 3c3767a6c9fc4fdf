/// A named value of a call with its place in the request.
///
/// `description`, `debugDescription` and `dump` never show the value: any parameter may be a secret.
public struct Parameter: Sendable, Equatable {
    /// The place of a parameter in the request.
    public enum Placement: String, Sendable, Hashable, CaseIterable {
        /// The URI template if it has a variable of that name. Otherwise the query for GET,
        /// HEAD, DELETE and OPTIONS and for an endpoint with a body of its own, or else the body.
        case automatic
        /// A variable of the URI template.
        case path
        /// The query, with any method.
        case query
        /// A header field.
        case header
        /// A field of the JSON or form body, with any method.
        case field
        /// The whole body.
        case body
    }

    /// The name in the request.
    public var name: String
    /// The value.
    public var value: ParameterValue
    /// The place in the request. Default: ``Placement/automatic``.
    public var placement: Placement
    /// Whether the value is masked wherever the request is shown. Default: `false`.
    public var isSecret: Bool

    // A literal cannot throw, so the error of its value is kept here until the parameter is used.
    private(set) var failure: TarmacError?

    public init(
        _ name: String, _ value: ParameterValue, placement: Placement = .automatic, isSecret: Bool = false
    ) {
        self.name = name
        self.value = value
        self.placement = placement
        self.isSecret = isSecret
    }

    init(_ name: String, failure: TarmacError) {
        self.init(name, .null)
        self.failure = failure
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.value == right.value && left.placement == right.placement
            && left.isSecret == right.isSecret && (left.failure == nil) == (right.failure == nil)
    }
}

extension Parameter: MaskedReflectable, CustomDebugStringConvertible {
    public var description: String {
        "\(placement == .automatic ? "" : "\(placement.rawValue) ")\(name): \(isSecret ? "secret" : "…")"
    }
    public var debugDescription: String { description }
}
