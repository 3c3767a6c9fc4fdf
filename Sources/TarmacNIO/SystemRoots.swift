#if NIO
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import NIOSSL

/// The certificates that the system trusts. Each host has a TLS context of its own, and NIOSSL would read their files for each.
enum SystemRoots {
    #if os(Linux)
    /// The certificates of the process, as Debian, Ubuntu, Arch and Alpine keep them. Elsewhere NIOSSL finds them by itself.
    private static let certificates = read(file: "/etc/ssl/certs/ca-certificates.crt", folder: "/etc/ssl/certs")
    #endif

    /// Has a configuration trust what the system trusts.
    static func trust(in tls: inout TLSConfiguration) {
        #if os(Linux)
        if !certificates.isEmpty { tls.trustRoots = .certificates(certificates) }
        #endif
    }

    /// Returns the certificates of a file, and those that are only in a folder, under the names that OpenSSL looks for there.
    static func read(file: String, folder: String) -> [NIOSSLCertificate] {
        var all = (try? NIOSSLCertificate.fromPEMFile(file)) ?? []
        if all.isEmpty { return [] }
        var known = Set(all)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where isHash(name) {
            for certificate in (try? NIOSSLCertificate.fromPEMFile("\(folder)/\(name)")) ?? [] where known.insert(certificate).inserted {
                all.append(certificate)
            }
        }
        return all
    }

    /// Whether a name is one such as `5ed36f99.0`.
    private static func isHash(_ name: String) -> Bool {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0].utf8.count == 8 && parts[0].allSatisfy(\.isHexDigit) && Int(parts[1]) != nil
    }
}
#endif
