#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// Signs requests. TarmacCrypto has `MessageSigner` (RFC 9421) and `HMACRequestSigner`.
///
/// The signer sees the request as it is sent: with the encoded and encrypted body, and with all header fields except those
/// that the transport adds (Host, Content-Length). It runs once for each request that is sent, so time and nonce are fresh
/// after a wait, a redirect or a retry.
///
/// ```swift
/// struct AppSigner: RequestSigner {
///     func sign(_ request: Request, at date: Date) throws -> Request {
///         var signed = request
///         signed.headers[.init("X-Signature")!] = try signature(of: request, at: date)
///         return signed
///     }
/// }
/// ```
public protocol RequestSigner: Sendable {
    /// Returns the request with its signature, usually in header fields.
    ///
    /// - Parameters:
    ///   - request: the request to sign. Its body is in memory: ``Body/buffered`` is never `nil`.
    ///   - date: the current date of the client's clock.
    /// - Throws: any error, and nothing is sent. An error other than `TarmacError` becomes the cause of
    ///   `TarmacError(.callerFailed)`.
    func sign(_ request: Request, at date: Date) async throws -> Request
}

/// The signature of requests: none, or a signer.
public struct RequestSigning: Sendable {
    let signer: (any RequestSigner)?

    private init(_ signer: (any RequestSigner)?) { self.signer = signer }

    /// No signature. It overrides the signer of a lower layer.
    public static let off = RequestSigning(nil)

    /// Signatures with a signer, for requests to the service's own origins.
    ///
    /// Requests whose body is a file or a stream fail with `TarmacError(.unsupported)`, because their bytes are unknown before
    /// they are sent.
    public static func signer(_ signer: some RequestSigner) -> RequestSigning { RequestSigning(signer) }

    /// Signatures with a signer that is chosen for each request. Use it for keys that come with a login or change while the
    /// client is in use.
    ///
    /// ```swift
    /// $0.signing = .signer { try MessageSigner(.hmacSHA256("app-1", vault.currentKey())) }
    /// ```
    /// - Parameter choose: returns the signer. If it throws, nothing is sent.
    public static func signer(chosenBy choose: @escaping @Sendable () async throws -> any RequestSigner) -> RequestSigning {
        RequestSigning(ChosenSigner(choose: choose))
    }
}

private struct ChosenSigner: RequestSigner {
    let choose: @Sendable () async throws -> any RequestSigner

    func sign(_ request: Request, at date: Date) async throws -> Request { try await choose().sign(request, at: date) }
}

extension RequestSigning: MaskedReflectable {
    /// The type of the signer. It contains no keys.
    public var description: String { signer.map { "\(type(of: $0))" } ?? "off" }
}
