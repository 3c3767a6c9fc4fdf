/// The character encodings that Tarmac distinguishes.
enum CharacterEncoding: Hashable, Sendable {
    enum ByteOrder: Sendable { case little, big }

    case utf8
    case utf16(ByteOrder)
    case utf32(ByteOrder)
    /// The superset of Latin-1, which is also used for US-ASCII and ISO-8859-1.
    case windows1252
    /// An encoding that the library of the platform converts, by its name in the WHATWG Encoding Standard.
    case legacy(String)

    /// Makes the encoding that a `charset` parameter names (WHATWG Encoding §4.2, and UTF-32). `nil` if the
    /// name is unknown.
    init?(label: String) {
        let label = label.trimmed.lowercased()
        guard let encoding = Self.unicodeLabels[label] ?? CharsetLabels.legacyName(of: label).map(Self.named) else { return nil }
        self = encoding
    }

    /// Whether bytes below 0x80 always mean ASCII where they are alone, so that pure ASCII needs no conversion.
    var includesASCII: Bool {
        switch self {
        case .utf8, .windows1252: true
        case .utf16, .utf32: false
        case .legacy(let name): name != "iso-2022-jp"
        }
    }

    private static func named(_ name: String) -> CharacterEncoding {
        name == "windows-1252" ? .windows1252 : .legacy(name)
    }

    private static let unicodeLabels: [String: CharacterEncoding] = [
        "utf-8": .utf8, "utf8": .utf8, "unicode-1-1-utf-8": .utf8, "unicode11utf8": .utf8, "unicode20utf8": .utf8,
        "x-unicode20utf8": .utf8,
        // The Standard treats utf-16 without a byte order as little-endian, because that is common.
        "utf-16": .utf16(.little), "utf-16le": .utf16(.little), "utf-16be": .utf16(.big), "ucs-2": .utf16(.little),
        "iso-10646-ucs-2": .utf16(.little), "unicode": .utf16(.little), "unicodefeff": .utf16(.little),
        "unicodefffe": .utf16(.big), "csunicode": .utf16(.little),
        // These labels are not in the Standard. Without a mark, the byte order is that of Unicode.
        "utf-32": .utf32(.big), "utf-32le": .utf32(.little), "utf-32be": .utf32(.big),
    ]
}

extension CharacterEncoding {
    /// Returns the encoding of a byte order mark at the beginning, and the length of the mark.
    static func sniff(_ bytes: UnsafeRawBufferPointer) -> (encoding: CharacterEncoding, length: Int)? {
        guard let first = bytes.first, first == 0 || first >= 0xEF else { return nil }
        // The mark of little-endian UTF-32 begins like that of UTF-16, so it comes first.
        return marks.first { bytes.starts(with: $0.mark) }.map { ($0.encoding, $0.mark.count) }
    }

    private static let marks: [(mark: [UInt8], encoding: CharacterEncoding)] = [
        ([0xEF, 0xBB, 0xBF], .utf8), ([0xFF, 0xFE, 0, 0], .utf32(.little)), ([0, 0, 0xFE, 0xFF], .utf32(.big)),
        ([0xFF, 0xFE], .utf16(.little)), ([0xFE, 0xFF], .utf16(.big)),
    ]
}
