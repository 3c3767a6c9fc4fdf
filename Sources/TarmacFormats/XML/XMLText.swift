/// An XML text that is safe to parse: UTF-8 without an XML declaration and without declarations of types or entities.
package struct XMLText {
    /// The reason a text is refused.
    package enum Refusal: String, Error {
        case declaration = "the document declares types or entities, which is refused"
        case malformed = "the document is not well-formed before its first element"
    }

    /// The text without its byte order mark and XML declaration. The declared encoding is that of the response, and this
    /// text is UTF-8.
    package let bytes: [UInt8]

    /// Checks a text.
    ///
    /// Declarations of types or entities are refused. Nested entities and default attributes grow without bound, and external
    /// entities read files and URLs. A declaration that only names a type is harmless, because no parser loads it.
    ///
    /// - Throws: the reason the text is refused.
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
