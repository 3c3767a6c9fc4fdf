import TarmacCore

/// The reason why a request has no response on a cassette, in words.
struct CassetteMiss {
    let asked: HAR.Request
    let left: [HAR.Request]
    let order: CassetteOrder

    var error: TarmacError {
        TarmacError(
            .unsupported, phase: .sending, "the cassette has no answer to \(asked.line): \(reason)",
            suggestion: order == .any ? "record it anew" : "record it anew, or replay it in any order")
    }

    private var reason: String {
        if left.isEmpty { return "nothing is left on it" }
        let candidates = order == .any ? left : Array(left.prefix(1))
        if let alike = candidates.first(where: { $0.line == asked.line }) {
            return "it was recorded with another body, \(Self.size(alike)) and not \(Self.size(asked))"
        }
        return (order == .any ? "left are " : "the next one is ") + Self.list(candidates.map(\.line))
    }

    /// Describes a body by its size: its content may be an unnamed secret.
    private static func size(_ request: HAR.Request) -> String {
        request.postData.map { "\($0.text?.utf8.count ?? 0) bytes of \($0.mimeType ?? "something")" } ?? "none"
    }

    /// Joins the first few lines.
    static func list(_ lines: [String]) -> String {
        lines.prefix(5).joined(separator: ", ") + (lines.count > 5 ? " and \(lines.count - 5) more" : "")
    }
}
