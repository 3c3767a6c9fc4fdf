/// SHA-256 (FIPS 180-4 §6.2) of public data: certificates, their keys and names.
///
/// It must not be used for secrets, because its timing is not constant. For secrets, use TarmacCrypto.
package enum PublicHash {
    package static let byteCount = 32

    package static func hash(_ message: some Collection<UInt8>) -> [UInt8] {
        var digester = SHA256Digester()
        Array(message).withUnsafeBytes { digester.update($0) }
        return digester.finish()
    }
}
