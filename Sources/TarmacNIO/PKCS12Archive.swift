#if NIO
import NIOSSL
import TarmacCore

/// An archive of PKCS #12 (RFC 7292) before NIOSSL opens it: without a key or without a certificate, that would end the process.
struct PKCS12Archive {
    let bytes: [UInt8]

    func open(password: String) throws(TarmacError) -> NIOSSLPKCS12Bundle {
        if !holds(Self.keyBag) && !holds(Self.shroudedKeyBag) { throw TarmacError(.invalidOption, "the archive of clientIdentity holds no private key") }
        if !holds(Self.certificateBag) && !holds(Self.encryptedData) {
            throw TarmacError(.invalidOption, "the archive of clientIdentity holds no certificate")
        }
        do { return try NIOSSLPKCS12Bundle(buffer: bytes, passphrase: Array(password.utf8)) } catch {
            if "\(error)".contains("INCORRECT_PASSWORD") {
                throw TarmacError(.wrongIdentityPassword, "the password does not open the archive of clientIdentity", cause: error)
            }
            throw TarmacError(.invalidOption, "the archive of clientIdentity cannot be read as PKCS #12", cause: error)
        }
    }

    // Object identifiers in DER: the bags of RFC 7292 §4.2, which are readable for keys, and the encrypted data of certificates (RFC 5652 §8).
    private static let bag: [UInt8] = [0x06, 0x0B, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x0C, 0x0A, 0x01]
    private static let (keyBag, shroudedKeyBag, certificateBag) = (bag + [0x01], bag + [0x02], bag + [0x03])
    private static let encryptedData: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x06]

    private func holds(_ identifier: [UInt8]) -> Bool { bytes.firstRange(of: identifier) != nil }
}
#endif
