/// A message of a server in the form in which an app may show it to its user.
package enum ServerSentence {
    /// The largest number of characters.
    package static let limit = 500

    /// Returns the message in one line, or `nil` if it is blank or markup.
    ///
    /// Control characters become spaces. Marks that reverse the direction of text are left out, because they can make a
    /// text read as another. A longer message ends with an ellipsis.
    package static func of(_ text: String) -> String? {
        // A character may consist of any number of scalars.
        let bounded = text.unicodeScalars.prefix(limit * 2)
        if isMarkup(bounded) { return nil }
        var scalars = String.UnicodeScalarView()
        for scalar in bounded where !reverses(scalar) {
            let isSpace = scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
            if isSpace, scalars.last == " " || scalars.isEmpty { continue }
            scalars.append(isSpace ? " " : scalar)
        }
        if scalars.last == " " { scalars.removeLast() }
        if scalars.isEmpty { return nil }
        let line = String(scalars)
        let isWhole = bounded.endIndex == text.unicodeScalars.endIndex && line.count <= limit
        return isWhole ? line : line.prefix(limit - 1) + "…"
    }

    /// Whether a text has an HTML tag, a comment or a declaration (WHATWG HTML §13.2.5.6).
    private static func isMarkup(_ text: Substring.UnicodeScalarView) -> Bool {
        var previous: Unicode.Scalar?
        for scalar in text {
            if previous == "<", scalar == "/" || scalar == "!" || scalar == "?" || scalar.isASCII && scalar.properties.isAlphabetic { return true }
            previous = scalar
        }
        return false
    }

    /// Whether a scalar embeds, overrides or isolates a direction (UAX #9 §2), or is a byte order mark.
    private static func reverses(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}
