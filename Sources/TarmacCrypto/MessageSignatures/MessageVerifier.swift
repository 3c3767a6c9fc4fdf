#if Crypto
import HTTPTypes
public import TarmacCore
public import TarmacSigning

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
/// A response is accepted when a signature of a known key covers the status, the digest of the body where there is one or a
/// Content-Digest says that there was, Location, Content-Type, Content-Encoding and Content-Range where it has them, what says which
/// request it answers (``ResponseBinding/request``), and whatever is required besides; when the digest fits; when the signature is
/// fresh; and when it cannot be a replay: it covers the signature of this very request, made with a nonce, or carries a nonce that
/// was not seen before. Make one verifier for a service, not one for each call, since it remembers the nonces.
public struct MessageVerifier: ResponseVerifier {
    private let keys: [String: [VerificationKey]]
    private let policy: SignaturePolicy
    private let replays: ReplayGuard
    private let kinds: [String: StructuredKind]

    /// - Parameters:
    ///   - keys: the keys; a response that names another is `.unknownKey`. Those that share an id are all tried.
    ///   - binding: how a response has to be tied to its request. Default ``ResponseBinding/request``.
    ///   - required: what has to be covered besides `@status` and the body's digest. Default: nothing.
    ///   - label: the label of the signature to look at. Default: any of a known key. Signatures of others stand beside it
    ///     unseen; of several known keys one has to hold; two of one key are refused, unless label or tag tells them apart.
    ///   - tag: what the signature has to be for. Default: anything.
    ///   - freshness: how old a signature may be. Default: 5 minutes and 1 minute of clock skew.
    ///   - capacity: how many responses are remembered. Default 16 384. Beyond it the oldest are forgotten, and what is as
    ///     old as they are is refused.
    ///   - unsignedFields: which of Location, Content-Type, Content-Encoding and Content-Range a response may have without the
    ///     signature covering them, in lower case. Whoever is between client and server can then say where a redirect
    ///     leads, or how a body is read. Default: none.
    ///   - kinds: the kinds of the structured fields that are covered with `sf` and not registered.
    public init(
        _ keys: [VerificationKey], binding: ResponseBinding = .request, required: [MessageComponent] = [], label: String? = nil,
        tag: String? = nil, freshness: FreshnessWindow = FreshnessWindow(), capacity: Int = 16_384,
        unsignedFields: Set<String> = [], kinds: [String: StructuredKind] = [:]
    ) {
        self.keys = Dictionary(grouping: keys, by: \.id)
        policy = SignaturePolicy(binding: binding, required: required, label: label, tag: tag, unsignedFields: unsignedFields, freshness: freshness)
        replays = ReplayGuard(freshness, capacity: capacity)
        self.kinds = kinds
    }

    /// The request with a Content-Digest, which the server's signature has to cover, if it has a body.
    ///
    /// Throws `TarmacError(.unsupported)` for a file or a stream without that field.
    public func prepare(_ request: Request) throws(TarmacError) -> Request {
        if policy.binding == .insecureAnyRequest { return request }
        if request.body.buffered == nil, request.headers[ContentDigest.name] == nil { throw .unboundBody(request) }
        var request = request
        if request.body.buffered?.isEmpty == false { ContentDigest.sha256.describe(&request) }
        return request
    }

    public func verify(_ response: Response, to request: Request, at date: Date) throws(TarmacError) {
        var first: TarmacError?
        for (signature, keys) in try chosen(try SignatureFields.received(response.headers)) {
            do throws(TarmacError) {
                return try verify(signature, of: keys, response, to: request, now: date.unixSeconds)
            } catch {
                first = first ?? error
            }
        }
        if let first { throw first }
    }

    private func verify(
        _ signature: SignatureFields.Received, of keys: [VerificationKey], _ response: Response, to request: Request, now: Int64
    ) throws(TarmacError) {
        if let fault = signature.fault { throw .badSignature(fault) }
        let body = response.body.collected ?? .empty
        let ties = RequestTies(signature.input, to: request)
        // Keys of one id may be of several algorithms: the signature names its own.
        let fitting = keys.filter { $0.algorithm == signature.input.algorithm ?? $0.algorithm }
        let present = SignaturePolicy.steeringFields.filter { HTTPField.Name($0).map(response.headers.contains) == true }
        let hasBody = !body.isEmpty || response.headers.contains(ContentDigest.name) && !response.isBodiless(to: request)
        try policy.check(signature.input, algorithm: (fitting.first ?? keys[0]).algorithm, hasBody: hasBody, present: present)
        try policy.check(ties)
        try check(signature, with: fitting, of: response, to: request)
        try checkDigest(body, response, to: request, signature.input)
        let created = try policy.checkTime(signature.input, now: now)
        if ties.isToRequest { return }
        guard let nonce = signature.input.nonce else {
            throw .badSignature(
                "it could be a replay", suggestion: "have the server add a nonce, or cover \"signature\";req of a request signed with one")
        }
        try replays.admit(Array("\(keys[0].id)\n\(nonce)".utf8), created: created, now: now)
    }

    /// The signatures to look at, and the keys each may be of; there is at least one.
    private func chosen(_ received: [SignatureFields.Received]) throws(TarmacError) -> [(SignatureFields.Received, [VerificationKey])] {
        let wanted = received.filter { policy.wants($0.label, $0.input) }
        guard let first = wanted.first else { throw .unsigned("no signature has the label or tag that is wanted") }
        var chosen = wanted.filter { $0.input.keyID != nil }
        // One without an id is looked at where none names a key of ours: it may be anybody's.
        if !chosen.contains(where: { keys($0.input.keyID) != nil }) { chosen = wanted.filter { $0.input.keyID == nil } }
        let ours = chosen.compactMap { signature in keys(signature.input.keyID).map { (signature, $0) } }
        if ours.isEmpty { throw .unknownSigner(first.input.keyID ?? "") }
        guard Set(ours.map { $0.1[0].id }).count == ours.count else {
            throw .badSignature("two are of the same key", suggestion: "say which of them is meant with the verifier's label or tag")
        }
        return ours
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
        if body.isEmpty, response.isBodiless(to: request) { return }
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
