/// What stands before the root element (XML 1.0 §2.8).
enum XMLProlog {
    /// The text behind the XML declaration, whose encoding is that of the bytes and no longer of the text.
    static func withoutDeclaration(_ text: String) -> Substring {
        guard text.hasPrefix("<?xml"), let end = text.firstRange(of: "?>") else { return text[...] }
        return text[end.upperBound...]
    }

    /// Whether a document type declaration declares something: entities made of entities grow without bound, and those of
    /// files and URLs read what they should not. A declaration that only names a type is harmless: nothing is loaded.
    static func declaresTypes(_ text: Substring) -> Bool {
        var rest = text
        while let start = rest.firstIndex(of: "<") {
            rest = rest[start...]
            if rest.hasPrefix("<!--") { rest = behind("-->", of: rest) } else if rest.hasPrefix("<?") { rest = behind("?>", of: rest) } else { break }
        }
        return rest.hasPrefix("<!DOCTYPE") && hasSubset(rest)
    }

    private static func hasSubset(_ declaration: Substring) -> Bool {
        var quote: Character?
        for character in declaration {
            if let open = quote {
                if character == open { quote = nil }
                continue
            }
            switch character {
            case "\"", "'": quote = character
            case "[": return true
            case ">": return false
            default: break
            }
        }
        return false
    }

    private static func behind(_ end: String, of text: Substring) -> Substring {
        text.firstRange(of: end).map { text[$0.upperBound...] } ?? text[text.endIndex...]
    }
}
