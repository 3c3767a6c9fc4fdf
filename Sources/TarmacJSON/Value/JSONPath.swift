/// A path from the root of a document to a value: keys of objects and positions in arrays.
///
/// ```swift
/// let path: JSONPath = ["data", "items", 3, "name"]
/// path.description                    // $.data.items[3].name
/// json[path]
/// ```
public struct JSONPath: Sendable, Hashable {
    /// One step of a path.
    public enum Component: Sendable, Hashable {
        case key(String)
        /// A position, from 0.
        case index(Int)

        /// The key; nil for an index.
        package var key: String? {
            if case .key(let key) = self { key } else { nil }
        }
    }

    /// The steps from the root.
    public var components: [Component]

    /// Creates the path of the root, or of `components`.
    public init(_ components: [Component] = []) {
        self.components = components
    }

    /// Creates a path from the form that settings use, such as `errors[0].message`. Only brackets around a number are a position.
    package init(dotted text: String) {
        self.init(text.split(separator: ".").flatMap(Self.steps))
    }

    private static func steps(_ part: Substring) -> [Component] {
        guard part.last == "]", let open = part.firstIndex(of: "[") else { return [.key(String(part))] }
        let numbers = part[open...].split { $0 == "[" || $0 == "]" }.map { Int($0) }
        guard !numbers.isEmpty, numbers.allSatisfy({ $0 != nil }) else { return [.key(String(part))] }
        return (open == part.startIndex ? [] : [.key(String(part[..<open]))]) + numbers.compactMap { $0.map(Component.index) }
    }

    /// Appends a step.
    package mutating func append(_ component: Component) {
        components.append(component)
    }

    /// Returns this path followed by `components`.
    package func appending(_ components: [Component]) -> JSONPath {
        JSONPath(self.components + components)
    }
}

extension JSONPath: CustomStringConvertible {
    /// The path as `$.data.items[3]["odd key"]`: a normalized path of RFC 9535 with shorthand names.
    public var description: String {
        components.reduce(into: "$") { text, component in
            switch component {
            case .index(let index): text += "[\(index)]"
            case .key(let key) where Self.isPlain(key): text += ".\(key)"
            case .key(let key): text += "[\(JSONWriter.quoted(key))]"
            }
        }
    }

    /// The path for an error: the first and last 16 of more than 32 steps, and the first 64 characters of a key.
    var shortened: String {
        let steps = components.map { step in
            step.key.map { $0.utf8.count > 64 ? JSONPath.Component.key($0.prefix(64) + "…") : step } ?? step
        }
        guard steps.count > 32 else { return JSONPath(steps).description }
        return "\(JSONPath(Array(steps.prefix(16)))) … \(JSONPath(Array(steps.suffix(16))).description.dropFirst())"
    }

    /// Whether a key is written without quotes: RFC 9535 §2.5.1 allows letters, digits, `_` and non-ASCII characters.
    static func isPlain(_ key: String) -> Bool {
        guard let first = key.unicodeScalars.first, isNameFirst(first) else {
            return false
        }
        return key.unicodeScalars.allSatisfy {
            isNameFirst($0) || ("0"..."9").contains($0)
        }
    }

    /// Whether a scalar may start a name. Non-ASCII characters must be letters, so that an error has no invisible ones.
    private static func isNameFirst(_ scalar: Unicode.Scalar) -> Bool { scalar == "_" || scalar.properties.isAlphabetic }
}

extension JSONPath: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Component...) {
        self.init(elements)
    }
}

extension JSONPath.Component: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    public init(stringLiteral value: String) {
        self = .key(value)
    }

    public init(integerLiteral value: Int) {
        self = .index(value)
    }
}
