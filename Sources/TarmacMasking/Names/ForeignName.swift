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
        var lowered = name.lowercased()
        return lowered.withUTF8 { text in
            for start in text.indices {
                for (rule, stem) in stems[Int(text[start])] where text[start...].starts(with: stem) { return rule }
            }
            return nil
        }
    }

    /// The stems by first byte.
    private static let stems: [[(rule: SecretRule, stem: [UInt8])]] = {
        var stems = [[(rule: SecretRule, stem: [UInt8])]](repeating: [], count: 256)
        for (rule, stem) in NameVocabulary.foreign {
            let bytes = Array(stem.utf8)
            stems[Int(bytes[0])].append((rule, bytes))
        }
        return stems
    }()
}
