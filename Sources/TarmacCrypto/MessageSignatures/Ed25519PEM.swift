#if Crypto
import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Ed25519 keys in PEM (RFC 8410 §7, §4). Their DER has one form, except for attributes after a private key, so it is
/// compared instead of parsed.
enum Ed25519PEM {
    /// OneAsymmetricKey of version 0 or 1, with an Ed25519 identifier and nested octet strings of 32 bytes.
    private static let privateStarts: [[UInt8]] = [
        [0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20],
        [0x02, 0x01, 0x01, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20],
    ]
    private static let publicStart: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]

    static func privateKey(_ pem: String) throws(TarmacError) -> [UInt8] {
        let der = try der(pem, label: "PRIVATE KEY")
        // A sequence with a length of one byte: 46 bytes, or more with attributes.
        guard der.count >= 48, der[0] == 0x30, Int(der[1]) == der.count - 2, privateStarts.contains(Array(der[2..<16])) else {
            throw invalid("it is no Ed25519 private key in PKCS #8")
        }
        return Array(der[16..<48])
    }

    static func publicKey(_ pem: String) throws(TarmacError) -> [UInt8] {
        let der = try der(pem, label: "PUBLIC KEY")
        guard der.count == 44, der.starts(with: publicStart) else { throw invalid("it is no Ed25519 public key") }
        return Array(der[12...])
    }

    private static func der(_ pem: String, label: String) throws(TarmacError) -> [UInt8] {
        let lines = pem.split(whereSeparator: \.isNewline).map { $0.filter { !$0.isWhitespace } }
        let name = label.filter { !$0.isWhitespace }
        guard let start = lines.firstIndex(of: "-----BEGIN\(name)-----"), let end = lines.firstIndex(of: "-----END\(name)-----"), start < end,
            let data = Data(base64Encoded: lines[(start + 1)..<end].joined())
        else { throw invalid("it has no block \(label) in PEM") }
        return [UInt8](data)
    }

    private static func invalid(_ reason: String) -> TarmacError {
        TarmacError(.invalidOption, "the key cannot be used: \(reason)", suggestion: "make one with openssl genpkey -algorithm ed25519")
    }
}
#endif
