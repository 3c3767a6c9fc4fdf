/// One named value of a call, and where in the request it goes.
///
/// `description`, `debugDescription` and `dump` never show the value: any parameter may be a secret.
public struct Parameter: Sendable, Equatable {
    /// Where in the request a parameter goes.
    public enum Placement: String, Sendable, Hashable, CaseIterable {
        /// The template first, else the query (GET, HEAD, DELETE) or the body.
        case automatic
        /// A variable of the URI template.
        case path
        /// The query, whatever the method.
        case query
        /// A header field.
        case header
        /// A field of the JSON or form body, whatever the method.
        case field
        /// The whole body.
        case body
    }

    /// The name on the wire.
    public var name: String
    /// The value.
    public var value: ParameterValue
    /// Where it goes. Default ``Placement/automatic``.
    public var placement: Placement
    /// Whether it is masked wherever the request is shown. Default `false`.
    public var isSecret: Bool

    // A literal cannot throw: what its value threw waits here for the first use of the parameter.
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

extension Parameter: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        "\(placement == .automatic ? "" : "\(placement.rawValue) ")\(name): \(isSecret ? "secret" : "…")"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
