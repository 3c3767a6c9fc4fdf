#if Crypto
import HTTPTypes
import TarmacCore

/// How the signature of a response has to be tied to the request it answers (RFC 9421 §2.4).
public enum ResponseBinding: Sendable, Hashable {
    /// It covers the request's method, authority, path and query (`@target-uri` and `@request-target` count for what is in
    /// them), and its Content-Digest if it has a body; or the signature of the request (`"signature";req`, or its member by
    /// `key`), which covers them; or some by itself and the others by that. Else the valid answer to one request would pass
    /// for that to another.
    ///
    /// A request with a body gets a Content-Digest where it has none.
    case request
    /// Not at all: whoever is between client and server can give the answer to one request for that to any other, once.
    /// For servers that know nothing of `req`, and answers that say themselves what they are about.
    case insecureAnyRequest
}

/// What of a request the signature of a response covers (pure).
struct RequestTies {
    /// It covers a signature no other request has.
    let isToRequest: Bool
    /// It covers method, URL and body, by itself or with the request's signature.
    let saysWhich: Bool

    init(_ input: SignatureInput, to request: Request) {
        let covered = input.components.filter(\.isOfRequest)
        let signatures = covered.contains { $0.name == "signature" } ? (try? SignatureFields.received(request.headers)) ?? [] : []
        let within = signatures.filter { signature in covered.contains { $0.coversSignature(signature.label) } && signature.fault == nil }
        // A signature without a nonce is that of every equal request of its second.
        isToRequest = within.contains { $0.input.nonce != nil }
        saysWhich = Self.name(request, covered.map(\.ofSubject) + within.flatMap(\.input.components))
    }

    private static func name(_ request: Request, _ covered: [MessageComponent]) -> Bool {
        let hasAll = { (components: [MessageComponent]) in components.allSatisfy(covered.contains) }
        let hasURL = hasAll([.targetURI]) || hasAll([.authority]) && (hasAll([.path, .query]) || hasAll([.requestTarget]))
        return hasAll([.method]) && hasURL && hasBody(request, covered)
    }

    private static func hasBody(_ request: Request, _ covered: [MessageComponent]) -> Bool {
        if covered.contains(where: { $0.isWhole(MessageComponent.contentDigest.name) }) { return true }
        return request.headers[ContentDigest.name] == nil && request.body.buffered?.isEmpty == true
    }
}

extension MessageComponent {
    fileprivate func coversSignature(_ label: String) -> Bool { name == "signature" && !has("tr") && (text("key") ?? label) == label }
}
#endif
