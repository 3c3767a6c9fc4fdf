#if Crypto
import HTTPTypes
import Tarmac

/// How the signature of a response has to be tied to the request it answers (RFC 9421 §2.4).
public enum ResponseBinding: Sendable, Hashable {
    /// It covers the signature of the request, which has a nonce (`"signature";req`, or its member by `key`); or the
    /// request's method, authority, path and query (`@target-uri` and `@request-target` count for what is in them), and its
    /// Content-Digest if it has one. Else the valid answer to one request would pass for that to another.
    case request
    /// Not at all: whoever is between client and server can give the answer to one request for that to any other, once.
    /// For servers that know nothing of `req`, and answers that say themselves what they are about.
    case insecureAnyRequest
}

/// What of a request the signature of a response covers (pure).
struct RequestTies {
    /// It covers a signature no other request has.
    let isToRequest: Bool
    /// It covers what request it was, which an equal one shares.
    let isToURL: Bool

    init(_ input: SignatureInput, to request: Request) {
        let covered = input.components.filter(\.isOfRequest)
        isToRequest = covered.contains { Self.isUnique($0, in: request) }
        let hasAll = { (components: [MessageComponent]) in components.allSatisfy { covered.contains($0.ofRequest) } }
        let hasURL = hasAll([.targetURI]) || hasAll([.authority]) && (hasAll([.path, .query]) || hasAll([.requestTarget]))
        let hasBody = request.headers[ContentDigest.name] == nil || covered.contains { $0.name == MessageComponent.contentDigest.name && $0.text("key") == nil }
        isToURL = hasAll([.method]) && hasURL && hasBody
    }

    /// A signature without a nonce is that of every equal request of its second, and a member that is no signature may be
    /// the same in all of them.
    private static func isUnique(_ component: MessageComponent, in request: Request) -> Bool {
        guard component.name == "signature", let signatures = try? SignatureFields.received(request.headers) else { return false }
        let label = component.text("key")
        return signatures.contains { (label == nil || $0.label == label) && $0.input.nonce != nil }
    }
}
#endif
