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
    /// The response with its signature: the server's half, for mock servers and services in Swift.
    ///
    /// It covers `@status`, what the response has of Location, Content-Type, Content-Encoding and Content-Range, the digest of a
    /// body, and the request's method,
    /// authority, path, query and, where it has them, Content-Digest and signature.
    /// - Parameter request: the request it answers, as it was received.
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
