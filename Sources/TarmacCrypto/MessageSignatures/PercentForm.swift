#if Crypto
/// Queries as forms (WHATWG URL §5), for `@query-param` (RFC 9421 §2.2.8).
enum PercentForm {
    /// Returns the parameters of a query, in order.
    static func pairs(_ query: String) -> [(name: String, value: String)] {
        query.split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decode(halves[0]), halves.count > 1 ? decode(halves[1]) : "")
        }
    }

    static func encode(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): result.append(byte)
            case UInt8(ascii: "*"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): result.append(byte)
            default: result += Array("%".utf8) + Array([byte].hex.uppercased().utf8)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func decode(_ text: Substring) -> String {
        var result: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let value = [UInt8](hex: String(rest.prefix(2)) ?? "")?.first {
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
#endif
