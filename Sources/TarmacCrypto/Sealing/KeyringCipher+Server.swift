#if Crypto
import HTTPTypes
public import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The server's part, for mock servers and services in Swift.
extension KeyringCipher {
    /// Returns the original of a sealed request, with its id of 16 bytes, which is unique.
    ///
    /// Remember the id as long as you accept the time beside it (`t` of the field `Tarmac-Sealed`): a second request
    /// with the same id is a replay.
    ///
    /// - Throws: `TarmacError` with `.decryptionFailed` or `.unknownKey`.
    public func open(_ request: Request) throws(TarmacError) -> (request: Request, id: Bytes) {
        guard let head = try SealedHead.of(request.headers) else { throw .unopenable("it has no Tarmac-Sealed field") }
        guard let id = head.id.flatMap({ Data(base64Encoded: $0) }), id.count == SealedHead.idByteCount, head.time != nil else {
            throw .unopenable("it has no id or no time")
        }
        var opened = request
        let plain = try open(request.body.buffered, head, SealedContext.request(request, head))
        opened.body = head.seal == nil ? .bytes(plain, contentType: head.type) : .none
        opened.headers.describe(opened: head.type)
        return (opened, Bytes(id))
    }

    /// Returns the sealed response to a request. Pass the request as it was received, still sealed.
    ///
    /// The body of the response must be collected. Responses to HEAD, and those with the status 204 or 304, are sealed
    /// without a body, and lose theirs.
    ///
    /// - Throws: `TarmacError` if the request has no id, or if the response's body is a stream.
    public func seal(_ response: Response, to request: Request) throws(TarmacError) -> Response {
        guard let id = try SealedHead.of(request.headers)?.id else { throw .unopenable("the request has no id") }
        var sealed = response.onTheWire(to: request)
        guard let plain = sealed.body.collected else {
            throw TarmacError(.unsupported, phase: .sending, "a streamed body cannot be sealed", suggestion: "collect it first")
        }
        let key = keyring.current
        var head = SealedHead(key, type: response.headers[.contentType])
        let box = try AEAD(key: key).seal(plain, authenticating: SealedContext.response(response, to: request, id: id, head))
        if plain.isEmpty {
            head.seal = box
        } else {
            sealed.body = .bytes(Bytes(box))
            sealed.headers[.contentType] = SealedHead.mediaType
        }
        sealed.headers[.contentLength] = nil
        sealed.headers[SealedHead.name] = try head.text()
        return sealed
    }
}
#endif
