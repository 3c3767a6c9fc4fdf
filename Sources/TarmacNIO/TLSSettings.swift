#if NIO
import NIOSSL
@_spi(TarmacRooms) import TarmacCore

/// Makes the configuration of BoringSSL for ``ConnectionSettings``. Files are read and refused here, before
/// anything is sent.
enum TLSSettings {
    static func make(_ settings: ConnectionSettings) throws(TarmacError) -> TLSConfiguration {
        var tls = base
        if settings.insecurelySkipsHostName { tls.certificateVerification = .noHostnameVerification }
        try trust(settings.trust, in: &tls)
        if let certificate = settings.clientCertificate { try show(certificate, in: &tls) }
        return tls
    }

    /// The base configuration with TLS 1.2 and 1.3. NIOSSL would also accept 1.0 and 1.1, which must not be
    /// used (RFC 8996).
    static var base: TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        return tls
    }

    private static func trust(
        _ setting: ConnectionSettings.TrustSetting, in tls: inout TLSConfiguration
    ) throws(TarmacError) {
        switch setting {
        case .system: break
        case .systemAnd(let file): tls.additionalTrustRoots = [.certificates(try certificates(in: file))]
        case .only(let file): tls.trustRoots = .certificates(try certificates(in: file))
        case .insecureAcceptAnyCertificate: tls.certificateVerification = .none
        }
    }

    private static func show(
        _ certificate: ConnectionSettings.ClientCertificate, in tls: inout TLSConfiguration
    ) throws(TarmacError) {
        tls.certificateChain = try certificates(in: certificate.pemFile).map { .certificate($0) }
        try requireReadable(certificate.privateKeyFile)
        do { tls.privateKey = .privateKey(try NIOSSLPrivateKey(file: certificate.privateKeyFile, format: .pem)) } catch {
            throw TarmacError(
                .invalidOption, "the file \"\(certificate.privateKeyFile)\" holds no private key in PEM form", cause: error)
        }
    }

    /// Returns the roots in the files of a setting, in DER.
    static func roots(_ setting: ConnectionSettings.TrustSetting) -> [[UInt8]] {
        switch setting {
        case .system, .insecureAcceptAnyCertificate: []
        case .systemAnd(let file), .only(let file): ((try? certificates(in: file)) ?? []).compactMap { try? $0.toDERBytes() }
        }
    }

    private static func certificates(in file: String) throws(TarmacError) -> [NIOSSLCertificate] {
        try requireReadable(file)
        do {
            let certificates = try NIOSSLCertificate.fromPEMFile(file)
            if !certificates.isEmpty { return certificates }
        } catch {
            throw TarmacError(.invalidOption, "the file \"\(file)\" holds no certificate in PEM form", cause: error)
        }
        throw TarmacError(.invalidOption, "the file \"\(file)\" holds no certificate in PEM form")
    }

    private static func requireReadable(_ file: String) throws(TarmacError) {
        let descriptor = FileDescriptor.openForReading(file)
        guard descriptor >= 0 else {
            throw TarmacError(.unreadableFile, "the file \"\(file)\" cannot be read: \(FileDescriptor.lastError)")
        }
        FileDescriptor.closeFile(descriptor)
    }
}
#endif
