#if Crypto
import HTTPTypes
import RawStructuredFieldValues
public import TarmacCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension MessageSigner {
    /// Returns the response with its signature: the server's part, for mock servers and services in Swift.
    ///
    /// It covers `@status`; Location, Content-Type, Content-Encoding and Content-Range if the response has them; the
    /// digest of a body; and of the request the method, authority, path, query and, if present, Content-Digest and
    /// signature.
    ///
    /// - Parameters:
    ///   - response: The response to sign.
    ///   - request: The request that the response answers, as received.
    ///   - date: The time of the signature, sent in whole seconds.
    public func sign(_ response: Response, to request: Request, at date: Date) throws(TarmacError) -> Response {
        var signed = response
        var covered: [MessageComponent] = [.status, .method.ofRequest, .authority.ofRequest, .path.ofRequest, .query.ofRequest]
        if request.headers.contains(ContentDigest.name) { covered.append(.contentDigest.ofRequest) }
        if let body = response.body.collected, !body.isEmpty {
            signed.headers[ContentDigest.name] = digest.value(of: body)
            covered.append(.contentDigest)
        }
        for name in SignaturePolicy.steeringFields where HTTPField.Name(name).map(response.headers.contains) == true { covered.append(.field(name)) }
        if request.headers.contains(SignatureFields.signature) { covered.append(.field("signature").ofRequest) }
        return try sign(signed, covering: covered, to: request, at: date)
    }
}
#endif
