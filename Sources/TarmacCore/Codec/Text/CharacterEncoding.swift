/// How characters are written as bytes, as far as Tarmac tells encodings apart.
enum CharacterEncoding: Hashable, Sendable {
    enum ByteOrder: Sendable { case little, big }

    case utf8
    case utf16(ByteOrder)
    case utf32(ByteOrder)
    /// Latin-1's superset, which stands in for US-ASCII and ISO-8859-1 too.
    case windows1252
    /// One that the platform's own library converts, by its name in the WHATWG Encoding Standard.
    case legacy(String)

    /// The encoding that a `charset` parameter names (WHATWG Encoding §4.2, and UTF-32); `nil` when nobody knows it.
    init?(label: String) {
        let label = label.trimmed.lowercased()
        guard let encoding = Self.unicodeLabels[label] ?? CharsetLabels.legacyName(of: label).map(Self.named) else { return nil }
        self = encoding
    }

    /// Whether bytes below 0x80 mean ASCII wherever they stand alone, so that pure ASCII needs no conversion.
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
        // The Standard reads a bare utf-16 as little-endian, because that is what is out there.
        "utf-16": .utf16(.little), "utf-16le": .utf16(.little), "utf-16be": .utf16(.big), "ucs-2": .utf16(.little),
        "iso-10646-ucs-2": .utf16(.little), "unicode": .utf16(.little), "unicodefeff": .utf16(.little),
        "unicodefffe": .utf16(.big), "csunicode": .utf16(.little),
        // Not in the Standard; the byte order without a mark is Unicode's.
        "utf-32": .utf32(.big), "utf-32le": .utf32(.little), "utf-32be": .utf32(.big),
    ]
}

extension CharacterEncoding {
    /// The encoding that a byte order mark at the beginning announces, and the mark's length.
    static func sniff(_ bytes: UnsafeRawBufferPointer) -> (encoding: CharacterEncoding, length: Int)? {
        guard let first = bytes.first, first == 0 || first >= 0xEF else { return nil }
        // UTF-32 in little-endian order begins like UTF-16, so it comes first.
        return marks.first { bytes.starts(with: $0.mark) }.map { ($0.encoding, $0.mark.count) }
    }

    private static let marks: [(mark: [UInt8], encoding: CharacterEncoding)] = [
        ([0xEF, 0xBB, 0xBF], .utf8), ([0xFF, 0xFE, 0, 0], .utf32(.little)), ([0, 0, 0xFE, 0xFF], .utf32(.big)),
        ([0xFF, 0xFE], .utf16(.little)), ([0xFE, 0xFF], .utf16(.big)),
    ]
}
