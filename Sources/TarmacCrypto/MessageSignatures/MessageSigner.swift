#if Crypto
import HTTPTypes
import RawStructuredFieldValues
public import TarmacCore
public import TarmacSigning

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Signs requests by RFC 9421, with `hmac-sha256` or `ed25519`.
///
/// ```swift
/// options.signing = .signer(MessageSigner(.ed25519("app-1", pem: pem)) { $0.tag = "shop" })
/// ```
/// Each signature has the time, a new nonce, the key's id and the algorithm. A covered component that is missing is an
/// error before anything is sent, except one that describes the body of a request without a body.
public struct MessageSigner: RequestSigner {
    private let key: SignatureKey
    private let nonces: NonceSource

    /// The covered components. Default: ``Swift/Array/standardRequest``.
    public var components: [MessageComponent] = .standardRequest
    /// The name of the signature in the fields Signature-Input and Signature. Default: `sig1`.
    public var label = "sig1"
    /// The time for which the signature is valid (`expires`). Default: no such parameter. A lifetime that is not positive is refused
    /// when a request is signed.
    public var lifetime: Duration?
    /// The purpose of the signature (`tag`). Default: no such parameter.
    public var tag: String?
    /// Whether the algorithm is named (`alg`). Default: `true`.
    public var namesAlgorithm = true
    /// Whether a nonce is added (`nonce`). Default: `true`. A response can only be bound to its request with it.
    public var hasNonce = true
    /// The algorithm of the body's digest, which is added if `content-digest` is covered. Default: SHA-256.
    public var digest = ContentDigest.sha256
    /// The kinds of structured fields that are covered with `sf` and not registered. Default: none.
    public var kinds: [String: StructuredKind] = [:]

    public init(_ key: SignatureKey, configure: (inout MessageSigner) -> Void = { _ in }) {
        self.init(key, nonces: .system, configure: configure)
    }

    package init(_ key: SignatureKey, nonces: NonceSource, configure: (inout MessageSigner) -> Void = { _ in }) {
        self.key = key
        self.nonces = nonces
        configure(&self)
    }

    public func sign(_ request: Request, at date: Date) throws(TarmacError) -> Request {
        if let lifetime, lifetime <= .zero { throw TarmacError(.invalidOption, phase: .sending, "a signature cannot be valid for \(lifetime)") }
        var signed = request
        if components.contains(where: { $0.name == MessageComponent.contentDigest.name && !$0.isOfRequest }) { digest.describe(&signed) }
        let covered = components.filter { !$0.describesBody || !signed.body.isNone || signed.headers.contains($0.name) }
        let input = SignatureInput(covered, parameters: parameters(date))
        let base: String
        do { base = try input.base(of: message(signed)) } catch {
            throw TarmacError(.invalidOption, phase: .sending, "the request cannot be signed: \(error.text)", suggestion: "cover what every request has")
        }
        try SignatureFields.add(input, signature: try key.signature(of: base), label: label, to: &signed.headers)
        return signed
    }

    func sign(_ response: Response, covering components: [MessageComponent], to request: Request, at date: Date) throws(TarmacError) -> Response {
        var message = SignedMessage.response(response, to: request)
        message.kinds = kinds
        let input = SignatureInput(components, parameters: parameters(date))
        var signed = response
        do {
            let base = try input.base(of: message)
            try SignatureFields.add(input, signature: try key.signature(of: base), label: label, to: &signed.headers)
        } catch let error as ComponentFault {
            throw TarmacError(.invalidOption, phase: .sending, "the response cannot be signed: \(error.text)")
        } catch {
            throw error as? TarmacError ?? TarmacError(.callerFailed, phase: .sending, "the response cannot be signed", cause: error)
        }
        return signed
    }

    private func message(_ request: Request) -> SignedMessage {
        var message = SignedMessage.request(request)
        message.kinds = kinds
        return message
    }

    private func parameters(_ date: Date) -> StructuredField.Parameters {
        var parameters: StructuredField.Parameters = ["created": .integer(date.unixSeconds)]
        if let lifetime { parameters["expires"] = .integer(expiry(lifetime, from: date)) }
        parameters["keyid"] = .string(key.id)
        if hasNonce { parameters["nonce"] = .string(nonces.text(bytes: 16)) }
        if namesAlgorithm { parameters["alg"] = .string(key.algorithm) }
        if let tag { parameters["tag"] = .string(tag) }
        return parameters
    }

    /// RFC 9651 §3.3.1: an integer has at most 15 digits, which here means forever.
    private func expiry(_ lifetime: Duration, from date: Date) -> Int64 {
        let latest: Int64 = 999_999_999_999_999, longest = Duration.seconds(latest)
        let seconds = min(max(lifetime, .zero - longest), longest).components.seconds
        return min(max(date.unixSeconds + seconds, -latest), latest)
    }
}

extension HTTPFields {
    fileprivate func contains(_ name: String) -> Bool { HTTPField.Name(name).map { contains($0) } ?? false }
}

extension MessageSigner: MaskedReflectable {
    /// The key's id and algorithm.
    public var description: String { "MessageSigner, key \(key)" }
}
#endif
