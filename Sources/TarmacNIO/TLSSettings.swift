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
        if let identity = settings.clientIdentity { try ClientIdentityReader(identity).show(in: &tls) }
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
        case .system: SystemRoots.trust(in: &tls)
        case .systemAnd(let file):
            SystemRoots.trust(in: &tls)
            tls.additionalTrustRoots.append(.certificates(try certificates(in: file)))
        case .only(let file): tls.trustRoots = .certificates(try certificates(in: file))
        case .onlyPEM(let text): tls.trustRoots = .certificates(try certificates(of: text.array, named: "the text of trust"))
        case .insecureAcceptAnyCertificate: tls.certificateVerification = .none
        }
    }

    /// Returns the roots in the files of a setting, in DER.
    static func roots(_ setting: ConnectionSettings.TrustSetting) -> [[UInt8]] {
        switch setting {
        case .system, .insecureAcceptAnyCertificate: []
        case .systemAnd(let file), .only(let file): der(try? certificates(in: file))
        case .onlyPEM(let text): der(try? certificates(of: text.array, named: ""))
        }
    }

    private static func der(_ certificates: [NIOSSLCertificate]?) -> [[UInt8]] { (certificates ?? []).compactMap { try? $0.toDERBytes() } }

    static func certificates(in file: String) throws(TarmacError) -> [NIOSSLCertificate] {
        try certificates(of: try content(of: file), named: "the file \"\(file)\"")
    }

    static func certificates(of text: [UInt8], named name: String) throws(TarmacError) -> [NIOSSLCertificate] {
        do {
            let certificates = try NIOSSLCertificate.fromPEMBytes(text)
            if !certificates.isEmpty { return certificates }
        } catch {
            throw TarmacError(.invalidOption, "\(name) holds no certificate in PEM form", cause: error)
        }
        throw TarmacError(.invalidOption, "\(name) holds no certificate in PEM form")
    }

    /// A file of certificates or keys is smaller.
    private static let sizeLimit = 16 << 20

    static func content(of file: String) throws(TarmacError) -> [UInt8] {
        let descriptor = FileDescriptor.openForReading(file)
        guard descriptor >= 0 else {
            throw TarmacError(.unreadableFile, "the file \"\(file)\" cannot be read: \(FileDescriptor.lastError)")
        }
        defer { FileDescriptor.closeFile(descriptor) }
        var content: [UInt8] = []
        while true {
            var read = 0
            let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                read = FileDescriptor.read(descriptor, into: UnsafeMutableRawBufferPointer(buffer), at: Int64(content.count))
                count = max(0, read)
            }
            if read < 0 { throw TarmacError(.unreadableFile, "the file \"\(file)\" cannot be read: \(FileDescriptor.lastError)") }
            if piece.isEmpty { return content }
            content += piece
            if content.count > sizeLimit { throw TarmacError(.unreadableFile, "the file \"\(file)\" is longer than 16 MiB") }
        }
    }
}
#endif
