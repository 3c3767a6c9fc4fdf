#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// One certificate or key that a server may show (QSP-3, QSP-4).
///
/// A key pin is the SHA-256 of a certificate's SubjectPublicKeyInfo (RFC 7469 §2.4): it outlives the certificate as long
/// as the key is kept, so it is the kind to prefer. A string is a key pin:
///
/// ```swift
/// $0.pins = [PinSet("api.shop.example", ["sha256/r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=", "sha256/YLh1dUR9y6Kja30RrAn7JKnbQG/uEtLMkBgFF2Fuihg="])]
/// ```
///
/// A text that is no pin is an error as soon as connections are made with it: `TarmacError(.invalidOption)` naming it.
public struct Pin: Hashable, Sendable {
    /// What a pin is made of.
    public enum Kind: String, Hashable, Sendable {
        /// The key of a certificate.
        case key
        /// The certificate as a whole.
        case certificate
    }

    /// What it is made of.
    public let kind: Kind
    /// The SHA-256; empty when the pin is malformed.
    let digest: [UInt8]
    /// What was written, and why it is no pin.
    let fault: String?

    private init(_ kind: Kind, _ digest: Result<[UInt8], PinText.Fault>) {
        self.kind = kind
        switch digest {
        case .success(let digest): (self.digest, fault) = (digest, nil)
        case .failure(let fault): (self.digest, self.fault) = ([], fault.text)
        }
    }

    /// A key pin.
    ///
    /// - Parameter text: `sha256/` and the SHA-256 of the SubjectPublicKeyInfo in base64. curl's `sha256//` is taken too.
    public static func key(_ text: String) -> Pin { Pin(.key, PinText.digest(text)) }

    /// A certificate pin.
    ///
    /// - Parameter text: `sha256/` and the SHA-256 of the certificate in base64, or its fingerprint as openssl prints it,
    ///   `AB:CD:…` in 32 pairs.
    public static func certificate(sha256 text: String) -> Pin { Pin(.certificate, PinText.digest(text, takesFingerprint: true)) }

    /// A certificate pin of the certificate itself.
    ///
    /// - Parameter der: the certificate in DER, such as the content of a `.cer` file.
    public static func certificate(_ der: some Collection<UInt8>) -> Pin {
        Pin(.certificate, PinText.certificate(Array(der)).map { PublicHash.hash($0.bytes) })
    }

    /// The key pin of a certificate in DER.
    public static func key(of der: some Collection<UInt8>) -> Pin {
        Pin(.key, PinText.certificate(Array(der)).map { PublicHash.hash($0.publicKey) })
    }

    /// Pins of what a server shows.
    init(_ kind: Kind, of certificate: DERCertificate) {
        self.init(kind, .success(PublicHash.hash(kind == .key ? certificate.publicKey : certificate.bytes)))
    }
}

extension Pin: ExpressibleByStringLiteral {
    /// A key pin; see ``key(_:)``.
    public init(stringLiteral text: String) { self = .key(text) }
}

extension Pin: CustomStringConvertible {
    /// The pin as it is written, `sha256/…`; a certificate's says so before.
    public var description: String {
        let text = fault.map { "malformed: \($0)" } ?? "sha256/" + Data(digest).base64EncodedString()
        return kind == .key ? text : "certificate \(text)"
    }
}
