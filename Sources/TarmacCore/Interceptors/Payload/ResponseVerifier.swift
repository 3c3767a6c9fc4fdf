#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Checks the signatures of responses (XF-11). `MessageVerifier` (RFC 9421) and `HMACResponseVerifier` are in
/// TarmacCrypto.
///
/// It sees the response as it came from the wire, before content codings and encryption are undone and before anything is
/// decoded.
public protocol ResponseVerifier: Sendable {
    /// The request as its answer can be verified, called before it is signed: with a digest of its body, say. Default: as it is.
    ///
    /// Throw to send nothing; an error other than `TarmacError` becomes the cause of `.interceptorFailed`.
    func prepare(_ request: Request) async throws -> Request

    /// Returns when the response is the server's answer to this request, and fresh; called for every status.
    ///
    /// Throw for any other; an error other than `TarmacError` becomes the cause of `.signatureInvalid`.
    /// - Parameter request: as it was sent, with its own signature.
    func verify(_ response: Response, to request: Request, at date: Date) async throws
}

extension ResponseVerifier {
    public func prepare(_ request: Request) async throws -> Request { request }
}

/// Whether the signatures of responses are checked, and how.
public struct ResponseVerification: Sendable {
    package let verifier: (any ResponseVerifier)?

    private init(_ verifier: (any ResponseVerifier)?) { self.verifier = verifier }

    /// Not at all, whatever lower layers say.
    public static let off = ResponseVerification(nil)

    /// With this verifier; what it does not accept is no response. Calls that stream or download are refused, since
    /// nothing may be read before all of it is verified.
    public static func verifier(_ verifier: some ResponseVerifier) -> ResponseVerification { ResponseVerification(verifier) }

    /// With the verifier that is in force, asked for when a request is sent and again when its response is there: for keys that
    /// come with a login, or are changed while the client lives.
    ///
    /// - Parameter choose: the same verifier as long as its keys hold, since it remembers what it has seen; throws to believe
    ///   nothing.
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

extension ResponseVerification: CustomStringConvertible, CustomReflectable {
    /// The verifier's type; nothing of what it holds.
    public var description: String { verifier.map { "\(type(of: $0))" } ?? "off" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
