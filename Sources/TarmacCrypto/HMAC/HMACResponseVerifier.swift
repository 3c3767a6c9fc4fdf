#if Crypto
import Crypto
import HTTPTypes
public import TarmacCore
public import TarmacSigning

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies responses that are signed with HMAC-SHA256: the counterpart of ``HMACRequestSigner``, in the same header
/// fields.
///
/// The signature covers method, URL, body and nonce of the request, so that the response to one request is not valid
/// for another. Unsigned requests have no nonce. A response that arrives twice within the freshness window is then
/// still refused, because the verifier remembers responses. Create one verifier for a service, not one for each call.
public struct HMACResponseVerifier: ResponseVerifier {
    private let keys: [String: SecretKey]
    private let fields: HMACFields
    private let freshness: FreshnessWindow
    private let replays: ReplayGuard

    /// - Parameters:
    ///   - keys: The keys by their ids.
    ///   - fields: The header fields of the signature.
    ///   - freshness: The largest age of a response. Default: 5 minutes, and 1 minute of clock skew.
    ///   - capacity: The number of responses to remember. Default: 16,384. Beyond it the oldest are forgotten, and
    ///     responses as old as those are refused.
    public init(keys: [String: SecretKey], fields: HMACFields = .standard, freshness: FreshnessWindow = FreshnessWindow(), capacity: Int = 16_384) {
        self.keys = keys
        self.fields = fields
        self.freshness = freshness
        replays = ReplayGuard(freshness, capacity: capacity)
    }

    /// Returns the request unchanged.
    ///
    /// Throws `TarmacError(.unsupported)` for a body that is a file or a stream, because the signature covers its
    /// digest.
    public func prepare(_ request: Request) throws(TarmacError) -> Request {
        try freshness.checkSetting(capacity: replays.capacity)
        if request.body.buffered == nil { throw .unboundBody(request) }
        return request
    }

    public func verify(_ response: Response, to request: Request, at date: Date) throws(TarmacError) {
        if request.body.buffered == nil { throw .unboundBody(request) }
        let (mark, signature) = try mark(of: response)
        guard let secret = keys[mark.keyID] else { throw .unknownSigner(mark.keyID) }
        // Anybody can sign with an empty secret.
        guard secret.byteCount > 0 else { throw .emptyKey(mark.keyID) }
        let text = HMACText.response(response, to: request, requestNonce: request.headers[fields.nonce], mark)
        guard HMAC<SHA256>.isValidAuthenticationCode(signature, authenticating: text, using: secret.symmetric) else {
            throw .badSignature("response or signature were changed, or it answers another request")
        }
        let now = date.unixSeconds
        try freshness.check(created: mark.timestamp, expires: nil, now: now)
        try replays.admit(Array("\(mark.keyID)\n\(mark.nonce)".utf8), created: mark.timestamp, now: now)
    }

    private func mark(of response: Response) throws(TarmacError) -> (HMACText.Mark, [UInt8]) {
        let headers = response.headers
        guard let text = headers[fields.signature] else { throw .unsigned("it has no \(fields.signature.rawName) field") }
        guard let keyID = headers[fields.key], let time = headers[fields.timestamp], let nonce = headers[fields.nonce], !nonce.isEmpty else {
            throw .badSignature("one of its fields \(fields.key.rawName), \(fields.timestamp.rawName) and \(fields.nonce.rawName) is missing")
        }
        guard let timestamp = Int64(time), String(timestamp) == time else { throw .badSignature("its timestamp is no number of seconds") }
        guard let signature = [UInt8](hex: text) else { throw .badSignature("it is not hexadecimal") }
        return (HMACText.Mark(keyID: keyID, timestamp: timestamp, nonce: nonce), signature)
    }
}

extension HMACResponseVerifier {
    /// Returns the response with its signature: the server's part, for mock servers and services in Swift.
    ///
    /// Responses to HEAD, and those with the status 204 or 304, are signed without a body, and lose theirs.
    ///
    /// - Parameters:
    ///   - response: The response to sign.
    ///   - request: The request that the response answers, as received.
    ///   - keyID: The id of the key that signs, one of the verifier's.
    ///   - date: The time of the signature, sent in whole seconds.
    public func signed(_ response: Response, to request: Request, keyID: String, at date: Date) throws(TarmacError) -> Response {
        guard let secret = keys[keyID] else { throw .unknownSigner(keyID) }
        let mark = HMACText.Mark(keyID: keyID, timestamp: date.unixSeconds, nonce: NonceSource.system.text(bytes: 16))
        var signed = response.onTheWire(to: request)
        let text = HMACText.response(signed, to: request, requestNonce: request.headers[fields.nonce], mark)
        try signed.headers.set(mark, signature: HMAC<SHA256>.authenticationCode(for: text, using: secret.symmetric).hex, fields)
        return signed
    }
}

extension TarmacError {
    static func unboundBody(_ request: Request) -> TarmacError {
        TarmacError(
            .unsupported, phase: .sending, "the answer cannot be tied to its request, whose body is a \(request.body)",
            suggestion: "send the body as bytes, or set verification = .off for this call")
    }

    static func emptyKey(_ id: String) -> TarmacError {
        TarmacError(.invalidOption, phase: .sending, "the key \(ShownID.text(id)) is empty", suggestion: "make one with SecretKey.random()")
    }
}

extension HMACResponseVerifier: MaskedReflectable {
    /// The ids of the keys.
    public var description: String { "HMACResponseVerifier, keys \(keys.keys.sorted().joined(separator: ", "))" }
}
#endif
