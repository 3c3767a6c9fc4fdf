import TarmacCore

/// Parses the value of a Link field (RFC 8288 §3, with the algorithms of Appendix B.2 and B.3; pure). It accepts parts
/// that are well-formed, and stops if it cannot find the start of the next link.
struct WebLinkParser {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    mutating func links() -> [WebLink] {
        var links: [WebLink] = []
        while true {
            skip { Self.isSpace($0) || $0 == UInt8(ascii: ",") }
            guard take("<"), let target = text(until: ">") else { return links }
            links.append(WebLink(target: target, parameters: parameters()))
            // Text between the parameters and the next comma is ignored.
            skip { $0 != UInt8(ascii: ",") }
        }
    }

    private mutating func parameters() -> [WebLink.Parameter] {
        var parameters: [WebLink.Parameter] = []
        while true {
            skip(Self.isSpace)
            guard take(";") else { return parameters }
            skip(Self.isSpace)
            let name = parameterName().lowercased()
            skip(Self.isSpace)
            guard take("=") else {
                if !name.isEmpty { parameters.append(.init(name: name, value: "")) }
                continue
            }
            skip(Self.isSpace)
            let value = take("\"") ? quoted() : unquoted()
            if !name.isEmpty { parameters.append(.init(name: name, value: value)) }
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skip(_ belongs: (UInt8) -> Bool) {
        while position < bytes.count, belongs(bytes[position]) { position += 1 }
    }

    /// Returns `nil` if the end is missing.
    private mutating func text(until end: Unicode.Scalar) -> String? {
        guard let index = bytes[position...].firstIndex(of: UInt8(ascii: end)) else { return nil }
        defer { position = index + 1 }
        return String(decoding: bytes[position..<index], as: UTF8.self)
    }

    private mutating func parameterName() -> String {
        text(upTo: { Self.isSpace($0) || $0 == UInt8(ascii: "=") || Self.isEnd($0) })
    }

    /// Parses a value without quotes, which servers omit even around values that are not tokens: the text up to the
    /// next parameter or link, without white space at its end.
    private mutating func unquoted() -> String {
        text(upTo: Self.isEnd).trimmed
    }

    private mutating func text(upTo isEnd: (UInt8) -> Bool) -> String {
        let start = position
        skip { !isEnd($0) }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// Parses a quoted string after its first quote; a backslash escapes a character (RFC 9110 §5.6.4).
    private mutating func quoted() -> String {
        var content: [UInt8] = []
        while position < bytes.count, !take("\"") {
            if bytes[position] == UInt8(ascii: "\\"), position + 1 < bytes.count { position += 1 }
            content.append(bytes[position])
            position += 1
        }
        return String(decoding: content, as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    private static func isEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: ";") || byte == UInt8(ascii: ",") }
}
