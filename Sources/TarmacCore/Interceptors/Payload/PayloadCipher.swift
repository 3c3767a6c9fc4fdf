#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Encrypts the bodies of requests and decrypts those of responses (XF-11).
///
/// Conform to it for a format of one's own; `KeyringCipher` of TarmacCrypto is AES-256-GCM and ChaCha20-Poly1305.
///
/// ```swift
/// struct HouseCipher: PayloadCipher {
///     func seal(_ request: Request, at date: Date) throws -> Request {
///         guard let plain = request.body.buffered, !plain.isEmpty else { return request }
///         var sealed = request
///         sealed.body = .bytes(try encrypt(plain), contentType: "application/octet-stream")
///         return sealed
///     }
///     func open(_ response: Response, to request: Request, at date: Date) throws -> Response { … }
/// }
/// ```
/// It runs at the wire, for the service's own origins alone, and once for every request that is sent: a redirect or a
/// retry is sealed anew. Keep keys out of `description`.
public protocol PayloadCipher: Sendable {
    /// The request as it goes out. Its body is in memory: ``Body/buffered`` is never `nil`.
    ///
    /// Throw to send nothing; an error other than `TarmacError` becomes the cause of `.interceptorFailed`.
    func seal(_ request: Request, at date: Date) async throws -> Request

    /// The response as it was before it was encrypted; its body is collected. Called for every status.
    ///
    /// Throw for a response that is not what the server sealed for this very request; an error other than `TarmacError`
    /// becomes the cause of `.decryptionFailed`.
    /// - Parameter request: what ``seal(_:at:)`` returned.
    func open(_ response: Response, to request: Request, at date: Date) async throws -> Response
}

/// Whether bodies are encrypted, and how.
public struct PayloadEncryption: Sendable {
    package let cipher: (any PayloadCipher)?

    private init(_ cipher: (any PayloadCipher)?) { self.cipher = cipher }

    /// Not at all, whatever lower layers say.
    public static let off = PayloadEncryption(nil)

    /// With this cipher. Calls that stream or download are refused, since nothing may be read before all of it is
    /// verified; so are bodies that are files or streams.
    public static func cipher(_ cipher: some PayloadCipher) -> PayloadEncryption { PayloadEncryption(cipher) }
}

extension PayloadEncryption: CustomStringConvertible, CustomReflectable {
    /// The cipher's type; nothing of what it holds.
    public var description: String { cipher.map { "\(type(of: $0))" } ?? "off" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
