/// Text compared by its Unicode scalars, as RFC 8259 §8.3 has it; `String` holds canonically equivalent
/// texts for equal.
struct ScalarText: Hashable, Sendable {
    let string: String

    init(_ string: String) {
        self.string = string
    }

    static func == (left: ScalarText, right: ScalarText) -> Bool {
        left.string.hasSameScalars(as: right.string)
    }

    func hash(into hasher: inout Hasher) {
        var text = string
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    func hasSameScalars(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
