#if Crypto
import Crypto
import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Encryption with one key: nonce, ciphertext and tag in one run of bytes, as swift-crypto creates it, so that nothing
/// is copied.
struct AEAD {
    let key: SealingKey
    /// The nonce; `nil` for a random one. Only tests with known answers set it.
    var nonce: [UInt8]?

    static let overhead = SealingAlgorithm.nonceByteCount + SealingAlgorithm.tagByteCount

    func seal(_ plaintext: Bytes, authenticating data: [UInt8]) throws(TarmacError) -> Data {
        do {
            return try plaintext.withUnsafeBytes { plain throws(any Error) in try seal(plain, data) }
        } catch {
            // With a key of 32 bytes and a nonce of 12 bytes this cannot fail.
            throw TarmacError(.callerFailed, phase: .sending, "the body cannot be sealed: \(type(of: error))", cause: error)
        }
    }

    private func seal(_ plain: UnsafeRawBufferPointer, _ data: [UInt8]) throws -> Data {
        let symmetric = key.secret.symmetric
        switch key.algorithm {
        case .aes256GCM:
            let box = try AES.GCM.seal(plain, using: symmetric, nonce: nonce.map { try AES.GCM.Nonce(data: $0) }, authenticating: data)
            guard let combined = box.combined else { throw CryptoKitError.incorrectParameterSize }
            return combined
        case .chaCha20Poly1305:
            return try ChaChaPoly.seal(plain, using: symmetric, nonce: nonce.map { try ChaChaPoly.Nonce(data: $0) }, authenticating: data).combined
        }
    }

    /// - Throws: `.decryptionFailed`, without details of the content.
    func open(_ sealed: Data, authenticating data: [UInt8]) throws(TarmacError) -> Bytes {
        guard sealed.count >= Self.overhead else { throw .unopenable("it has \(sealed.count) bytes, too few for nonce and tag") }
        do {
            let symmetric = key.secret.symmetric
            switch key.algorithm {
            case .aes256GCM: return Bytes(try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: symmetric, authenticating: data))
            case .chaCha20Poly1305:
                return Bytes(try ChaChaPoly.open(ChaChaPoly.SealedBox(combined: sealed), using: symmetric, authenticating: data))
            }
        } catch {
            throw .unopenable("it is damaged, was changed on the way, or was sealed for something else", key: key)
        }
    }
}

extension TarmacError {
    static func unopenable(_ reason: String, key: SealingKey? = nil) -> TarmacError {
        TarmacError(
            .decryptionFailed, phase: .receiving, "what was sealed\(key.map { " with the key \($0.id)" } ?? "") cannot be opened: \(reason)",
            suggestion: "check that both sides have the same key, and that nothing between them rewrites paths or bodies")
    }
}
#endif
