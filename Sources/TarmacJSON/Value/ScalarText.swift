/// Text compared by its Unicode scalars, as in RFC 8259 §8.3; `String` treats canonically equivalent texts as equal.
struct ScalarText: Hashable, Comparable, Sendable {
    let string: String

    init(_ string: String) {
        self.string = string
    }

    static func == (left: ScalarText, right: ScalarText) -> Bool {
        left.string.hasSameScalars(as: right.string)
    }

    /// Returns whether one text is before the other; UTF-8 has the order of the scalars.
    static func < (left: ScalarText, right: ScalarText) -> Bool {
        left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
    }

    func hash(into hasher: inout Hasher) {
        string.hashText(into: &hasher)
    }
}

extension String {
    func hasSameScalars(as other: String) -> Bool {
        withText { text in other.withText { text.hasSameBytes(as: $0) } }
    }
}
