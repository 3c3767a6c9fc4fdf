/// The texts and numbers of the outer members of a JSON object, read although the rest of it is no valid JSON (pure).
///
/// A token endpoint that renews a refresh token has spent the one before. Other members of its answer, such as a name in another
/// charset, must not cost the login. The time is linear, and nothing is nested in memory.
struct LooseMembers {
    /// The first of equal names counts, as in `JSONDocument`.
    private(set) var texts: [String: String] = [:]
    private let bytes: [UInt8]
    private var place = 0

    /// Returns `nil` if the bytes do not begin with an object or array, as those of a page do not.
    init?(_ bytes: [UInt8], names: Set<String>) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
        skip { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard place < bytes.count, bytes[place] == UInt8(ascii: "{") || bytes[place] == UInt8(ascii: "[") else { return nil }
        if bytes[place] == UInt8(ascii: "{") { readMembers(names) }
    }

    /// Ends with the object, or where the text was cut off.
    private mutating func readMembers(_ names: Set<String>) {
        var depth = 0
        var name: String?
        while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                place += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                place += 1
                if depth == 0 { return }
            case UInt8(ascii: ","):
                if depth == 1 { name = nil }
                place += 1
            case UInt8(ascii: "\""):
                guard let content = string() else { return }
                guard depth == 1 else { break }
                if let name, names.contains(name) { note(Self.text(of: content), as: name) } else if name == nil { name = Self.text(of: content.prefix(64)) }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let start = place
                skip { "+-.eE0123456789".utf8.contains($0) }
                // A number at the end may have been cut off.
                if depth == 1, let name, names.contains(name), place < bytes.count { note(String(decoding: bytes[start..<place], as: UTF8.self), as: name) }
            default: place += 1
            }
        }
    }

    private mutating func note(_ text: String, as name: String) {
        if texts[name] == nil { texts[name] = text }
    }

    private mutating func skip(while isSkipped: (UInt8) -> Bool) {
        while place < bytes.count, isSkipped(bytes[place]) { place += 1 }
    }

    /// Returns the bytes between the quotation marks and moves behind them, or `nil` if the second one is missing.
    private mutating func string() -> ArraySlice<UInt8>? {
        let start = place + 1
        place = start
        while place < bytes.count {
            if bytes[place] == UInt8(ascii: "\"") {
                defer { place += 1 }
                return bytes[start..<place]
            }
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    /// Returns the text of a string. Bytes that are no character become U+FFFD.
    private static func text(of content: ArraySlice<UInt8>) -> String {
        guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
        var units: [UInt16] = []
        var parts = content.split(separator: UInt8(ascii: "\\"), omittingEmptySubsequences: false)[...]
        units += String(decoding: parts.removeFirst(), as: UTF8.self).utf16
        while let part = parts.popFirst() {
            guard let sign = part.first else {
                // An escaped backslash: what follows it is plain.
                units.append(0x5C)
                if let plain = parts.popFirst() { units += String(decoding: plain, as: UTF8.self).utf16 }
                continue
            }
            var rest = part.dropFirst()
            if sign == UInt8(ascii: "u") {
                let digits = String(decoding: rest.prefix(4), as: UTF8.self)
                units.append(digits.utf8.count == 4 ? UInt16(digits, radix: 16) ?? 0xFFFD : 0xFFFD)
                rest = rest.dropFirst(4)
            } else {
                units.append(escapes[sign] ?? UInt16(sign))
            }
            units += String(decoding: rest, as: UTF8.self).utf16
        }
        return String(decoding: units, as: UTF16.self)
    }

    private static let escapes: [UInt8: UInt16] = [
        UInt8(ascii: "b"): 0x08, UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09,
    ]
}
