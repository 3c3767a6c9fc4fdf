/// The value of a template variable (RFC 6570 §2.3). An undefined variable has no value.
public enum TemplateValue: Sendable {
    /// A text.
    case string(String)
    /// A list. An empty list counts as undefined.
    case list([String])
    /// Names with values, in order. An empty list counts as undefined.
    case pairs([(String, String)])

    /// Whether a variable with this value is undefined according to the RFC.
    var isUndefined: Bool {
        switch self {
        case .string: false
        case .list(let items): items.isEmpty
        case .pairs(let pairs): pairs.isEmpty
        }
    }
}

extension TemplateValue: Equatable {
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.string(let a), .string(let b)): a == b
        case (.list(let a), .list(let b)): a == b
        case (.pairs(let a), .pairs(let b)): a.elementsEqual(b) { $0.0 == $1.0 && $0.1 == $1.1 }
        default: false
        }
    }
}

extension TemplateValue: ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: String...) { self = .list(elements) }
    public init(dictionaryLiteral elements: (String, String)...) { self = .pairs(elements) }
}
