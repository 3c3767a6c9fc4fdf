/// Finds the markup of an XML text in its bytes, so that what is refused can be refused before a parser sees it.
///
/// It is stricter than parsers are: what two of them may take for different things is ``Markup/malformed``. It sees bytes
/// and never characters, of which a combining mark would make others.
package struct XMLScanner {
    /// A piece of markup.
    package enum Markup: Hashable {
        /// A comment, a processing instruction or a CDATA section: nothing in it is markup.
        case skipped
        /// A document type declaration, and whether it declares something itself.
        case documentType(declares: Bool)
        case start
        case end
        /// An element that is start and end.
        case empty
        case malformed
    }

    private let bytes: [UInt8]
    private var position: Int
    private var start = 0

    /// - Parameter bytes: UTF-8 behind a byte order mark and an XML declaration, see ``XMLText``.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = 0
    }

    /// Passes white space; returns whether anything else comes before the next markup or the end.
    package mutating func passesText() -> Bool {
        skipSpace()
        return position < bytes.count && bytes[position] != UInt8(ascii: "<")
    }

    /// Where the piece of markup that was told last stands.
    package var range: Range<Int> { start..<position }

    /// The next piece of markup; `nil` at the end.
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

    /// XML 1.0 §2.5: there is no `--` in a comment. `<!-->` and `<!--->`, which HTML takes for whole comments, are refused.
    private mutating func comment() -> Markup {
        if has(">") || has("->") || !passes(to: "--") { return .malformed }
        return passes(">") ? .skipped : .malformed
    }

    /// XML 1.0 §2.6: a target of `xml` belongs to the declaration, which a parser could be made to obey twice.
    private mutating func instruction() -> Markup {
        let start = position
        guard passesName() else { return .malformed }
        let isDeclaration = bytes[start..<position].elementsEqual("xml".utf8) { $0 | 0x20 == $1 }
        return !isDeclaration && passes(to: "?>") ? .skipped : .malformed
    }

    /// XML 1.0 §2.8, as far as the internal subset.
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
        // Whether a `>` or `/>` in an attribute ends the element is not for this to say: it does not end it.
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

    /// A name, roughly: a letter or what is not ASCII, up to what ends one.
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
