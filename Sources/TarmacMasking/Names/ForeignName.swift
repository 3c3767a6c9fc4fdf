/// Names outside ASCII.
enum ForeignName {
    /// Returns a name in lower case: letters of full width as ASCII, and no invisible characters.
    static func folded(_ name: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar.value {
            case 0xFF01...0xFF5E: folded.append(Unicode.Scalar(UInt8(scalar.value - 0xFEE0)))
            case 0xAD, 0x200B...0x200F, 0x2060, 0xFEFF, 0xFE00...0xFE0F: continue
            // The sign for kelvin, which is a `k` in lower case.
            case 0x212A: folded.append("k")
            default: folded.append(scalar)
            }
        }
        return String(folded)
    }

    static func rule(for name: String) -> SecretRule? {
        let lowered = Array(name.lowercased().utf8)
        return NameVocabulary.foreign.first { contains(lowered, Array($0.stem.utf8)) }?.rule
    }

    private static func contains(_ text: [UInt8], _ stem: [UInt8]) -> Bool {
        guard text.count >= stem.count else { return false }
        return (0...text.count - stem.count).contains { start in text[start...].starts(with: stem) }
    }
}
