/// Reads DER (ITU-T X.690 §10), one element at a time, and never beyond the end of its input.
///
/// It supports the DER of certificates: tags of one byte and definite lengths in their shortest form.
struct DERReader {
    /// An element: its tag, its range including its head, and the range of its content.
    struct Element {
        let tag: UInt8
        let whole: Range<Int>
        let content: Range<Int>
    }

    enum Tag {
        static let integer: UInt8 = 0x02
        static let sequence: UInt8 = 0x30
        static let utcTime: UInt8 = 0x17
        static let generalizedTime: UInt8 = 0x18
        /// The tag `[0]` of a certificate's version.
        static let version: UInt8 = 0xA0
    }

    private let bytes: [UInt8]
    private var position: Int
    private let end: Int

    init(_ bytes: [UInt8]) { self.init(bytes, 0..<bytes.count) }

    /// - Parameter range: a range within `bytes`, such as that of an element.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    var isAtEnd: Bool { position == end }

    /// The tag of the next element.
    var nextTag: UInt8? { position < end ? bytes[position] : nil }

    /// Returns the next element. `nil` if it is malformed, incomplete, or has another tag than `tag`.
    mutating func next(_ tag: UInt8? = nil) -> Element? {
        guard let found = nextTag, tag.map({ $0 == found }) ?? true, found & 0x1F != 0x1F else { return nil }
        var cursor = position + 1
        guard let length = length(at: &cursor), length <= end - cursor else { return nil }
        let element = Element(tag: found, whole: position..<cursor + length, content: cursor..<cursor + length)
        position = cursor + length
        return element
    }

    /// Reads a length in its shortest form (X.690 §10.1). No certificate has a length of more than four bytes.
    private func length(at cursor: inout Int) -> Int? {
        guard cursor < end else { return nil }
        let first = bytes[cursor]
        cursor += 1
        if first < 0x80 { return Int(first) }
        let count = Int(first & 0x7F)
        guard (1...4).contains(count), count <= end - cursor else { return nil }
        let length = bytes[cursor..<cursor + count].reduce(0) { $0 << 8 | Int($1) }
        let isShortest = bytes[cursor] != 0 && length >= 0x80
        cursor += count
        return isShortest ? length : nil
    }
}
