#if canImport(Darwin)
import Foundation
public import Security
@_spi(TarmacRooms) public import TarmacCore
import TarmacConnection
import TarmacDigest

extension ClientIdentity {
    /// An identity of the app, such as one that it has made with a key in the Secure Enclave. URLSession only.
    public static func identity(_ identity: SecIdentity) -> Self { Self(source: .held(HeldIdentity(identity))) }

    /// The identity with a label in the keychain. It is looked up when the session is made. URLSession only.
    public static func keychain(label: String) -> Self { Self(source: .keychain(label: label)) }
}

extension Platform {
    /// An identity, and the certificates above its own.
    // SAFETY: the platform's certificates and identities are immutable.
    struct Identity: @unchecked Sendable {
        let identity: SecIdentity
        let chain: [SecCertificate]

        var credential: URLCredential { URLCredential(identity: identity, certificates: chain, persistence: .none) }
    }

    /// Returns the identity of a setting.
    ///
    /// - Throws: `TarmacError` for one that is not there or that a server would refuse.
    static func identity(_ setting: ClientIdentity) throws(TarmacError) -> Identity {
        let found: Identity?
        switch setting.source {
        case .pkcs12(let archive, let password): found = try open(archive.data, password)
        case .keychain(let label):
            var object: CFTypeRef?
            let status = findIdentity(labelled: label, &object)
            found = status == errSecSuccess ? object.flatMap { secIdentity($0) }.map { Identity(identity: $0, chain: []) } : nil
        case .held(let held): found = secIdentity(held.object).map { Identity(identity: $0, chain: []) }
        case .pem, .pemFiles: throw .unsupported("clientIdentity", "takes no key in PEM form")
        }
        guard let found else { throw TarmacError(.invalidOption, "there is no identity for clientIdentity, or it has no private key") }
        var certificate: SecCertificate?
        SecIdentityCopyCertificate(found.identity, &certificate)
        let bytes = certificate.map { Array(plainData(SecCertificateCopyData($0))) } ?? []
        if let error = IdentityTime.fault(of: DERCertificate(bytes)?.validity, now: Int64(Date().timeIntervalSince1970)) { throw error }
        return found
    }

    private static func open(_ archive: Data, _ password: String) throws(TarmacError) -> Identity? {
        var items: CFArray?
        let status = importPKCS12(archive, password, &items)
        switch status {
        case errSecSuccess: return plainIdentities(items).first.map { Identity(identity: $0.identity, chain: Array($0.chain.dropFirst())) }
        case errSecAuthFailed: throw TarmacError(.wrongIdentityPassword, "the password does not open the archive of clientIdentity")
        default: throw TarmacError(.invalidOption, "the archive of clientIdentity cannot be read as PKCS #12 (\(status))")
        }
    }
}
#endif
