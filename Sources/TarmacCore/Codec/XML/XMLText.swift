/// An XML text made ready for a parser: UTF-8 that says nothing of its encoding, and that declares nothing.
package struct XMLText {
    /// Why a text goes to no parser.
    package enum Refusal: String, Error {
        case declaration = "the document declares types or entities, which is refused"
        case malformed = "the document is not well-formed before its first element"
    }

    /// Behind a byte order mark and the XML declaration, whose encoding is that of the answer and no longer of the text.
    package let bytes: [UInt8]

    /// Refuses what declares types or entities: entities made of entities and attributes with defaults grow without bound,
    /// and those of files and URLs read what they should not. A declaration that only names a type is harmless: nothing is
    /// loaded.
    package init(_ text: String) throws(Refusal) {
        bytes = Self.withoutDeclaration(Array(text.utf8))
        var scanner = XMLScanner(bytes)
        var isTyped = false
        while true {
            if scanner.passesText() { throw .malformed }
            switch scanner.next() {
            case .skipped: continue
            case .documentType(declares: true): throw .declaration
            case .documentType where isTyped: throw .malformed
            case .documentType: isTyped = true
            case .start, .empty: return
            case .end, .malformed, nil: throw .malformed
            }
        }
    }

    private static func withoutDeclaration(_ bytes: [UInt8]) -> [UInt8] {
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        guard text.starts(with: "<?xml".utf8), let next = text.dropFirst(5).first, [0x20, 0x09, 0x0A, 0x0D].contains(next) else { return Array(text) }
        guard let end = text.firstIndex(of: UInt8(ascii: ">")), text[end - 1] == UInt8(ascii: "?") else { return Array(text) }
        return Array(text[(end + 1)...])
    }
}
