import HTTPTypes
import TarmacCore

/// Refuses requests that `URLSession` would change or drop, before anything is sent.
enum RequestRefusal {
    static func check(_ request: Request, takesIPv6Addresses: Bool = Platform.takesIPv6Addresses) -> TarmacError? {
        if request.url.host.hasPrefix("["), !takesIPv6Addresses {
            return .unsupported("host \(request.url.host)", "takes no IPv6 address in a URL on this platform")
        }
        return checkMethod(request) ?? checkFields(request.headers)
    }

    private static func checkMethod(_ request: Request) -> TarmacError? {
        let method = request.method.rawValue
        if standardMethods.contains(method.uppercased()), !standardMethods.contains(method) {
            return .unsupported("method", "sends \(method) as \(method.uppercased())")
        }
        if method == "CONNECT" { return .unsupported("method", "cannot send CONNECT") }
        if !request.body.isNone, method == "GET" || method == "HEAD" {
            return .unsupported("body", "sends no body with \(method)")
        }
        return nil
    }

    private static func checkFields(_ fields: HTTPFields) -> TarmacError? {
        let owned = fields.first { ownedFields.contains($0.name.canonicalName) }
        return owned.map { .unsupported("header \($0.name.rawName)", "sets this field itself") }
    }

    private static let standardMethods: Set<String> = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT"]
    private static let ownedFields: Set<String> = ["host", "content-length", "transfer-encoding", "connection"]
}
