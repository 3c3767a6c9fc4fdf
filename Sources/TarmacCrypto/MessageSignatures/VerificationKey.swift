#if Crypto
import Crypto
public import TarmacCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A key that verifies HTTP message signatures.
public struct VerificationKey: Sendable {
    private enum Material {
        case hmac(SecretKey)
        case ed25519(Curve25519.Signing.PublicKey)
    }
    /// The parameter `keyid`.
    public let id: String
    private let material: Material

    private init(_ id: String, _ material: Material) {
        self.id = id
        self.material = material
    }

    init(_ id: String, _ key: Curve25519.Signing.PublicKey) { self.init(id, .ed25519(key)) }

    /// Returns a key for `hmac-sha256`.
    public static func hmacSHA256(_ id: String, _ secret: SecretKey) -> VerificationKey { VerificationKey(id, .hmac(secret)) }

    /// Returns a key for `ed25519` from a public key in PEM (SubjectPublicKeyInfo).
    ///
    /// - Throws: `TarmacError(.invalidOption)` for any other text.
    public static func ed25519(_ id: String, pem: String) throws(TarmacError) -> VerificationKey {
        try ed25519(id, rawRepresentation: try Ed25519PEM.publicKey(pem))
    }

    /// Returns a key for `ed25519` from the 32 bytes of a public key (RFC 8032).
    public static func ed25519(_ id: String, rawRepresentation bytes: some ContiguousBytes) throws(TarmacError) -> VerificationKey {
        do {
            return VerificationKey(id, try Curve25519.Signing.PublicKey(rawRepresentation: bytes.withUnsafeBytes { Data($0) }))
        } catch {
            throw TarmacError(.invalidOption, "the Ed25519 public key \(id) does not have 32 bytes")
        }
    }

    /// The name of the algorithm: `hmac-sha256` or `ed25519`.
    public var algorithm: String {
        switch material {
        case .hmac: "hmac-sha256"
        case .ed25519: "ed25519"
        }
    }

    func verifies(_ signature: Data, of base: String) -> Bool {
        let bytes = Array(base.utf8)
        switch material {
        // Anybody can sign with an empty secret.
        case .hmac(let secret) where secret.byteCount == 0: return false
        case .hmac(let secret): return HMAC<SHA256>.isValidAuthenticationCode(Array(signature), authenticating: bytes, using: secret.symmetric)
        case .ed25519(let key): return key.isValidSignature(signature, for: bytes)
        }
    }
}

extension VerificationKey: MaskedReflectable, CustomDebugStringConvertible {
    /// The id and the algorithm.
    public var description: String { "\(id) (\(algorithm))" }
    public var debugDescription: String { description }
}
#endif
