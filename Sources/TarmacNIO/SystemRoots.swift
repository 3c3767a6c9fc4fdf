#if NIO
import NIOSSL

/// The certificates that the system trusts. Each host has a TLS context of its own, and NIOSSL would read their file for each.
enum SystemRoots {
    #if os(Linux)
    /// The certificates of the process, in the file of Debian, Ubuntu, Arch and Alpine. Elsewhere NIOSSL finds them by itself.
    private static let certificates = try? NIOSSLCertificate.fromPEMFile("/etc/ssl/certs/ca-certificates.crt")
    #endif

    /// Has a configuration trust what the system trusts.
    static func trust(in tls: inout TLSConfiguration) {
        #if os(Linux)
        guard let certificates, !certificates.isEmpty else { return }
        tls.trustRoots = .certificates(certificates)
        #endif
    }
}
#endif
