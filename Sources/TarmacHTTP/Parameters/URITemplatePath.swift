/// Prevents values from adding `.` and `..` segments to a path. Readers of a URL remove such segments (RFC 3986
/// §5.2.4).
enum URITemplatePath {
    /// The bytes of an expansion that a variable produced.
    struct Span {
        let start: Int
        let end: Int
        let name: String

        // An empty value counts at its position: it turns "/.{x}." into "..".
        func touches(_ segment: Range<Int>) -> Bool {
            start == end
                ? start >= segment.lowerBound && start <= segment.upperBound
                : start < segment.upperBound && end > segment.lowerBound
        }
    }

    /// Whether what a variable appended at `start` may be a part of a dot segment. Most values cannot.
    static func mayMakeDots(_ bytes: [UInt8], from start: Int) -> Bool {
        if start == bytes.count { return true }
        for index in start..<bytes.count where bytes[index] == UInt8(ascii: ".") || bytes[index] == UInt8(ascii: "%") { return true }
        return false
    }

    /// Throws if a dot segment of the path holds a byte of a value. Dot segments that the template itself
    /// contains are allowed.
    static func refuseDotSegments(
        in bytes: [UInt8], produced: [Span], template: URITemplate
    ) throws(TarmacError) {
        guard !produced.isEmpty else { return }
        // For a whole URL, the loop starts with the authority, which is never a dot segment.
        var start = 0
        var index = 0
        while start < bytes.count {
            let isOver = index == bytes.count || isPathEnd(bytes[index])
            if isOver || bytes[index] == UInt8(ascii: "/") {
                if isDotSegment(bytes[start..<index]), let span = produced.first(where: { $0.touches(start..<index) }) {
                    throw dotSegment(span.name, template)
                }
                if isOver { return }
                start = index + 1
            }
            index += 1
        }
    }

    private static func isPathEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") }

    /// Whether a segment is one or two dots, plain or as `%2E`. The text after a semicolon is a parameter,
    /// which some servers remove first.
    private static func isDotSegment(_ segment: ArraySlice<UInt8>) -> Bool {
        var rest = segment.prefix { $0 != UInt8(ascii: ";") }
        var dots = 0
        while let byte = rest.first {
            if byte == UInt8(ascii: ".") {
                rest = rest.dropFirst()
            } else if rest.starts(with: "%2e".utf8) || rest.starts(with: "%2E".utf8) {
                rest = rest.dropFirst(3)
            } else {
                return false
            }
            dots += 1
            if dots > 2 { return false }
        }
        return dots > 0
    }

    private static func dotSegment(_ name: String, _ template: URITemplate) -> TarmacError {
        TarmacError(
            .invalidParameter,
            "the value of \"\(name)\" would put a dot segment into the path of the template \"\(template)\"", path: name)
    }
}
