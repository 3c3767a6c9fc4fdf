/// A text that identifies something: a principal, a service, a tag. Its bytes are compared.
///
/// Swift's `==` also holds for canonically equivalent texts, such as "é" in one scalar and in two. Those are two users. A type
/// that stores its identity as exact texts gets the right `==` from the compiler, and a dictionary of them the right keys.
package struct ExactText: Hashable, Sendable, CustomStringConvertible {
    package let text: String
    package init(_ text: String) { self.text = text }

    package static func == (one: ExactText, other: ExactText) -> Bool { one.text.isExactly(other.text) }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
    package var description: String { text }
}

extension String {
    /// Whether two texts have the same bytes.
    package func isExactly(_ other: String) -> Bool {
        let isSame = utf8.withContiguousStorageIfAvailable { one in
            other.utf8.withContiguousStorageIfAvailable { one.count == $0.count && one.elementsEqual($0) }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

extension String? {
    /// Whether both are `nil`, or have the same bytes.
    package func isExactly(_ other: String?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.isExactly(other)
    }
}
