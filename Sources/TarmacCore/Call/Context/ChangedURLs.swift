package import HTTPTypes

/// The URLs that a successful request may have changed (RFC 9111 §4.4).
package enum ChangedURLs {
    /// Returns the URLs whose stored responses become invalid after the success of a request that is not known to be
    /// safe: its own, and those that the response names on the same origin.
    package static func of(method: HTTPRequest.Method, url: HTTPURL, status: HTTPResponse.Status, headers: HTTPFields) -> [String] {
        guard !isSafe(method), (200..<400).contains(status.code) else { return [] }
        var urls = [url.string]
        for name in [HTTPField.Name.location, .contentLocation] {
            for value in headers[values: name] {
                guard let other = try? url.resolving(value), other.origin == url.origin, !urls.contains(other.string) else { continue }
                urls.append(other.string)
            }
        }
        return urls
    }

    /// Whether a method is safe. An unknown method may change anything.
    package static func isSafe(_ method: HTTPRequest.Method) -> Bool {
        method == .get || method == .head || method == .options || method == .trace || method == .safeWithBody
    }
}

extension HTTPRequest.Method {
    /// The method QUERY, which is safe and has a body (draft-ietf-httpbis-safe-method-w-body).
    package static let safeWithBody = HTTPRequest.Method("QUERY") ?? .get
}
