import TarmacCore

/// A challenge of a WWW-Authenticate field: a scheme with its parameters (RFC 9110 §11.6.1).
struct AuthChallenge: Sendable, Equatable {
    /// In lower case.
    let scheme: String
    var token68: String?
    /// The parameters by their names in lower case. If a name is repeated, which is not allowed, the first counts.
    var parameters: [String: String] = [:]

    /// Returns the challenges of all fields, in order. A field may contain several, separated by commas like their
    /// parameters. A malformed challenge ends its field; the challenges before it count.
    static func parse(_ fields: [String]) -> [AuthChallenge] {
        fields.flatMap { field in
            var parser = AuthChallengeParser(field)
            return parser.challenges()
        }
    }
}

private struct AuthChallengeParser {
    private let bytes: [UInt8]
    private var index = 0
    private static let limit = 64

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func challenges() -> [AuthChallenge] {
        var challenges: [AuthChallenge] = []
        while challenges.count < Self.limit {
            skip { Self.isSpace($0) || $0 == UInt8(ascii: ",") }
            guard let scheme = token() else { break }
            var challenge = AuthChallenge(scheme: scheme.lowercased())
            let isWhole = details(&challenge)
            challenges.append(challenge)
            if !isWhole { break }
        }
        return challenges
    }

    /// Reads the rest of a challenge, up to the next scheme or the end. Returns `false` if it is malformed.
    private mutating func details(_ challenge: inout AuthChallenge) -> Bool {
        guard let next = peek else { return true }
        guard Self.isSpace(next) || next == UInt8(ascii: ",") else { return false }
        skip(Self.isSpace)
        if let token68 = token68() {
            challenge.token68 = token68
            return atEndOfItem
        }
        while challenge.parameters.count < Self.limit {
            let start = index
            skip { Self.isSpace($0) || $0 == UInt8(ascii: ",") }
            guard peek != nil else { return true }
            guard let name = token() else { return false }
            skip(Self.isSpace)
            guard peek == UInt8(ascii: "=") else {
                // Not a parameter, so the next scheme.
                index = start
                return true
            }
            index += 1
            skip(Self.isSpace)
            guard let value = peek == UInt8(ascii: "\"") ? quoted() : token(), atEndOfItem else { return false }
            if challenge.parameters[name.lowercased()] == nil { challenge.parameters[name.lowercased()] = value }
        }
        return false
    }

    /// Reads a token68 that is neither the name of a parameter nor the next scheme.
    private mutating func token68() -> String? {
        let start = index
        skip(Self.isToken68)
        guard index > start else { return nil }
        skip { $0 == UInt8(ascii: "=") }
        if atEndOfItem { return String(decoding: bytes[start..<index], as: UTF8.self) }
        index = start
        return nil
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private var atEndOfItem: Bool {
        let next = bytes[index...].first { !Self.isSpace($0) }
        return next == nil || next == UInt8(ascii: ",")
    }

    private mutating func skip(_ belongs: (UInt8) -> Bool) {
        while let byte = peek, belongs(byte) { index += 1 }
    }

    private mutating func token() -> String? {
        let start = index
        skip(Self.isTokenByte)
        return index > start ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
    }

    /// Reads a quoted string without its quotes and backslashes. Returns `nil` if it does not end.
    private mutating func quoted() -> String? {
        index += 1
        var value: [UInt8] = []
        while let byte = peek {
            index += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
            if byte == UInt8(ascii: "\\"), let escaped = peek {
                value.append(escaped)
                index += 1
            } else {
                value.append(byte)
            }
        }
        return nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isToken68(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        isToken68(byte) && byte != UInt8(ascii: "/") || "!#$%&'*^`|".utf8.contains(byte)
    }
}
