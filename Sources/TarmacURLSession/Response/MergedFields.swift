package import HTTPTypes
package import TarmacCore

/// Converts the header dictionary of `URLSession` to fields (RFC 9110 §5.3).
///
/// Repeated fields arrive joined by a comma and a space. That has the same meaning for every field but
/// Set-Cookie (RFC 6265 §3), which ``MergedCookies`` separates. White space around a value is not a part of
/// it (RFC 9110 §5.5).
package enum MergedFields {
    /// Returns the fields of a header. Fields whose name is not a token are omitted.
    ///
    /// - Throws: `TarmacError(.headersTooLarge)`.
    package static func fields(from pairs: some Sequence<(name: String, value: String)>) throws(TarmacError) -> HTTPFields {
        var fields = HTTPFields()
        for (text, value) in pairs {
            guard let name = HTTPField.Name(text) else { continue }
            for value in values(of: name, merged: value) {
                try fields.add(HTTPField(name: name, value: value.trimmed))
            }
        }
        return fields
    }

    private static func values(of name: HTTPField.Name, merged value: String) -> [String] {
        switch name {
        case .setCookie: MergedCookies.values(in: value)
        case .contentLength: contentLengths(in: value)
        default: [value]
        }
    }

    // RFC 9110 §8.6: a length that is repeated with the same value counts once. The caller refuses different
    // values.
    private static func contentLengths(in merged: String) -> [String] {
        guard merged.utf8.contains(UInt8(ascii: ",")) else { return [merged] }
        let values = merged.split(separator: ",").map(\.trimmed)
        return Set(values).count == 1 ? [values[0]] : [merged]
    }
}
