import TarmacCore

/// The addresses and versions of an archive of another program, which may hold anything (pure).
enum HARAddress {
    /// Returns a URL as a browser understands it. Control characters and a bare percent sign are encoded, and user information, which is a
    /// secret, is removed.
    static func url(_ text: String) -> HTTPURL? { (try? HTTPURL(text)) ?? (isHTTP(text) ? try? HTTPURL(repaired(text)) : nil) }

    static func isHTTP(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return start.hasPrefix("http://") || start.hasPrefix("https://")
    }

    private static func repaired(_ text: String) -> String {
        let bytes = Array(text.utf8), host = (bytes.firstIndex(of: UInt8(ascii: ":")) ?? 0) + 3
        let end = bytes[host...].firstIndex { "/?#".utf8.contains($0) } ?? bytes.endIndex
        let user = bytes[host..<end].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? host
        var result = Array(bytes[..<host] + bytes[user..<end])
        for place in end..<bytes.count {
            let byte = bytes[place], isBare = byte == UInt8(ascii: "%") && !(isHex(bytes, place + 1) && isHex(bytes, place + 2))
            if isBare || byte < 0x20 || byte == 0x7F { PercentEncoding.append(byte, to: &result) } else { result.append(byte) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isHex(_ bytes: [UInt8], _ place: Int) -> Bool { place < bytes.count && Character(Unicode.Scalar(bytes[place])).isHexDigit }

    /// The URL of a call that failed before it had a request: a name that no server has (RFC 2606 §2).
    static let none = "http://no-request.invalid/"

    /// Returns a URL whose other characters are percent-encoded, such as those of a mask (RFC 3986 §2).
    static func uri(_ text: String) -> String {
        if text.utf8.allSatisfy(isOfURI) { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isOfURI(byte) { bytes.append(byte) } else { PercentEncoding.append(byte, to: &bytes) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isOfURI(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && !#""<>\^`{|}"#.utf8.contains(byte) }

    /// Returns the address of a server, without brackets and port, or `nil` for another text.
    static func server(_ text: String) -> String? {
        let host = HARText.host(text)
        return IPAddressBytes(host) == nil ? nil : host
    }

    /// Whether a text is a version of HTTP as programs write it: `HTTP/1.1`, `http/2.0`, `h2`, `h3`.
    static func isVersion(_ text: String) -> Bool {
        let text = text.lowercased()
        if text == "h2" || text == "h3" { return true }
        guard text.hasPrefix("http/") else { return false }
        let parts = text.dropFirst(5).split(separator: ".", omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { $0.utf8.count == 1 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }
}
