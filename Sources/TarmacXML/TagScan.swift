/// Counts the attributes of elements in the bytes of a document before the parser does: libxml2 compares each with all
/// before it, and takes minutes for some hundred thousand.
enum TagScan {
    /// Returns the position of the first attribute beyond the limit; `nil` if there is none.
    ///
    /// Text or comments that look like an element are counted as well: after malformed markup a parser may read them as
    /// one.
    static func firstTag(of document: [UInt8], withMoreThan limit: Int) -> (line: Int, column: Int)? {
        var tag = Tag()
        for (position, byte) in document.enumerated() {
            tag.pass(byte)
            if tag.attributes > limit { return place(of: position, in: document) }
        }
        return nil
    }

    private struct Tag {
        private enum Place { case outside, start, inside, value(UInt8) }
        private var place = Place.outside
        /// The last byte that is not white space.
        private var last = UInt8(0)
        private(set) var attributes = 0

        mutating func pass(_ byte: UInt8) {
            // An attribute's value contains no `<` (XML 1.0 §3.1), so it starts a new tag.
            if byte == UInt8(ascii: "<") { return (place, attributes) = (.start, 0) }
            switch place {
            case .outside: return
            case .start: place = Self.beginsName(byte) ? .inside : .outside
            case .value(let quote): if byte == quote { (place, last) = (.inside, quote) }
            case .inside: passInside(byte)
            }
        }

        private mutating func passInside(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: ">"): place = .outside
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let isValue = last == UInt8(ascii: "=")
                if isValue { attributes += 1 }
                place = isValue ? .value(byte) : .outside
            case 0x20, 0x09, 0x0A, 0x0D: return
            default: last = byte
            }
        }

        private static func beginsName(_ byte: UInt8) -> Bool {
            switch byte {
            case 0x41...0x5A, 0x61...0x7A, 0x5F, 0x3A, 0x80...0xFF: true
            default: false
            }
        }
    }

    private static func place(of position: Int, in document: [UInt8]) -> (line: Int, column: Int) {
        let passed = document[..<position]
        let lineStart = passed.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return (passed.count { $0 == UInt8(ascii: "\n") } + 1, position - lineStart + 1)
    }
}
