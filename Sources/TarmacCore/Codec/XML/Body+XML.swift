extension Body {
    /// XML text as `application/xml; charset=utf-8`; it is sent as it is.
    ///
    /// ```swift
    /// func body() throws -> Body? { .xml("<order id=\"7\"><note>\(Body.xmlEscaped(note))</note></order>") }
    /// ```
    public static func xml(_ text: String) -> Body { .text(text, contentType: "application/xml; charset=utf-8") }

    /// Text as it may stand in an element or an attribute (XML 1.0 §2.4). What XML has no way to write, control characters
    /// other than tab and line ends, becomes U+FFFD.
    public static func xmlEscaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&apos;"
            // Written plainly, it would be read as a line feed.
            case "\r": result += "&#13;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
