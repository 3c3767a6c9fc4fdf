import TarmacMasking

/// Parses the text of a template into parts (RFC 6570 §2).
///
/// The parser works on UTF-8, because an inline endpoint parses its template at every call.
package struct URITemplateParser {
    private let text: String
    private let bytes: [UInt8]
    private var position = 0
    private var isInPath = true

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    mutating func parse() throws(TarmacError) -> [URITemplate.Part] {
        var parts: [URITemplate.Part] = []
        parts.reserveCapacity(4)
        while position < bytes.count {
            parts.append(bytes[position] == Self.brace ? .expression(try expression()) : .literal(try literal()))
        }
        return parts
    }

    private static let brace = UInt8(ascii: "{")

    // MARK: Literals (§2.1)

    private mutating func literal() throws(TarmacError) -> [UInt8] {
        let start = position
        // A global is asked for once, not with each byte.
        let literals = Self.literals
        var isASCII = true
        while position < bytes.count, bytes[position] != Self.brace {
            let byte = bytes[position]
            if !literals.contains(byte) { try checkUncommon(byte) }
            if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { isInPath = false }
            if byte >= 0x80 { isASCII = false }
            position += 1
        }
        return isASCII ? Array(bytes[start..<position]) : Self.encoded(bytes[start..<position])
    }

    /// The characters that a URL holds unchanged. The errata to §2.1 add the apostrophe.
    private static let literals = QueryAlphabet.reserved

    private func checkUncommon(_ byte: UInt8) throws(TarmacError) {
        switch byte {
        case 0x80...: break
        case UInt8(ascii: "%"): try checkTriplet()
        case UInt8(ascii: "}"): throw fault("a closing brace has no opening brace")
        case UInt8(ascii: " "): throw fault("a space cannot stand in a URL; write %20")
        case 0..<0x20, 0x7F: throw fault("a control character cannot stand in a URL")
        default: throw fault("the character \(Character(Unicode.Scalar(byte))) cannot stand in a URL; percent-encode it")
        }
    }

    private static func encoded(_ literal: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        for byte in literal {
            if byte < 0x80 { result.append(byte) } else { PercentEncoding.append(byte, to: &result) }
        }
        return result
    }

    private func checkTriplet() throws(TarmacError) {
        guard position + 2 < bytes.count, PercentEncoding.isHex(bytes[position + 1]), PercentEncoding.isHex(bytes[position + 2]) else {
            throw fault("a percent sign is not followed by two hexadecimal digits")
        }
    }

    // MARK: Expressions (§2.2)

    private mutating func expression() throws(TarmacError) -> URITemplate.Expression {
        let start = position
        position += 1
        let operation = try operation()
        if operation.endsPath { isInPath = false }
        var variables = [try variable(from: start)]
        while position < bytes.count, bytes[position] == UInt8(ascii: ",") {
            position += 1
            variables.append(try variable(from: start))
        }
        try close(from: start)
        return URITemplate.Expression(operation: operation, variables: variables, isInPath: isInPath)
    }

    private mutating func operation() throws(TarmacError) -> URITemplate.Operation {
        guard position < bytes.count else { throw fault("the expression is not closed", at: position - 1) }
        let byte = bytes[position]
        if let operation = URITemplate.Operation(byte) {
            position += 1
            return operation
        }
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "!"), UInt8(ascii: "@"), UInt8(ascii: "|"):
            throw fault("the operator \(shownCharacter) is reserved and means nothing yet")
        default: return .simple
        }
    }

    private mutating func close(from start: Int) throws(TarmacError) {
        guard position < bytes.count else { throw fault("the expression is not closed", at: start) }
        guard bytes[position] == UInt8(ascii: "}") else { throw fault("a variable name cannot hold \(shownCharacter)") }
        position += 1
    }

    // MARK: Variables (§2.3, §2.4)

    private mutating func variable(from start: Int) throws(TarmacError) -> URITemplate.Variable {
        let name = try name(from: start)
        switch bytes[position] {
        case UInt8(ascii: "*"):
            position += 1
            return URITemplate.Variable(name: name, explodes: true, prefix: nil)
        case UInt8(ascii: ":"):
            position += 1
            return URITemplate.Variable(name: name, explodes: false, prefix: try prefix())
        default:
            return URITemplate.Variable(name: name, explodes: false, prefix: nil)
        }
    }

    /// Parses a name, which at least one more byte follows.
    private mutating func name(from start: Int) throws(TarmacError) -> String {
        let first = position
        var isAfterDot = true
        while position < bytes.count, let length = try nameLength(isAfterDot: isAfterDot) {
            isAfterDot = bytes[position] == UInt8(ascii: ".")
            position += length
        }
        guard position < bytes.count else { throw fault("the expression is not closed", at: start) }
        if position == first { throw fault("a variable has no name") }
        if isAfterDot { throw fault("a variable name ends with a dot") }
        return String(decoding: bytes[first..<position], as: UTF8.self)
    }

    /// Returns the number of bytes of the next character of a name, or `nil` at the end of the name.
    private func nameLength(isAfterDot: Bool) throws(TarmacError) -> Int? {
        switch bytes[position] {
        case 48...57, 65...90, 97...122, UInt8(ascii: "_"): return 1
        case UInt8(ascii: ".") where !isAfterDot: return 1
        case UInt8(ascii: "%"):
            try checkTriplet()
            return 3
        default: return nil
        }
    }

    private mutating func prefix() throws(TarmacError) -> Int {
        let start = position
        var length = 0
        while position < bytes.count, position - start < 5, case 48...57 = bytes[position] {
            length = length * 10 + Int(bytes[position] - 48)
            position += 1
        }
        guard (1...9999).contains(length), bytes[start] != UInt8(ascii: "0") else {
            throw fault("a prefix length is not a number from 1 to 9999", at: start)
        }
        return length
    }

    // MARK: Errors

    private func fault(_ reason: String, at index: Int? = nil) -> TarmacError {
        let character = bytes[..<(index ?? position)].count { $0 & 0xC0 != 0x80 } + 1
        return TarmacError(
            .invalidURL,
            "the template \"\(Self.shown(ShownURL.text(text)))\" is malformed at character \(character): \(reason)")
    }

    /// The character at the position, in quotation marks.
    private var shownCharacter: String {
        "\"\(Self.shown(String(String(decoding: bytes[position...].prefix(4), as: UTF8.self).unicodeScalars.prefix(1))))\""
    }

    /// Returns the text in a form that a log line can hold.
    package static func shown(_ text: String) -> String {
        String(text.unicodeScalars.prefix(200).map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
    }
}
