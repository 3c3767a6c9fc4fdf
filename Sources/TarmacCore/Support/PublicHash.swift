/// SHA-256 (FIPS 180-4 §6.2) of what is public anyway: certificates, their keys, and the names of things.
///
/// It takes no secrets, so it need not hide its timing; for anything else use TarmacCrypto.
package enum PublicHash {
    static let byteCount = 32

    package static func hash(_ message: some Collection<UInt8>) -> [UInt8] {
        var digester = SHA256Digester()
        Array(message).withUnsafeBytes { digester.update($0) }
        return digester.finish()
    }
}
