#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// Verifies the signatures of responses. TarmacCrypto has `MessageVerifier` (RFC 9421) and `HMACResponseVerifier`.
///
/// The verifier sees the response as it arrived, before it is decompressed, decrypted and decoded.
///
/// ```swift
/// struct AppVerifier: ResponseVerifier {
///     func verify(_ response: Response, to request: Request, at date: Date) throws {
///         guard isSigned(response) else { throw TarmacError(.signatureMissing, phase: .receiving) }
///     }
/// }
/// ```
public protocol ResponseVerifier: Sendable {
    /// Returns the request with all that the verification of its response needs, such as a digest of the body. Tarmac calls
    /// it before the request is signed. Default: the unchanged request.
    ///
    /// - Throws: any error, and nothing is sent. An error other than `TarmacError` becomes the cause of
    ///   `TarmacError(.callerFailed)`.
    func prepare(_ request: Request) async throws -> Request

    /// Verifies that a response is recent and that the server sent it for this request. Tarmac calls it for every status.
    ///
    /// - Parameters:
    ///   - response: the response as it arrived.
    ///   - request: the request as it was sent, with its signature.
    ///   - date: the current date of the client's clock.
    /// - Throws: any error, if the response is not valid. An error other than `TarmacError` becomes the cause of
    ///   `TarmacError(.signatureInvalid)`.
    func verify(_ response: Response, to request: Request, at date: Date) async throws
}

extension ResponseVerifier {
    public func prepare(_ request: Request) async throws -> Request { request }
}

/// The verification of responses: none, or a verifier.
public struct ResponseVerification: Sendable {
    let verifier: (any ResponseVerifier)?

    private init(_ verifier: (any ResponseVerifier)?) { self.verifier = verifier }

    /// No verification. It overrides the verifier of a lower layer.
    public static let off = ResponseVerification(nil)

    /// Verification with a verifier. A response that it refuses fails the call.
    ///
    /// Calls that stream or download their response fail with `TarmacError(.unsupported)`, because a response must be complete
    /// before it is verified.
    public static func verifier(_ verifier: some ResponseVerifier) -> ResponseVerification { ResponseVerification(verifier) }

    /// Verification with a verifier that is chosen when a request is sent, and again when its response arrives. Use it for keys
    /// that come with a login or change while the client is in use.
    ///
    /// - Parameter choose: returns the verifier. Return the same one while its keys are valid, because a verifier remembers
    ///   the responses it has seen. If it throws, the call fails.
    public static func verifier(chosenBy choose: @escaping @Sendable () async throws -> any ResponseVerifier) -> ResponseVerification {
        ResponseVerification(ChosenVerifier(choose: choose))
    }
}

private struct ChosenVerifier: ResponseVerifier {
    let choose: @Sendable () async throws -> any ResponseVerifier

    func prepare(_ request: Request) async throws -> Request { try await choose().prepare(request) }
    func verify(_ response: Response, to request: Request, at date: Date) async throws {
        try await choose().verify(response, to: request, at: date)
    }
}

extension ResponseVerification: MaskedReflectable {
    /// The type of the verifier. It contains no keys.
    public var description: String { verifier.map { "\(type(of: $0))" } ?? "off" }
}
