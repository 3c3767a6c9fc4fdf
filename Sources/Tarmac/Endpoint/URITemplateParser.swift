/// RFC 6570 §2: text in, parts out.
struct URITemplateParser {
    private let text: String
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var isInPath = true

    init(_ text: String) {
        self.text = text
        scalars = Array(text.unicodeScalars)
    }

    mutating func parse() throws(TarmacError) -> [URITemplate.Part] {
        var parts: [URITemplate.Part] = []
        while position < scalars.count {
            parts.append(scalars[position] == "{" ? .expression(try expression()) : .literal(try literal()))
        }
        return parts
    }

    // MARK: Literals (§2.1)

    private mutating func literal() throws(TarmacError) -> [UInt8] {
        var bytes: [UInt8] = []
        while position < scalars.count, scalars[position] != "{" {
            try appendLiteral(scalars[position], to: &bytes)
            position += 1
        }
        return bytes
    }

    private mutating func appendLiteral(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) throws(TarmacError) {
        guard scalar.isASCII else {
            for byte in String(scalar).utf8 { PercentEncoding.append(byte, to: &bytes) }
            return
        }
        if scalar == "%" { try checkTriplet() }
        if let reason = Self.fault(of: scalar) { throw fault(reason) }
        if scalar == "?" || scalar == "#" { isInPath = false }
        bytes.append(UInt8(ascii: scalar))
    }

    private static func fault(of scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "}": "a closing brace has no opening brace"
        case " ": "a space cannot stand in a URL; write %20"
        case "\"", "<", ">", "\\", "^", "`", "|": "the character \(scalar) cannot stand in a URL; percent-encode it"
        case "\u{0}"..."\u{1F}", "\u{7F}": "a control character cannot stand in a URL"
        default: nil
        }
    }

    private func checkTriplet() throws(TarmacError) {
        guard position + 2 < scalars.count, Self.isHex(scalars[position + 1]), Self.isHex(scalars[position + 2]) else {
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
        while position < scalars.count, scalars[position] == "," {
            position += 1
            variables.append(try variable(from: start))
        }
        try close(from: start)
        return URITemplate.Expression(operation: operation, variables: variables, isInPath: isInPath)
    }

    private mutating func operation() throws(TarmacError) -> URITemplate.Operation {
        guard position < scalars.count else { throw fault("the expression is not closed", at: position - 1) }
        let scalar = scalars[position]
        if let operation = URITemplate.Operation(scalar) {
            position += 1
            return operation
        }
        switch scalar {
        case "=", ",", "!", "@", "|": throw fault("the operator \(scalar) is reserved and means nothing yet")
        default: return .simple
        }
    }

    private mutating func close(from start: Int) throws(TarmacError) {
        guard position < scalars.count else { throw fault("the expression is not closed", at: start) }
        guard scalars[position] == "}" else { throw fault("a variable name cannot hold \(shown(scalars[position]))") }
        position += 1
    }

    // MARK: Variables (§2.3, §2.4)

    private mutating func variable(from start: Int) throws(TarmacError) -> URITemplate.Variable {
        let name = try name(from: start)
        guard position < scalars.count else { throw fault("the expression is not closed", at: start) }
        switch scalars[position] {
        case "*":
            position += 1
            return URITemplate.Variable(name: name, explodes: true, prefix: nil)
        case ":":
            position += 1
            return URITemplate.Variable(name: name, explodes: false, prefix: try prefix())
        default:
            return URITemplate.Variable(name: name, explodes: false, prefix: nil)
        }
    }

    private mutating func name(from start: Int) throws(TarmacError) -> String {
        var name = String.UnicodeScalarView()
        var isAfterDot = true
        while position < scalars.count, let length = try nameLength(isAfterDot: isAfterDot) {
            isAfterDot = scalars[position] == "."
            name.append(contentsOf: scalars[position..<position + length])
            position += length
        }
        guard position < scalars.count else { throw fault("the expression is not closed", at: start) }
        if name.isEmpty { throw fault("a variable has no name") }
        if isAfterDot { throw fault("a variable name ends with a dot") }
        return String(name)
    }

    /// How many scalars the next character of a name takes, `nil` when the name is over.
    private func nameLength(isAfterDot: Bool) throws(TarmacError) -> Int? {
        switch scalars[position] {
        case "a"..."z", "A"..."Z", "0"..."9", "_": return 1
        case "." where !isAfterDot: return 1
        case "%":
            try checkTriplet()
            return 3
        default: return nil
        }
    }

    private mutating func prefix() throws(TarmacError) -> Int {
        let start = position
        while position < scalars.count, case "0"..."9" = scalars[position] { position += 1 }
        let digits = String(String.UnicodeScalarView(scalars[start..<position]))
        guard digits.count <= 4, !digits.hasPrefix("0"), let length = Int(digits) else {
            throw fault("a prefix length is not a number from 1 to 9999", at: start)
        }
        return length
    }

    // MARK: Errors

    private func fault(_ reason: String, at index: Int? = nil) -> TarmacError {
        TarmacError(
            .invalidTemplate,
            "the template \"\(Self.shown(text))\" is malformed at character \((index ?? position) + 1): \(reason)")
    }

    private func shown(_ scalar: Unicode.Scalar) -> String { "\"\(Self.shown(String(scalar)))\"" }

    /// The text as a log line may hold it.
    static func shown(_ text: String) -> String {
        String(text.unicodeScalars.prefix(200).map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) })
    }

    private static func isHex(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && PercentEncoding.isHex(UInt8(ascii: scalar))
    }
}
