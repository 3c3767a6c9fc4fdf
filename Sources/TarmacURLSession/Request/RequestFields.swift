import HTTPTypes
import TarmacCore

/// The header of a request as the dictionary `URLSession` takes: repeated fields joined (RFC 9110 §5.3).
enum RequestFields {
    /// - Parameter suppressed: fields the platform would add by itself, left off the wire unless the request has them.
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
        // RFC 6265 §5.4: cookies are joined by a semicolon.
        result[name] = earlier + (field.name == .cookie ? "; " : ", ") + field.value
    }

    // The spelling the suppressed fields have, so that a request's own value takes their place.
    private static func canonical(_ name: HTTPField.Name) -> String {
        spellings[name.canonicalName] ?? name.rawName
    }

    private static let spellings: [String: String] = Dictionary(
        uniqueKeysWithValues: [
            "Accept", "Accept-Encoding", "Accept-Language", "User-Agent", "Content-Type", "Expect",
        ].map { ($0.lowercased(), $0) })
}
