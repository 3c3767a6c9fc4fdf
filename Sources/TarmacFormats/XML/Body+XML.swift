public import TarmacCore

extension Body {
    /// A body of XML text, sent as `application/xml; charset=utf-8`. The text is not changed or checked.
    ///
    /// ```swift
    /// func body() throws -> Body? { .xml("<order id=\"7\"><note>\(Body.xmlEscaped(note))</note></order>") }
    /// ```
    public static func xml(_ text: String) -> Body { .text(text, contentType: "application/xml; charset=utf-8") }

    /// Escapes text for use in an element or an attribute (XML 1.0 §2.4). Characters that XML cannot express, such as
    /// control characters other than tab and line ends, become U+FFFD.
    public static func xmlEscaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&apos;"
            // A parser reads a plain carriage return as a line feed.
            case "\r": result += "&#13;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
