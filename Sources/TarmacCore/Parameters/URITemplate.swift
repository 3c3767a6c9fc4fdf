/// A URI template (RFC 6570, all four levels), parsed once and expanded as often as needed.
///
/// Characters outside ASCII in the literal part are percent-encoded as UTF-8. The template may hold an absolute URL.
///
/// ```swift
/// let template = try URITemplate("/users/{id}{?fields*}")
/// try template.expand(["id": "7", "fields": ["name", "age"]])     // "/users/7?fields=name&fields=age"
/// ```
public struct URITemplate: Sendable {
    /// What an expansion yields.
    public struct Expansion: Sendable, Hashable {
        /// The expanded text, ASCII only.
        public let string: String
        let names: [String]
        let undefined: [String]

        /// The names of the template's variables that were given a value, an empty list included.
        public var variables: Set<String> { Set(names).subtracting(undefined) }
    }

    // One reference, so that routes are copied for the price of a retain.
    final class Storage: Sendable {
        let text: String
        /// Empty where it is a plain path.
        let parts: [Part]
        let names: [String]
        /// The expansion of a template without expressions.
        let literal: String?
        /// Whether it is a path that stands in a URL as it is, which most templates without expressions are.
        let isPlainPath: Bool
        /// Whether the template is a whole URL, so that it goes below no host.
        let isAbsolute: Bool
        /// The URL that an absolute template without expressions is.
        let url: HTTPURL?

        init(text: String, parts: [Part]) {
            self.text = text
            self.parts = parts
            names = Part.names(parts)
            literal = Part.literal(parts)
            isAbsolute = Part.isAbsolute(text)
            isPlainPath = false
            url = isAbsolute ? literal.flatMap { try? HTTPURL($0) } : nil
        }

        /// Of a template that needs no parsing: ``HTTPURLParser/isPlainPath(_:)``.
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

    let storage: Storage

    /// Parses a template.
    ///
    /// Throws `TarmacError(.invalidTemplate)` naming the template, the position of the fault (counted in characters
    /// from 1) and the reason.
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

    /// Expands the template for a request.
    ///
    /// - Parameters:
    ///   - strict: `true`, the default, adds to the RFC what a request needs. A variable of `{x}` or `{+x}` before the
    ///     query must have a value, else `TarmacError(.missingVariable)` is thrown. A path segment `.` or `..`, plain
    ///     or percent-encoded, that a value produces or completes throws `TarmacError(.invalidParameter)` naming the
    ///     variable. `false` is the plain RFC.
    ///   - value: the value of a variable; `nil` where it is undefined.
    ///
    /// A prefix modifier on a list or on pairs throws `TarmacError(.invalidParameter)` (RFC 6570 §2.4.1).
    public func expand(
        strict: Bool = true, _ value: (String) throws(TarmacError) -> TemplateValue?
    ) throws(TarmacError) -> Expansion {
        var expander = URITemplateExpander(template: self, isStrict: strict)
        return try expander.expand(value)
    }

    /// Expands the template as RFC 6570 says and nothing more: an undefined variable leaves nothing behind, and dot
    /// segments are not looked for.
    ///
    /// A prefix modifier on a list or on pairs throws `TarmacError(.invalidParameter)` (RFC 6570 §2.4.1).
    public func expand(_ variables: [String: TemplateValue]) throws(TarmacError) -> String {
        try expand(strict: false) { variables[$0] }.string
    }
}

extension URITemplate: Hashable, CustomStringConvertible {
    public static func == (left: Self, right: Self) -> Bool { left.text == right.text }
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }
    /// The template as written, but for credentials, which are masked.
    public var description: String { ShownURL.text(text) }
}

extension URITemplate {
    enum Part: Sendable {
        /// Literal text, already percent-encoded.
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

        // A set only for templates with very many variables: hashing two names costs more than comparing them.
        private static func contains(_ name: String, _ names: [String], _ seen: inout Set<String>) -> Bool {
            if names.count < 16 { return names.contains(name) }
            if seen.isEmpty { seen = Set(names) }
            return !seen.insert(name).inserted
        }
    }

    struct Expression: Sendable {
        let operation: Operation
        let variables: [Variable]
        /// Whether it stands before the first `?` or `#`.
        let isInPath: Bool
    }

    struct Variable: Sendable {
        let name: String
        let explodes: Bool
        /// The greatest number of characters to take, `nil` for all.
        let prefix: Int?
    }
}
