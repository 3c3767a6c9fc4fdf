#if Crypto
import HTTPTypes
import TarmacCore

extension Response {
    /// Whether the response has no content, whatever its fields say (RFC 9110 §6.4.1): HTTP omits the body of such a
    /// response.
    func isBodiless(to request: Request) -> Bool { request.method == .head || [204, 304].contains(status.code) }

    /// Returns the response as it is transferred for a request: a response to HEAD from a handler for GET loses its
    /// body.
    func onTheWire(to request: Request) -> Response {
        guard isBodiless(to: request) else { return self }
        var bare = self
        bare.body = .bytes(.empty)
        return bare
    }
}
#endif
