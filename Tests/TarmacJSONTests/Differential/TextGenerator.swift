/// Any JSON, and damage done to it.
struct TextGenerator {
    var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func space() -> String { random.once(in: 6) ? random.pick([" ", "\n", "\t", "\r\n", "    ", "\n                  "]) : "" }

    mutating func value(depth: Int) -> String {
        let text: String
        switch random.upTo(depth > 0 ? 9 : 5) {
        case 0: text = random.pick(["null", "true", "false"])
        case 1, 2: text = number()
        case 3, 4: text = string()
        case 5, 6: text = "[" + (0..<random.upTo(5)).map { _ in value(depth: depth - 1) }.joined(separator: ",") + space() + "]"
        default:
            let members = (0..<random.upTo(5)).map { _ in space() + string() + space() + ":" + value(depth: depth - 1) }
            text = "{" + members.joined(separator: ",") + space() + "}"
        }
        return space() + text + space()
    }

    mutating func number() -> String {
        switch random.upTo(8) {
        case 0:
            return random.pick([
                "0", "-0", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e5", "0.1", "-0.0", "1E+2", "1e-2", "2.5e3",
                "18446744073709551615", "18446744073709551616", "1.7976931348623157e308", "1e309", "123456789012345678901234567890",
            ])
        case 1, 2: return String(Int.random(in: -1000...1000, using: &random))
        case 3: return String(Int64(bitPattern: random.next()))
        case 4: return Double.random(in: -1e6...1e6, using: &random).description
        case 5: return Double(bitPattern: random.next() & 0xBFFF_FFFF_FFFF_FFFF | 0x1000_0000_0000_0000).description
        case 6: return "\(random.upTo(1000)).\(random.upTo(1_000_000))"
        default: return "\(random.upTo(100_000))e\(random.upTo(40) - 20)"
        }
    }

    private static let pieces = [
        "a", "b", "key", "\u{E9}", "中文", "\u{1F600}", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\ud83d\\ude00", "\\u0000", " ", "some longer plain text",
        "\u{7F}", "\\t", "\u{2028}", "\u{FFFF}",
    ]

    mutating func string() -> String { "\"" + (0..<random.upTo(5)).map { _ in random.pick(Self.pieces) }.joined() + "\"" }

    /// `text` as a JSON string, some of its letters escaped.
    mutating func quoted(_ text: String) -> String {
        let escapesAll = random.once(in: 12)
        let letters = text.unicodeScalars.map { letter -> String in
            if letter == "\"" || letter == "\\" { return "\\\(letter)" }
            if letter.value < 0x20 || escapesAll, letter.value < 0x1_0000 { return "\\u" + hex(letter.value) }
            return String(letter)
        }
        return "\"" + letters.joined() + "\""
    }

    private func hex(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...random.upTo(2) where !bytes.isEmpty {
            let place = random.upTo(bytes.count)
            switch random.upTo(5) {
            case 0: bytes.remove(at: place)
            case 1: bytes[place] = UInt8(truncatingIfNeeded: random.upTo(256))
            case 2: bytes.insert(random.pick(Array("{}[],:\"\\0e-.u".utf8)), at: place)
            case 3: bytes.removeLast(bytes.count - place)
            default: bytes[place] = random.pick(Array("{}[],:\"\\0123456789+-.eEtfnul \n".utf8))
            }
        }
        return bytes
    }
}
