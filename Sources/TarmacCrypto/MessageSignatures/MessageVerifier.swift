#if Crypto
import HTTPTypes
public import Tarmac

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies the signatures of responses as RFC 9421 says, with `hmac-sha256` or `ed25519`.
///
/// ```swift
/// options.verification = .verifier(MessageVerifier([.ed25519("server-1", pem: pem)]))
/// ```
/// A response is accepted when a signature of a known key covers the status, the digest of the body where there is one,
/// what says which request it answers (``ResponseBinding/request``), and whatever is required besides; when the digest
/// fits; when the signature is fresh; and when it cannot be a replay: it covers the signature of this very request, made
/// with a nonce, or carries a nonce that was not seen before. Make one verifier for a service, not one for each call, since
/// it remembers the nonces.
public struct MessageVerifier: ResponseVerifier {
    private let keys: [String: [VerificationKey]]
    private let policy: SignaturePolicy
    private let replays: ReplayGuard
    private let kinds: [String: StructuredKind]

    /// - Parameters:
    ///   - keys: the keys; a response that names another is `.unknownKey`. Those that share an id are all tried.
    ///   - binding: how a response has to be tied to its request. Default ``ResponseBinding/request``.
    ///   - required: what has to be covered besides `@status` and the body's digest. Default: nothing.
    ///   - label: the label of the signature to look at. Default: the first of a known key.
    ///   - tag: what the signature has to be for. Default: anything.
    ///   - freshness: how old a signature may be. Default: 5 minutes and 1 minute of clock skew.
    ///   - capacity: how many responses are remembered. Default 16 384. Beyond it the oldest are forgotten, and what is as
    ///     old as they are is refused.
    ///   - kinds: the kinds of the structured fields that are covered with `sf` and not registered.
    public init(
        _ keys: [VerificationKey], binding: ResponseBinding = .request, required: [MessageComponent] = [], label: String? = nil,
        tag: String? = nil, freshness: FreshnessWindow = FreshnessWindow(), capacity: Int = 16_384, kinds: [String: StructuredKind] = [:]
    ) {
        self.keys = Dictionary(grouping: keys, by: \.id)
        policy = SignaturePolicy(binding: binding, required: required, label: label, tag: tag, freshness: freshness)
        replays = ReplayGuard(freshness, capacity: capacity)
        self.kinds = kinds
    }

    public func verify(_ response: Response, to request: Request, at date: Date) throws(TarmacError) {
        let (signature, keys) = try chosen(try SignatureFields.received(response.headers))
        let body = response.body.collected ?? .empty
        let ties = RequestTies(signature.input, to: request)
        // Keys of one id may be of several algorithms: the signature names its own.
        let fitting = keys.filter { $0.algorithm == signature.input.algorithm ?? $0.algorithm }
        try policy.check(signature.input, algorithm: (fitting.first ?? keys[0]).algorithm, hasBody: !body.isEmpty)
        try policy.check(ties)
        try check(signature, with: fitting, of: response, to: request)
        try checkDigest(body, response, to: request, signature.input)
        let now = date.unixSeconds
        let created = try policy.checkTime(signature.input, now: now)
        if ties.isToRequest { return }
        guard let nonce = signature.input.nonce else {
            throw .badSignature(
                "it could be a replay", suggestion: "have the server add a nonce, or cover \"signature\";req of a request signed with one")
        }
        try replays.admit(Array("\(keys[0].id)\n\(nonce)".utf8), created: created, now: now)
    }

    /// The signature to look at, and the keys it may be of; there is at least one.
    private func chosen(_ received: [SignatureFields.Received]) throws(TarmacError) -> (SignatureFields.Received, [VerificationKey]) {
        let candidates = received.filter { policy.wants($0.label, $0.input) }
        guard let first = candidates.first else { throw .unsigned("no signature has the label or tag that is wanted") }
        for candidate in candidates {
            if let keys = keys(candidate.input.keyID) { return (candidate, keys) }
        }
        throw .unknownSigner(first.input.keyID ?? "")
    }

    private func keys(_ id: String?) -> [VerificationKey]? {
        // §2.3: keyid is optional; without it the one key there is must be meant.
        guard let id else { return keys.count == 1 ? keys.values.first : nil }
        return keys[id]
    }

    private func check(
        _ signature: SignatureFields.Received, with keys: [VerificationKey], of response: Response, to request: Request
    ) throws(TarmacError) {
        var message = SignedMessage.response(response, to: request)
        message.kinds = kinds
        let base: String
        do { base = try signature.input.base(of: message) } catch { throw .badSignature(error.text) }
        guard keys.contains(where: { $0.verifies(signature.signature, of: base) }) else {
            throw .badSignature("response or signature were changed, or it answers another request")
        }
    }

    private func checkDigest(_ body: Bytes, _ response: Response, to request: Request, _ input: SignatureInput) throws(TarmacError) {
        // RFC 9110 §6.4.1: these have no content, whatever their fields say of it.
        let isBodiless = request.method == .head || [204, 304].contains(response.status.code)
        if body.isEmpty, isBodiless { return }
        guard input.coversDigest, let text = response.headers[ContentDigest.name] else { return }
        try ContentDigest.check(body, text)
    }
}

extension MessageVerifier: CustomStringConvertible, CustomReflectable {
    /// The ids and algorithms of the keys.
    public var description: String { "MessageVerifier, keys \(keys.values.joined().map(\.description).sorted().joined(separator: ", "))" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
#endif
