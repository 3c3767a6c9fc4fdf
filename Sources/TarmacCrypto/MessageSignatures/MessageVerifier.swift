#if Crypto
import HTTPTypes
public import TarmacCore
public import TarmacSigning

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Verifies the signatures of responses by RFC 9421, with `hmac-sha256` or `ed25519`.
///
/// ```swift
/// options.verification = .verifier(MessageVerifier([.ed25519("server-1", pem: pem)]))
/// ```
/// A response is accepted if all of these hold:
/// - A signature of a known key covers the status; the digest of the body, if there is one or a Content-Digest says so;
///   Location, Content-Type, Content-Encoding and Content-Range if present; the request it answers
///   (``ResponseBinding/request``); and any other required components.
/// - The digest matches, and the signature is fresh.
/// - It is not a replay: it covers a signature of this request with a nonce, or has a nonce that was not seen before.
///
/// Create one verifier for a service, not one for each call, because it remembers the nonces.
public struct MessageVerifier: ResponseVerifier {
    private let keys: [String: [VerificationKey]]
    private let policy: SignaturePolicy
    private let replays: ReplayGuard
    private let kinds: [String: StructuredKind]

    /// - Parameters:
    ///   - keys: The keys; a response with another key throws `.unknownKey`. Keys with the same id are all tried.
    ///   - binding: The required link between response and request. Default: ``ResponseBinding/request``.
    ///   - required: The components that must be covered besides `@status` and the body's digest. Default: none.
    ///   - label: The label of the signature to verify. Default: any of a known key. Signatures of other keys are
    ///     ignored. Of several known keys one must be valid. Two signatures of one key are refused unless label or tag
    ///     tells them apart.
    ///   - tag: The required purpose of the signature. Default: any.
    ///   - freshness: The largest age of a signature. Default: 5 minutes, and 1 minute of clock skew.
    ///   - capacity: The number of responses to remember. Default: 16,384. Beyond it the oldest are forgotten, and
    ///     responses as old as those are refused.
    ///   - unsignedFields: The fields among Location, Content-Type, Content-Encoding and Content-Range, in lower case,
    ///     that the signature need not cover. An intermediary can then change the target of a redirect, or how a body
    ///     is read. Default: none.
    ///   - kinds: The kinds of structured fields that are covered with `sf` and not registered.
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

    /// Returns the request, with a Content-Digest if it has a body, which the server's signature must cover.
    ///
    /// Throws `TarmacError(.unsupported)` for a file or a stream without that field.
    public func prepare(_ request: Request) throws(TarmacError) -> Request {
        try policy.freshness.checkSetting(capacity: replays.capacity)
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
        // Keys with one id may have different algorithms; the signature names its own.
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

    /// Returns the signatures to verify, at least one, with the keys that each may use.
    private func chosen(_ received: [SignatureFields.Received]) throws(TarmacError) -> [(SignatureFields.Received, [VerificationKey])] {
        let wanted = received.filter { policy.wants($0.label, $0.input) }
        guard let first = wanted.first else { throw .unsigned("no signature has the label or tag that is wanted") }
        var chosen = wanted.filter { $0.input.keyID != nil }
        // A signature without an id is only used if none names a known key.
        if !chosen.contains(where: { keys($0.input.keyID) != nil }) { chosen = wanted.filter { $0.input.keyID == nil } }
        let ours = chosen.compactMap { signature in keys(signature.input.keyID).map { (signature, $0) } }
        if ours.isEmpty { throw .unknownSigner(first.input.keyID ?? "") }
        guard Set(ours.map { $0.1[0].id }).count == ours.count else {
            throw .badSignature("two are of the same key", suggestion: "say which of them is meant with the verifier's label or tag")
        }
        return ours
    }

    private func keys(_ id: String?) -> [VerificationKey]? {
        // §2.3: keyid is optional; without it, the only key must be meant.
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

extension MessageVerifier: MaskedReflectable {
    /// The ids and algorithms of the keys.
    public var description: String { "MessageVerifier, keys \(keys.values.joined().map(\.description).sorted().joined(separator: ", "))" }
}
#endif
