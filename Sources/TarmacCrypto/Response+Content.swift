#if Crypto
import HTTPTypes
import TarmacCore

extension Response {
    /// Whether it has no content, whatever its fields say of it (RFC 9110 §6.4.1): HTTP leaves the body of such a response
    /// away.
    func isBodiless(to request: Request) -> Bool { request.method == .head || [204, 304].contains(status.code) }

    /// As it goes on the wire in answer to a request: an answer to HEAD that a handler for GET has made loses its body.
    func onTheWire(to request: Request) -> Response {
        guard isBodiless(to: request) else { return self }
        var bare = self
        bare.body = .bytes(.empty)
        return bare
    }
}
#endif
