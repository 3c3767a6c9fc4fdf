#if Crypto
import Crypto
public import TarmacCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A key that creates HTTP message signatures, with the id that the other side knows.
public struct SignatureKey: Sendable {
    private enum Material {
        case hmac(SecretKey)
        case ed25519(Curve25519.Signing.PrivateKey)
    }
    /// The parameter `keyid`.
    public let id: String
    private let material: Material

    private init(_ id: String, _ material: Material) {
        self.id = id
        self.material = material
    }

    /// Returns a key for `hmac-sha256` (RFC 9421 §3.3.3): both sides share a secret, ideally of 32 random bytes.
    public static func hmacSHA256(_ id: String, _ secret: SecretKey) -> SignatureKey { SignatureKey(id, .hmac(secret)) }

    /// Returns a key for `ed25519` (RFC 9421 §3.3.6): this side signs, and the public key verifies.
    ///
    /// - Parameters:
    ///   - id: The id of the key, sent as `keyid`.
    ///   - pem: A PKCS #8 private key, as written by `openssl genpkey -algorithm ed25519`.
    /// - Throws: `TarmacError(.invalidOption)` for any other text, which the error does not repeat.
    public static func ed25519(_ id: String, pem: String) throws(TarmacError) -> SignatureKey {
        try ed25519(id, rawRepresentation: try Ed25519PEM.privateKey(pem))
    }

    /// Returns a key for `ed25519` from the 32 bytes of a private key (RFC 8032).
    public static func ed25519(_ id: String, rawRepresentation bytes: some ContiguousBytes) throws(TarmacError) -> SignatureKey {
        do {
            return SignatureKey(id, .ed25519(try Curve25519.Signing.PrivateKey(rawRepresentation: bytes.withUnsafeBytes { Data($0) })))
        } catch {
            throw TarmacError(.invalidOption, "the Ed25519 private key \(id) does not have 32 bytes")
        }
    }

    /// The name of the algorithm: `hmac-sha256` or `ed25519`.
    public var algorithm: String {
        switch material {
        case .hmac: "hmac-sha256"
        case .ed25519: "ed25519"
        }
    }

    /// The key that verifies the signatures; for `hmac-sha256` the same secret.
    public var verificationKey: VerificationKey {
        switch material {
        case .hmac(let secret): .hmacSHA256(id, secret)
        case .ed25519(let key): VerificationKey(id, key.publicKey)
        }
    }

    func signature(of base: String) throws(TarmacError) -> [UInt8] {
        let bytes = Array(base.utf8)
        switch material {
        case .hmac(let secret):
            if secret.byteCount == 0 { throw .emptyKey(id) }
            return Array(HMAC<SHA256>.authenticationCode(for: bytes, using: secret.symmetric))
        case .ed25519(let key):
            do { return Array(try key.signature(for: bytes)) } catch {
                throw TarmacError(.callerFailed, phase: .sending, "the key \(id) cannot sign: \(type(of: error))", cause: error)
            }
        }
    }
}

extension SignatureKey: MaskedReflectable, CustomDebugStringConvertible {
    /// The id and the algorithm.
    public var description: String { "\(id) (\(algorithm))" }
    public var debugDescription: String { description }
}
#endif
