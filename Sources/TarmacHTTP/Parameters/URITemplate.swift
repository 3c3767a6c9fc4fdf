import TarmacMasking

/// A URI template (RFC 6570, all four levels). It is parsed once and can be expanded many times.
///
/// Characters outside ASCII in the literal parts are percent-encoded as UTF-8. The template may be an absolute
/// URL.
///
/// ```swift
/// let template = try URITemplate("/users/{id}{?fields*}")
/// try template.expand(["id": "7", "fields": ["name", "age"]])     // "/users/7?fields=name&fields=age"
/// ```
public struct URITemplate: Sendable {
    /// The result of an expansion.
    public struct Expansion: Sendable, Hashable {
        /// The expanded text, ASCII only.
        public let string: String
        let names: [String]
        let undefined: [String]

        /// The names of the template's variables that have a value. An empty list counts as a value.
        public var variables: Set<String> { Set(names).subtracting(undefined) }
    }

    // The parts are behind one reference, so that a copy of a route costs one retain.
    package final class Storage: Sendable {
        package let text: String
        /// The parts. Empty for a plain path.
        let parts: [Part]
        let names: [String]
        /// The expansion of a template without expressions.
        let literal: String?
        /// Whether the template is a path that a URL holds unchanged. Most templates without expressions are.
        package let isPlainPath: Bool
        /// Whether the template is a whole URL, so that it is not resolved against a host.
        let isAbsolute: Bool
        /// The URL of an absolute template without expressions.
        package let url: HTTPURL?

        init(text: String, parts: [Part]) {
            self.text = text
            self.parts = parts
            names = Part.names(parts)
            literal = Part.literal(parts)
            isAbsolute = Part.isAbsolute(text)
            isPlainPath = false
            url = isAbsolute ? literal.flatMap { try? HTTPURL($0) } : nil
        }

        /// Makes the storage of a template that needs no parsing: ``HTTPURLParser/isPlainPath(_:)``.
        init(plainPath text: String) {
            self.text = text
            parts = []
            names = []
            literal = text
            isAbsolute = false
            isPlainPath = true
            url = nil
        }
    }

    package let storage: Storage

    /// Parses a template.
    ///
    /// - Throws: `TarmacError(.invalidURL)` with the template, the position of the fault in characters
    ///   from 1, and the reason.
    public init(_ template: String) throws(TarmacError) {
        if HTTPURLParser.isPlainPath(template) {
            storage = Storage(plainPath: template)
            return
        }
        var parser = URITemplateParser(template)
        storage = Storage(text: template, parts: try parser.parse())
    }

    /// The template as written.
    public var text: String { storage.text }

    /// The names of the variables in the order of their first appearance.
    public var variableNames: [String] { storage.names }

    /// Returns the expansion of the template for a request.
    ///
    /// - Parameters:
    ///   - strict: whether to check what a request needs in addition to the RFC. Default: `true`. A variable of
    ///     `{x}` or `{+x}` before the query then must have a value, or the method throws
    ///     `TarmacError(.invalidParameter)`. A path segment `.` or `..`, plain or percent-encoded, that a value
    ///     produces or completes causes `TarmacError(.invalidParameter)` with the name of the variable.
    ///   - value: returns the value of a variable, or `nil` if it is undefined.
    /// - Throws: the errors above, and `TarmacError(.invalidParameter)` for a prefix modifier on a list or on
    ///   pairs (RFC 6570 §2.4.1).
    public func expand(
        strict: Bool = true, _ value: (String) throws(TarmacError) -> TemplateValue?
    ) throws(TarmacError) -> Expansion {
        var expander = URITemplateExpander(template: self, isStrict: strict)
        return try expander.expand(value)
    }

    /// Returns the expansion according to RFC 6570 without further checks. An undefined variable expands to
    /// nothing, and dot segments are not refused.
    ///
    /// - Throws: `TarmacError(.invalidParameter)` for a prefix modifier on a list or on pairs (RFC 6570
    ///   §2.4.1).
    public func expand(_ variables: [String: TemplateValue]) throws(TarmacError) -> String {
        try expand(strict: false) { variables[$0] }.string
    }
}

extension URITemplate: Hashable, MaskedReflectable {
    public static func == (left: Self, right: Self) -> Bool { left.text == right.text }
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
    /// The template as written, with credentials masked.
    public var description: String { ShownURL.text(text) }
}

extension URITemplate {
    enum Part: Sendable {
        /// A literal text in percent-encoding.
        case literal([UInt8])
        case expression(Expression)

        static func names(_ parts: [Part]) -> [String] {
            var names: [String] = []
            var seen: Set<String> = []
            for case .expression(let expression) in parts {
                for variable in expression.variables where !contains(variable.name, names, &seen) {
                    names.append(variable.name)
                }
            }
            return names
        }

        static func isAbsolute(_ text: String) -> Bool {
            // Nearly every template begins with a slash.
            if text.utf8.first == UInt8(ascii: "/") { return false }
            let start = String(decoding: text.utf8.prefix(8), as: UTF8.self).lowercased()
            return start.hasPrefix("http://") || start.hasPrefix("https://")
        }

        static func literal(_ parts: [Part]) -> String? {
            if parts.isEmpty { return "" }
            guard parts.count == 1, case .literal(let bytes) = parts[0] else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }

        // Only a template with very many variables uses a set: hashing two names costs more than comparing
        // them.
        private static func contains(_ name: String, _ names: [String], _ seen: inout Set<String>) -> Bool {
            if names.count < 16 { return names.contains(name) }
            if seen.isEmpty { seen = Set(names) }
            return !seen.insert(name).inserted
        }
    }

    struct Expression: Sendable {
        let operation: Operation
        let variables: [Variable]
        /// Whether the expression is before the first `?` or `#`.
        let isInPath: Bool
    }

    struct Variable: Sendable {
        let name: String
        let explodes: Bool
        /// The maximum number of characters to use, or `nil` for all.
        let prefix: Int?
    }
}
