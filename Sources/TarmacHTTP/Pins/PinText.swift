#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacDigest

/// Parses the text of a pin.
enum PinText {
    /// The reason why a text is not a pin. It holds the text.
    struct Fault: Error {
        let text: String
    }

    private static let prefix = "sha256/"
    /// The length of 32 bytes in base64 with padding.
    private static let length = 44

    static func digest(_ text: String, takesFingerprint: Bool = false) -> Result<[UInt8], Fault> {
        if takesFingerprint, let digest = fingerprint(text) { return .success(digest) }
        guard text.hasPrefix(prefix) else { return fault(text, "does not begin with sha256/") }
        var rest = text.dropFirst(prefix.count)
        if rest.utf8.count == length + 1, rest.first == "/" { rest = rest.dropFirst() }
        guard let data = Data(base64Encoded: String(rest)) else { return fault(text, "is not base64 behind sha256/") }
        guard data.count == PublicHash.byteCount else { return fault(text, "has \(data.count) bytes behind sha256/ where a SHA-256 has 32") }
        return .success(Array(data))
    }

    static func certificate(_ bytes: [UInt8]) -> Result<DERCertificate, Fault> {
        if let certificate = DERCertificate(bytes) { return .success(certificate) }
        let isPEM = bytes.starts(with: Array("-----BEGIN".utf8))
        return .failure(
            Fault(
                text: isPEM
                    ? "the certificate to pin is PEM text, and DER is wanted: openssl x509 -in FILE -outform der -out FILE.cer"
                    : "the certificate to pin, \(bytes.count) bytes, is no certificate in DER"))
    }

    /// Parses a fingerprint of the form `AB:CD:…`, with or without the name that openssl prints before it.
    private static func fingerprint(_ text: String) -> [UInt8]? {
        let pairs = (text.split(separator: "=").last ?? "").split(separator: ":", omittingEmptySubsequences: false)
        guard pairs.count == PublicHash.byteCount, pairs.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }) else { return nil }
        return pairs.compactMap { UInt8($0, radix: 16) }
    }

    private static func fault(_ text: String, _ reason: String) -> Result<[UInt8], Fault> {
        .failure(Fault(text: "\"\(text.prefix(100))\" \(reason)"))
    }
}
