/// A way from the root of a document to a value: keys of objects and positions in arrays.
///
/// ```swift
/// let path: JSONPath = ["data", "items", 3, "name"]
/// path.description                    // $.data.items[3].name
/// json[path]
/// ```
public struct JSONPath: Sendable, Hashable {
    /// One step.
    public enum Component: Sendable, Hashable {
        case key(String)
        /// From 0.
        case index(Int)

        /// The key, if it is one.
        public var key: String? {
            if case .key(let key) = self { key } else { nil }
        }
    }

    /// The steps from the root.
    public var components: [Component]

    /// The path of the root, or of `components`.
    public init(_ components: [Component] = []) {
        self.components = components
    }

    /// Adds a step at the end.
    public mutating func append(_ component: Component) {
        components.append(component)
    }

    /// This path followed by `components`.
    public func appending(_ components: [Component]) -> JSONPath {
        JSONPath(self.components + components)
    }
}

extension JSONPath: CustomStringConvertible {
    /// `$.data.items[3]["odd key"]`, as RFC 9535 writes normalized paths with shorthand names.
    public var description: String {
        components.reduce(into: "$") { text, component in
            switch component {
            case .index(let index): text += "[\(index)]"
            case .key(let key) where Self.isPlain(key): text += ".\(key)"
            case .key(let key): text += "[\(JSONWriter.quoted(key))]"
            }
        }
    }

    /// The same for an error: of more than 32 steps the first and the last 16, of a key the first 64 characters.
    var shortened: String {
        let steps = components.map { step in
            step.key.map { $0.utf8.count > 64 ? JSONPath.Component.key($0.prefix(64) + "…") : step } ?? step
        }
        guard steps.count > 32 else { return JSONPath(steps).description }
        return "\(JSONPath(Array(steps.prefix(16)))) … \(JSONPath(Array(steps.suffix(16))).description.dropFirst())"
    }

    /// Whether a key is written without quotes: RFC 9535 §2.5.1 has letters, digits, `_` and what is not ASCII.
    static func isPlain(_ key: String) -> Bool {
        guard let first = key.unicodeScalars.first, isNameFirst(first) else {
            return false
        }
        return key.unicodeScalars.allSatisfy {
            isNameFirst($0) || ("0"..."9").contains($0)
        }
    }

    /// What is not ASCII only where it is a letter, so that an error shows nothing it does not print.
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
