#if Crypto
import HTTPTypes
import TarmacCore

/// The required link between a response's signature and the request (RFC 9421 §2.4).
public enum ResponseBinding: Sendable, Hashable {
    /// The signature covers the request, so that the response to one request is not valid for another.
    ///
    /// It covers the request's method, authority, path and query (`@target-uri` and `@request-target` count for their
    /// parts), and its Content-Digest if it has a body. It may instead cover the request's signature
    /// (`"signature";req`, or its member by `key`), which covers them, or combine both.
    ///
    /// A request with a body gets a Content-Digest if it has none.
    case request
    /// The signature need not cover the request: an intermediary can use the response to one request for another, once.
    ///
    /// For servers without support for `req`, and responses that identify their content themselves.
    case insecureAnyRequest
}

/// The parts of a request that a response's signature covers (pure).
struct RequestTies {
    /// Whether it covers a signature that no other request has.
    let isToRequest: Bool
    /// Whether it covers method, URL and body, itself or through the request's signature.
    let saysWhich: Bool

    init(_ input: SignatureInput, to request: Request) {
        let covered = input.components.filter(\.isOfRequest)
        let signatures = covered.contains { $0.name == "signature" } ? (try? SignatureFields.received(request.headers)) ?? [] : []
        let within = signatures.filter { signature in covered.contains { $0.coversSignature(signature.label) } && signature.fault == nil }
        // A signature without a nonce is the same for every equal request in one second.
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
