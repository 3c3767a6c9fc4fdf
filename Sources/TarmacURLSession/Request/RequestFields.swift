import HTTPTypes
import TarmacCore

/// Makes the dictionary of header fields for `URLSession`. Repeated fields are joined (RFC 9110 §5.3).
enum RequestFields {
    /// - Parameter suppressed: the fields that the platform would add by itself. They are not sent unless the
    ///   request has them.
    static func dictionary(for request: Request, suppressed: [String: String]) -> [String: String] {
        var result = suppressed
        for field in request.headers {
            add(field, to: &result, replacing: suppressed)
        }
        if !request.body.isNone, request.headers[.contentType] == nil, let type = request.body.contentType {
            result["Content-Type"] = type
        }
        return result
    }

    private static func add(_ field: HTTPField, to result: inout [String: String], replacing suppressed: [String: String]) {
        let name = canonical(field.name)
        guard let earlier = result[name], suppressed[name] == nil || earlier != suppressed[name] else {
            result[name] = field.value
            return
        }
        // RFC 6265 §5.4: a semicolon joins cookies.
        result[name] = earlier + (field.name == .cookie ? "; " : ", ") + field.value
    }

    // Returns the spelling of the suppressed fields, so that the value of a request replaces theirs.
    private static func canonical(_ name: HTTPField.Name) -> String {
        spellings[name.canonicalName] ?? name.rawName
    }

    private static let spellings: [String: String] = Dictionary(
        uniqueKeysWithValues: [
            "Accept", "Accept-Encoding", "Accept-Language", "User-Agent", "Content-Type", "Expect",
        ].map { ($0.lowercased(), $0) })
}
