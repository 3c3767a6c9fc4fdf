/// Finds the markup in the bytes of an XML text, so that dangerous documents are refused before a parser reads them.
///
/// The scanner is stricter than parsers. Markup that two parsers could read differently is ``Markup/malformed``. The scanner
/// compares bytes, because a combining mark would turn a delimiter into another character.
package struct XMLScanner {
    /// A piece of markup.
    package enum Markup: Hashable {
        /// A comment, a processing instruction or a CDATA section. It contains no markup.
        case skipped
        /// A document type declaration, and whether it contains declarations.
        case documentType(declares: Bool)
        case start
        case end
        /// An empty element, such as `<a/>`.
        case empty
        case malformed
    }

    private let bytes: [UInt8]
    private var position: Int
    private var start = 0

    /// - Parameter bytes: UTF-8 without a byte order mark and an XML declaration. See ``XMLText``.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = 0
    }

    /// Skips white space. Returns whether other text comes before the next markup or the end.
    package mutating func passesText() -> Bool {
        skipSpace()
        return position < bytes.count && bytes[position] != UInt8(ascii: "<")
    }

    /// The position of the markup that ``next()`` returned last.
    package var range: Range<Int> { start..<position }

    /// Returns the next piece of markup, or `nil` at the end.
    package mutating func next() -> Markup? {
        guard let next = bytes[position...].firstIndex(of: UInt8(ascii: "<")) else { return nil }
        (start, position) = (next, next)
        if passes("<!--") { return comment() }
        if passes("<![CDATA[") { return passes(to: "]]>") ? .skipped : .malformed }
        if passes("<!DOCTYPE") { return documentType() }
        if passes("<?") { return instruction() }
        if passes("</") { return passes(to: ">") ? .end : .malformed }
        position += 1
        return element()
    }

    // MARK: Kinds of markup

    /// XML 1.0 §2.5: a comment contains no `--`. HTML accepts `<!-->` and `<!--->` as whole comments; the scanner refuses them.
    private mutating func comment() -> Markup {
        if has(">") || has("->") || !passes(to: "--") { return .malformed }
        return passes(">") ? .skipped : .malformed
    }

    /// XML 1.0 §2.6: the target `xml` is reserved for the declaration. A parser could obey a second one.
    private mutating func instruction() -> Markup {
        let start = position
        guard passesName() else { return .malformed }
        let isDeclaration = bytes[start..<position].elementsEqual("xml".utf8) { $0 | 0x20 == $1 }
        return !isDeclaration && passes(to: "?>") ? .skipped : .malformed
    }

    /// XML 1.0 §2.8, up to the internal subset.
    private mutating func documentType() -> Markup {
        guard skipSpace(), passesName() else { return .malformed }
        let hasSpace = skipSpace()
        if has("SYSTEM") || has("PUBLIC") {
            let literals = has("PUBLIC") ? 2 : 1
            position += 6
            for _ in 0..<literals { guard hasSpace, skipSpace(), passesLiteral() else { return .malformed } }
            skipSpace()
        }
        if passes("[") { return .documentType(declares: true) }
        return passes(">") ? .documentType(declares: false) : .malformed
    }

    private mutating func element() -> Markup {
        guard passesName(), let end = bytes[position...].firstIndex(of: UInt8(ascii: ">")) else { return .malformed }
        let isEmpty = bytes[end - 1] == UInt8(ascii: "/")
        // A `/>` may be part of an attribute, so an element with attributes counts as a start.
        let hasAttributes = bytes[position..<end].contains(UInt8(ascii: "="))
        position = end + 1
        return isEmpty && !hasAttributes ? .empty : .start
    }

    // MARK: Bytes

    private func has(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    }

    private mutating func passes(_ text: StaticString) -> Bool {
        guard has(text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    private mutating func passes(to text: StaticString) -> Bool {
        while position < bytes.count {
            if passes(text) { return true }
            position += 1
        }
        return false
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = position
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { position += 1 }
        return position > start
    }

    /// Passes a name. Every byte outside ASCII counts as a part of a name.
    private mutating func passesName() -> Bool {
        let start = position
        while position < bytes.count, Self.isOfName(bytes[position], isFirst: position == start) { position += 1 }
        return position > start
    }

    private static func isOfName(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case 0x41...0x5A, 0x61...0x7A, 0x5F, 0x3A, 0x80...0xFF: true
        case 0x30...0x39, 0x2D, 0x2E: !isFirst
        default: false
        }
    }

    private mutating func passesLiteral() -> Bool {
        guard position < bytes.count, bytes[position] == 0x22 || bytes[position] == 0x27 else { return false }
        guard let end = bytes[(position + 1)...].firstIndex(of: bytes[position]) else { return false }
        position = end + 1
        return true
    }
}
