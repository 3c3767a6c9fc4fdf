#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Signs requests (XF-11). `MessageSigner` (RFC 9421) and `HMACRequestSigner` are in TarmacCrypto.
///
/// It sees the request as it goes on the wire: the body encoded and encrypted, every header field in its place but those
/// the transport makes of URL and body (Host, Content-Length). It runs once for every request that is sent, so that time
/// and nonce are fresh after a wait, a redirect or a retry.
public protocol RequestSigner: Sendable {
    /// The request with its signature, as a rule in header fields. Its body is in memory: ``Body/buffered`` is never
    /// `nil`.
    ///
    /// Throw to send nothing; an error other than `TarmacError` becomes the cause of `.interceptorFailed`.
    func sign(_ request: Request, at date: Date) async throws -> Request
}

/// Whether requests are signed, and how.
public struct RequestSigning: Sendable {
    let signer: (any RequestSigner)?

    private init(_ signer: (any RequestSigner)?) { self.signer = signer }

    /// Not at all, whatever lower layers say.
    public static let off = RequestSigning(nil)

    /// With this signer, where a request goes to one of the service's own origins. Bodies that are files or streams are
    /// refused: their bytes are not known before they are sent.
    public static func signer(_ signer: some RequestSigner) -> RequestSigning { RequestSigning(signer) }

    /// With the signer that is in force when a request is sent, asked for each: for keys that come with a login, or are changed
    /// while the client lives.
    ///
    /// ```swift
    /// $0.signing = .signer { try MessageSigner(.hmacSHA256("app-1", vault.currentKey())) }
    /// ```
    /// - Parameter choose: throws to send nothing.
    public static func signer(chosenBy choose: @escaping @Sendable () async throws -> any RequestSigner) -> RequestSigning {
        RequestSigning(ChosenSigner(choose: choose))
    }
}

private struct ChosenSigner: RequestSigner {
    let choose: @Sendable () async throws -> any RequestSigner

    func sign(_ request: Request, at date: Date) async throws -> Request { try await choose().sign(request, at: date) }
}

extension RequestSigning: CustomStringConvertible, CustomReflectable {
    /// The signer's type; nothing of what it holds.
    public var description: String { signer.map { "\(type(of: $0))" } ?? "off" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
