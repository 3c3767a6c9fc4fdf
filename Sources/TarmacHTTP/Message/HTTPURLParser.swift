import TarmacMasking

/// Parses URLs of the schemes `http` and `https` (RFC 3986).
package enum HTTPURLParser {
    static func parse(_ text: String) throws(TarmacError) -> HTTPURL {
        try refuseControls(in: text)
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
            throw invalid(text, "it has no scheme", suggestion: "write it as https://host/path")
        }
        guard let scheme = known(text[..<colon]) else {
            throw invalid(text, "its scheme is neither http nor https")
        }
        return try parse(afterScheme: text[bytes.index(colon, offsetBy: 3)...], scheme: scheme, whole: text)
    }

    private static func known(_ scheme: Substring) -> String? {
        if scheme == "https" { return "https" }
        if scheme == "http" { return "http" }
        let lower = scheme.lowercased()
        return lower == "https" || lower == "http" ? lower : nil
    }

    private static func parse(
        afterScheme rest: Substring, scheme: String, whole: String
    ) throws(TarmacError) -> HTTPURL {
        let end = rest.utf8.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? rest.endIndex
        let (host, port) = try authority(rest[..<end], whole: whole)
        let (path, query) = try target(rest[end...], whole: whole)
        return HTTPURL(scheme: scheme, host: host, port: port, path: path, query: query)
    }

    // MARK: Authority

    private static func authority(
        _ text: Substring, whole: String
    ) throws(TarmacError) -> (host: String, port: Int?) {
        guard !text.utf8.contains(UInt8(ascii: "@")) else {
            throw invalid(whole, "it carries user information", suggestion: "send credentials in a header")
        }
        let (hostText, portText) = try splitPort(text, whole: whole)
        guard !hostText.isEmpty else { throw invalid(whole, "it has no host") }
        let port = if let portText { try port(portText, whole: whole) } else { Int?.none }
        return (try URLHost.parse(hostText, whole: whole), port)
    }

    private static func splitPort(
        _ text: Substring, whole: String
    ) throws(TarmacError) -> (Substring, Substring?) {
        if text.hasPrefix("[") {
            guard let close = text.firstIndex(of: "]") else { throw invalid(whole, "its IPv6 address is not closed") }
            let rest = text[text.index(after: close)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { throw invalid(whole, "its host is malformed") }
            return (text[...close], rest.isEmpty ? nil : rest.dropFirst())
        }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return (text, nil) }
        return (text[..<colon], text[text.index(after: colon)...])
    }

    private static func port(_ text: Substring, whole: String) throws(TarmacError) -> Int? {
        if text.isEmpty { return nil }
        guard text.utf8.allSatisfy({ (48...57).contains($0) }), let port = Int(text), (1...65_535).contains(port) else {
            throw invalid(whole, "its port is not a number from 1 to 65535")
        }
        return port
    }

    // MARK: Path and query

    /// Separates the query, removes the fragment, and encodes the characters that a request line may not hold.
    static func target(_ text: Substring, whole: String) throws(TarmacError) -> (path: String, query: String?) {
        let bytes = text.utf8
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        guard let question = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) else {
            return (try encode(text[..<end], whole: whole), nil)
        }
        let query = try encode(text[bytes.index(after: question)..<end], whole: whole)
        return (try encode(text[..<question], whole: whole), query)
    }

    /// Whether a text is a path without a query that a request line may hold unchanged.
    static func isPlainPath(_ text: String) -> Bool {
        guard text.utf8.first == UInt8(ascii: "/") else { return false }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "%"): return false
            default: if !isTargetByte(byte) { return false }
            }
        }
        return true
    }

    private static func encode(_ text: Substring, whole: String) throws(TarmacError) -> String {
        var isPlain = true
        for byte in text.utf8 where !isTargetByte(byte) || byte == UInt8(ascii: "%") { isPlain = false }
        if isPlain { return String(text) }
        let bytes = Array(text.utf8)
        try checkEscapes(bytes, whole: whole)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 16)
        for byte in bytes {
            if isTargetByte(byte) { result.append(byte) } else { PercentEncoding.append(byte, to: &result) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    static func checkEscapes(_ bytes: [UInt8], whole: String) throws(TarmacError) {
        for index in bytes.indices where bytes[index] == UInt8(ascii: "%") {
            guard index + 2 < bytes.count, PercentEncoding.isHex(bytes[index + 1]), PercentEncoding.isHex(bytes[index + 2]) else {
                throw invalid(whole, "a percent sign is not followed by two hexadecimal digits", suggestion: "write %25 for a percent sign")
            }
        }
    }

    /// Whether a byte is an RFC 3986 pchar, `/`, `?` or `%`.
    private static func isTargetByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...32, 34, 60, 62, 91...94, 96, 123...255: byte == UInt8(ascii: "~") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
        default: true
        }
    }

    // MARK: Errors

    static func refuseControls(in text: String) throws(TarmacError) {
        if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw invalid(text, "it holds a control character")
        }
    }

    package static func invalid(_ text: String, _ reason: String, suggestion: String? = nil) -> TarmacError {
        // Only the part before the query is shown: the query may hold a secret.
        let shown = ShownURL.text(text).prefix { $0 != "?" && $0 != "#" }.prefix(200).filter { $0 >= " " && $0 != "\u{7F}" }
        return TarmacError(.invalidURL, "the URL \"\(shown)\" is not valid: \(reason)", suggestion: suggestion)
    }
}

/// Percent-encoding (RFC 3986 §2.1).
package enum PercentEncoding {
    package static func append(_ byte: UInt8, to result: inout [UInt8]) {
        result.append(UInt8(ascii: "%"))
        result.append(hexDigit(byte >> 4))
        result.append(hexDigit(byte & 15))
    }

    /// Returns the bytes of a text without its escapes. A percent sign that two hexadecimal digits do not follow stays.
    package static func decoded(_ text: some Collection<UInt8>, plusIsBlank: Bool = false) -> [UInt8] {
        PercentDecoding.bytes(text, plusIsBlank: plusIsBlank)
    }

    static func isHex(_ byte: UInt8) -> Bool { PercentDecoding.half(byte) != nil }

    /// Returns the byte of two hexadecimal digits, or `nil`.
    package static func byte(_ digits: some Collection<UInt8>) -> UInt8? { PercentDecoding.byte(digits) }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 55 + value }

    /// Whether a byte is unreserved (RFC 3986 §2.3).
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }
}
