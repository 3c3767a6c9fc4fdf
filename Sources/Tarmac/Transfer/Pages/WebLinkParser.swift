/// Reads the value of a Link field (RFC 8288 §3, by the algorithm of Appendix B.2; pure). It takes what is well enough
/// formed, and ends where it does not know where the next link begins.
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
            // Whatever stands between the parameters and the next comma belongs to nothing.
            skip { $0 != UInt8(ascii: ",") }
        }
    }

    private mutating func parameters() -> [WebLink.Parameter] {
        var parameters: [WebLink.Parameter] = []
        while true {
            skip(Self.isSpace)
            guard take(";") else { return parameters }
            skip(Self.isSpace)
            let name = token().lowercased()
            skip(Self.isSpace)
            guard take("=") else {
                if !name.isEmpty { parameters.append(.init(name: name, value: "")) }
                continue
            }
            skip(Self.isSpace)
            let value = take("\"") ? quoted() : token()
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

    /// `nil` when the end is missing.
    private mutating func text(until end: Unicode.Scalar) -> String? {
        guard let index = bytes[position...].firstIndex(of: UInt8(ascii: end)) else { return nil }
        defer { position = index + 1 }
        return String(decoding: bytes[position..<index], as: UTF8.self)
    }

    /// Up to white space or a delimiter: servers leave out the quotes of values that are no tokens.
    private mutating func token() -> String {
        let start = position
        skip { !Self.isSpace($0) && !Self.delimiters.contains($0) }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    /// A quoted string after its first quote; a backslash stands before a character that is meant itself (RFC 9110 §5.6.4).
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
    private static let delimiters = Set("\",;=".utf8)
}
