#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// Encrypts the bodies of requests and decrypts the bodies of responses.
///
/// Implement this protocol for your own format. `KeyringCipher` in TarmacCrypto implements AES-256-GCM and
/// ChaCha20-Poly1305.
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
/// The cipher runs once for each request that is sent, so each redirect and retry is encrypted again. It runs only for the
/// service's own origins. Do not put keys into `description`.
public protocol PayloadCipher: Sendable {
    /// Returns the encrypted request.
    ///
    /// - Parameters:
    ///   - request: the request to encrypt. Its body is in memory: ``Body/buffered`` is never `nil`.
    ///   - date: the current date of the client's clock.
    /// - Throws: any error, and nothing is sent. An error other than `TarmacError` becomes the cause of
    ///   `TarmacError(.callerFailed)`.
    func seal(_ request: Request, at date: Date) async throws -> Request

    /// Returns the decrypted response. Tarmac calls it for every status.
    ///
    /// - Parameters:
    ///   - response: the response from the server. Its body is collected.
    ///   - request: the request that ``seal(_:at:)`` returned.
    ///   - date: the current date of the client's clock.
    /// - Throws: any error, if the server did not encrypt this response for this request. An error other than `TarmacError`
    ///   becomes the cause of `TarmacError(.decryptionFailed)`.
    func open(_ response: Response, to request: Request, at date: Date) async throws -> Response
}

/// The encryption of bodies: none, or a cipher.
public struct PayloadEncryption: Sendable {
    let cipher: (any PayloadCipher)?

    private init(_ cipher: (any PayloadCipher)?) { self.cipher = cipher }

    /// No encryption. It overrides the cipher of a lower layer.
    public static let off = PayloadEncryption(nil)

    /// Encryption with a cipher.
    ///
    /// Calls that stream or download their response fail with `TarmacError(.unsupported)`, because a response must be complete
    /// before it is decrypted. Requests whose body is a file or a stream fail with the same error.
    public static func cipher(_ cipher: some PayloadCipher) -> PayloadEncryption { PayloadEncryption(cipher) }
}

extension PayloadEncryption: MaskedReflectable {
    /// The type of the cipher. It contains no keys.
    public var description: String { cipher.map { "\(type(of: $0))" } ?? "off" }
}
