package import HTTPTypes

/// The pause that a server requests (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// Returns the requested pause, or `nil` if the field is absent or cannot be read. A date in the past
    /// requests no pause.
    ///
    /// A date is compared with the date of the response if it has one, because clocks differ.
    ///
    /// - Parameter now: the client's date in seconds since 1970.
    package static func duration(_ headers: HTTPFields, now: Double) -> Duration? {
        guard let text = headers[values: .retryAfter].first?.trimmed else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            // A number with too many digits counts as the maximum.
            return .seconds(min(Int64(text) ?? .max, century))
        }
        let year = HTTPDate.year(ofSecondsSince1970: now)
        guard let then = HTTPDate.seconds(text, currentYear: year) else { return nil }
        let server = headers[values: .date].first.flatMap { HTTPDate.seconds($0, currentYear: year) }.map(Double.init)
        let span = Double(then) - (server ?? now)
        // False for NaN, which a clock of the app may show.
        return .seconds(span > 0 ? min(span, Double(century)) : 0)
    }

    private static let century: Int64 = 36_525 * 86_400
}

extension StringProtocol {
    /// The text without the optional whitespace around it (RFC 9110 §5.6.3).
    var trimmed: String { String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed()) }
}
