/// A text with its escapes decoded once: percent-encoding, escapes of JSON, and entities of HTML and XML (pure).
///
/// One text may have escapes of several kinds. Decoded text is compared, and never shown.
struct DecodedText {
    /// The number of times that a text is decoded.
    static let deepest = 5

    private(set) var bytes: [UInt8] = []
    /// The place in the source at which each byte starts, and the end of the source.
    private var places: [Int32] = []

    /// Decodes a text; nil if it has no escape.
    init?(_ text: UnsafeBufferPointer<UInt8>) {
        guard text.count < Int32.max, text.contains(where: { $0 == 0x25 || $0 == 0x5C || $0 == 0x26 }) else { return nil }
        decode(TextBytes(bytes: text)) { Int32($0) }
        if bytes.count == text.count { return nil }
    }

    private init() {}

    /// The text with its escapes decoded once more; nil if there are none.
    var decoded: DecodedText? {
        var next = DecodedText()
        bytes.withUnsafeBufferPointer { text in next.decode(TextBytes(bytes: text)) { places[$0] } }
        return next.bytes.count == bytes.count ? nil : next
    }

    /// Returns the range of the source that a range of the bytes stands for.
    func source(_ range: Range<Int>) -> Range<Int> { Int(places[range.lowerBound])..<Int(places[range.upperBound]) }

    private mutating func decode(_ text: TextBytes, _ source: (Int) -> Int32) {
        bytes.reserveCapacity(text.count)
        places.reserveCapacity(text.count + 1)
        var place = 0
        while place < text.count {
            if let (scalar, length) = Self.escape(text, place) {
                // A percent-encoded byte may be a part of a character.
                if text[place] == UInt8(ascii: "%") {
                    append(UInt8(truncatingIfNeeded: scalar), source(place))
                } else {
                    for byte in String(Unicode.Scalar(scalar) ?? "?").utf8 { append(byte, source(place)) }
                }
                place += length
            } else {
                append(text[place], source(place))
                place += 1
            }
        }
        places.append(source(text.count))
    }

    private mutating func append(_ byte: UInt8, _ place: Int32) {
        bytes.append(byte)
        places.append(place)
    }

    // MARK: Escapes

    private static func escape(_ text: TextBytes, _ place: Int) -> (scalar: UInt32, length: Int)? {
        switch text[place] {
        case UInt8(ascii: "%"): number(text, place + 1, digits: 2).map { ($0, 3) }
        case UInt8(ascii: "\\"): backslash(text, place)
        case UInt8(ascii: "&"): entity(text, place)
        default: nil
        }
    }

    private static func number(_ text: TextBytes, _ start: Int, digits: Int) -> UInt32? {
        var value: UInt32 = 0
        for place in start..<start + digits {
            guard let digit = PercentDecoding.half(text[place]) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    private static func backslash(_ text: TextBytes, _ place: Int) -> (UInt32, Int)? {
        switch text[place + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "'"): return (UInt32(text[place + 1]), 2)
        case UInt8(ascii: "n"): return (0x0A, 2)
        case UInt8(ascii: "r"): return (0x0D, 2)
        case UInt8(ascii: "t"): return (0x09, 2)
        case UInt8(ascii: "x"): return number(text, place + 2, digits: 2).map { ($0, 4) }
        case UInt8(ascii: "u"):
            guard let unit = number(text, place + 2, digits: 4) else { return nil }
            guard unit & 0xFC00 == 0xD800, text.has("\\u", at: place + 6), let low = number(text, place + 8, digits: 4), low & 0xFC00 == 0xDC00 else {
                return (unit, 6)
            }
            return (0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF), 12)
        default: return nil
        }
    }

    private static let entities: [(StaticString, UInt32, Int)] = [
        ("&amp;", 0x26, 5), ("&quot;", 0x22, 6), ("&lt;", 0x3C, 4), ("&gt;", 0x3E, 4), ("&apos;", 0x27, 6), ("&nbsp;", 0x20, 6),
    ]

    private static func entity(_ text: TextBytes, _ place: Int) -> (UInt32, Int)? {
        guard text[place + 1] == UInt8(ascii: "#") else {
            return entities.first { text.has($0.0, at: place) }.map { ($0.1, $0.2) }
        }
        let isHex = text[place + 2] | 0x20 == UInt8(ascii: "x"), start = place + (isHex ? 3 : 2)
        var end = start, value: UInt32 = 0
        while end - start < 7, let digit = PercentDecoding.half(text[end]), isHex || digit < 10 {
            value = value * (isHex ? 16 : 10) + UInt32(digit)
            end += 1
        }
        return end > start && text[end] == UInt8(ascii: ";") ? (value, end + 1 - place) : nil
    }
}
