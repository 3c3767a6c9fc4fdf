/// The secret values of a call, found again wherever they occur: literally, percent-encoded, or escaped for JSON.
///
/// At most 512 values of at least 6 bytes count, so that `1` is not masked everywhere. Of a longer value the first 64
/// bytes are compared, so that a truncated one is found as well.
package struct KnownSecrets: Sendable, Hashable {
    private static let shortest = 6, compared = 64, limit = 512

    /// By the first byte.
    private var byFirst: [UInt8: [[UInt8]]] = [:]
    private var count = 0

    package init(_ values: some Sequence<String> = []) { for value in values { insert(value) } }

    package var isEmpty: Bool { byFirst.isEmpty }

    package mutating func insert(_ value: String) {
        guard value.utf8.count >= Self.shortest, count < Self.limit, value != "true", value != "false" else { return }
        if byFirst[value.utf8.first ?? 0]?.contains(Array(value.utf8)) == true { return }
        count += 1
        var forms: Set<[UInt8]> = [Array(value.utf8)]
        forms.insert(Self.percentEncoded(value, plus: false))
        forms.insert(Self.percentEncoded(value, plus: true))
        forms.insert(Self.escaped(value))
        for form in forms where byFirst[form[0]]?.contains(form) != true { byFirst[form[0], default: []].append(form) }
    }

    private static func percentEncoded(_ value: String, plus: Bool) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return value.utf8.flatMap { byte -> [UInt8] in
            if TextBytes.isBase64URL(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "~") { return [byte] }
            if plus, byte == 0x20 { return [UInt8(ascii: "+")] }
            return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }

    private static func escaped(_ value: String) -> [UInt8] {
        value.utf8.flatMap { byte -> [UInt8] in byte == 0x22 || byte == 0x5C || byte == 0x2F ? [0x5C, byte] : [byte] }
    }

    /// Returns the end of the value that occurs at `place`, or nil.
    func end(in text: TextBytes, at place: Int) -> Int? {
        guard let candidates = byFirst[text[place]] else { return nil }
        var longest: Int?
        for value in candidates {
            let needed = min(value.count, Self.compared)
            guard place + needed <= text.count else { continue }
            var length = 0
            while length < value.count, place + length < text.count, text.bytes[place + length] == value[length] { length += 1 }
            if length >= needed { longest = max(longest ?? 0, place + length) }
        }
        return longest
    }
}
