#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
package import TarmacDigest

/// A certificate or key that a server may present.
///
/// A key pin is the SHA-256 of a certificate's SubjectPublicKeyInfo (RFC 7469 §2.4). It stays valid for a new
/// certificate with the same key, so prefer it. A string literal is a key pin:
///
/// ```swift
/// $0.pins = [PinSet("api.shop.example", ["sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=", "sha256/YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg="])]
/// ```
///
/// A text that is not a pin causes `TarmacError(.invalidOption)` with that text when a transport is made with
/// it.
public struct Pin: Hashable, Sendable {
    /// The kind of a pin.
    package enum Kind: String, Hashable, Sendable {
        /// The key of a certificate.
        case key
        /// The whole certificate.
        case certificate
    }

    /// The kind of the pin.
    package let kind: Kind
    /// The SHA-256. It is empty if the pin is malformed.
    let digest: [UInt8]
    /// The text and the reason why it is not a pin. `nil` for a valid pin.
    let fault: String?

    private init(_ kind: Kind, _ digest: Result<[UInt8], PinText.Fault>) {
        self.kind = kind
        switch digest {
        case .success(let digest): (self.digest, fault) = (digest, nil)
        case .failure(let fault): (self.digest, self.fault) = ([], fault.text)
        }
    }

    /// Returns a key pin.
    ///
    /// - Parameter text: `sha256/` and the SHA-256 of the SubjectPublicKeyInfo in base64. The form of curl,
    ///   `sha256//`, is accepted.
    public static func key(_ text: String) -> Pin { Pin(.key, PinText.digest(text)) }

    /// Returns a certificate pin from a digest.
    ///
    /// - Parameter text: `sha256/` and the SHA-256 of the certificate in base64, or its fingerprint in the form
    ///   of openssl, `AB:CD:…` in 32 pairs.
    public static func certificate(sha256 text: String) -> Pin { Pin(.certificate, PinText.digest(text, takesFingerprint: true)) }

    /// Returns the certificate pin of a certificate.
    ///
    /// - Parameter der: the certificate in DER, such as the content of a `.cer` file.
    public static func certificate(_ der: some Collection<UInt8>) -> Pin {
        Pin(.certificate, PinText.certificate(Array(der)).map { PublicHash.hash($0.bytes) })
    }

    /// Returns the key pin of a certificate in DER.
    public static func key(of der: some Collection<UInt8>) -> Pin {
        Pin(.key, PinText.certificate(Array(der)).map { PublicHash.hash($0.publicKey) })
    }

    /// Makes the pin of a certificate that a server presents.
    package init(_ kind: Kind, of certificate: DERCertificate) {
        self.init(kind, .success(PublicHash.hash(kind == .key ? certificate.publicKey : certificate.bytes)))
    }
}

extension Pin: ExpressibleByStringLiteral {
    /// Makes a key pin; see ``key(_:)``.
    public init(stringLiteral text: String) { self = .key(text) }
}

extension Pin: CustomStringConvertible {
    /// The text of the pin, `sha256/…`. For a certificate pin, the word `certificate` precedes it.
    public var description: String {
        let text = fault.map { "malformed: \($0)" } ?? "sha256/" + Data(digest).base64EncodedString()
        return kind == .key ? text : "certificate \(text)"
    }
}
