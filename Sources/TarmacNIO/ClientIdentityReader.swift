#if NIO
import NIOSSL
@_spi(TarmacRooms) import TarmacCore
import TarmacConnection
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads the certificate and the key of a client identity, and refuses what a server would refuse.
struct ClientIdentityReader {
    private let source: ClientIdentity.Source

    init(_ identity: ClientIdentity) { source = identity.source }

    func show(in tls: inout TLSConfiguration) throws(TarmacError) {
        let (chain, key) = try parts()
        try checkTime(of: chain.first)
        tls.certificateChain = chain.map { .certificate($0) }
        tls.privateKey = .privateKey(key)
        // Without roots, which take milliseconds to read.
        var alone = tls
        (alone.trustRoots, alone.additionalTrustRoots) = (.certificates([]), [])
        do { _ = try NIOSSLContext(configuration: alone) } catch {
            throw TarmacError(.invalidOption, "the private key of clientIdentity belongs to another certificate", cause: error)
        }
    }

    private func parts() throws(TarmacError) -> (chain: [NIOSSLCertificate], key: NIOSSLPrivateKey) {
        switch source {
        case .pemFiles(let certificate, let key):
            return (try TLSSettings.certificates(in: certificate), try self.key(try TLSSettings.content(of: key), named: "the file \"\(key)\""))
        case .pem(let certificate, let key):
            return (
                try TLSSettings.certificates(of: certificate.array, named: "the certificate of clientIdentity"),
                try self.key(key.array, named: "the key of clientIdentity")
            )
        case .pkcs12(let archive, let password):
            let bundle = try PKCS12Archive(bytes: archive.array).open(password: password)
            return (bundle.certificateChain, bundle.privateKey)
        case .keychain, .held: throw TarmacError(.unsupported, "clientIdentity: AsyncHTTPClient uses no identity of the keychain", suggestion: "use URLSession")
        }
    }

    private func key(_ text: [UInt8], named name: String) throws(TarmacError) -> NIOSSLPrivateKey {
        do { return try NIOSSLPrivateKey(bytes: text, format: .pem) } catch {
            throw TarmacError(.invalidOption, "\(name) holds no private key in PEM form, or an encrypted one", cause: error)
        }
    }

    private func checkTime(of certificate: NIOSSLCertificate?) throws(TarmacError) {
        guard let certificate else { return }
        let validity = Int64(certificate.notValidBefore)...max(Int64(certificate.notValidBefore), Int64(certificate.notValidAfter))
        if let fault = IdentityTime.fault(of: validity, now: Int64(Date().timeIntervalSince1970)) { throw fault }
    }
}
#endif
