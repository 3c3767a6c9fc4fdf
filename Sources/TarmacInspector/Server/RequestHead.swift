#if Inspector
import TarmacCore

/// The request line and the header fields of a request (pure).
enum RequestHead {
    /// The most bytes of a head. A stranger sends one before the token is checked. Browsers send fewer than 2 KiB.
    static let longest = 16_384
    private static let lineEnd = UInt8(ascii: "\n")

    /// Returns the place after the empty line that ends a head, or `nil` if it does not end yet.
    ///
    /// - Parameter start: the number of bytes that were searched before.
    static func end(in bytes: [UInt8], from start: Int) -> Int? {
        var place = max(start - 3, 0)
        while let end = bytes[place...].firstIndex(of: lineEnd) {
            let before = bytes[..<end]
            if before.isEmpty || before.elementsEqual([0x0D]) || before.hasSuffix([lineEnd]) || before.hasSuffix([lineEnd, 0x0D]) { return end + 1 }
            place = end + 1
        }
        return nil
    }

    /// Returns the request of a whole head, or `nil` if it is none (RFC 9112 §3, §5).
    static func request(_ bytes: some Collection<UInt8>) -> InspectorRequest? {
        let lines = bytes.split(separator: lineEnd).map { String(decoding: $0.last == 0x0D ? $0.dropLast() : $0, as: UTF8.self) }
        guard let parts = lines.first?.split(separator: " "), parts.count == 3, parts[2].hasPrefix("HTTP/1.") else { return nil }
        var headers: [(name: String, value: String)] = []
        for line in lines.dropFirst() where !line.isEmpty {
            guard let colon = line.firstIndex(of: ":"), colon > line.startIndex, line.first != " ", line.first != "\t" else { return nil }
            headers.append((String(line[..<colon]), trimmed(line[line.index(after: colon)...])))
        }
        if parts[2] == "HTTP/1.0" { headers.append(("Connection", "close")) }
        let target = parts[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return InspectorRequest(String(parts[0]), String(target[0]), query: target.count == 2 ? pairs(target[1]) : [], headers: headers)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }

    /// The page encodes a blank as `%20`.
    private static func pairs(_ query: Substring) -> [(name: String, value: String)] {
        query.split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decoded(halves[0]), halves.count == 2 ? decoded(halves[1]) : "")
        }
    }

    private static func decoded(_ text: Substring) -> String { String(decoding: PercentEncoding.decoded(text.utf8), as: UTF8.self) }
}

extension ArraySlice<UInt8> {
    fileprivate func hasSuffix(_ bytes: [UInt8]) -> Bool { suffix(bytes.count).elementsEqual(bytes) }
}
#endif
