#if NIO
import NIOCore
import NIOSSL
@_spi(TarmacRooms) package import TarmacCore
package import TarmacDigest
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds out why a certificate was refused.
///
/// BoringSSL does not report the reason. The probe therefore reads the server's certificates on a connection
/// that trusts no certificate, sends nothing and closes at once.
package enum CertificateProbe {
    /// Returns the error to throw instead, if the certificates of the server explain the failure.
    static func explain(
        _ url: HTTPURL, route: ConnectionRoute, trust: ConnectionSettings.TrustSetting, for exchange: Exchange
    ) async -> TarmacError? {
        let presented = (try? await look(at: url, route: route, for: exchange).get()) ?? []
        return judge(presented.compactMap { DERCertificate($0) }, trusted: TLSSettings.roots(trust), now: Int64(Date().timeIntervalSince1970))
    }

    /// Returns the error for the certificates of a server.
    ///
    /// - Parameters:
    ///   - presented: the certificates of the server, its own first.
    ///   - trusted: the roots in DER. A self-issued certificate that is among them is not a fault.
    package static func judge(_ presented: [DERCertificate], trusted: [[UInt8]], now: Int64) -> TarmacError? {
        guard let own = presented.first else { return nil }
        if own.isSelfIssued, !trusted.contains(own.bytes) {
            return TarmacError(
                .selfSignedCertificate, phase: .connecting, "the server's certificate vouches for itself",
                suggestion: "if the server is yours, trust the authority that signs its certificate: trust = .systemAnd(pemFile:)")
        }
        return time(own, "the server's certificate", now: now)
            ?? presented.dropFirst().lazy.compactMap { time($0, "a certificate that vouches for the server's", now: now) }.first
    }

    private static func time(_ certificate: DERCertificate, _ name: String, now: Int64) -> TarmacError? {
        guard let validity = certificate.validity, !validity.contains(now) else { return nil }
        return now > validity.upperBound
            ? TarmacError(.expiredCertificate, phase: .connecting, "\(name) has expired")
            : TarmacError(.notYetValidCertificate, phase: .connecting, "\(name) is not valid yet")
    }

    private static func look(at url: HTTPURL, route: ConnectionRoute, for exchange: Exchange) -> EventLoopFuture<[[UInt8]]> {
        let (probe, shown) = (TLSProbe(), Locked<[NIOSSLCertificate]>([]))
        exchange.onAbort { _ in probe.cancel() }
        probe.start(url, route: route) {
            var tls = TLSSettings.base
            // The probe trusts no certificate, and reading the system's roots would take longer than everything
            // else.
            tls.trustRoots = .certificates([])
            return try NIOSSLClientHandler(
                context: try NIOSSLContext(configuration: tls), serverHostname: ServerName.of(url),
                customVerificationCallback: { presented, verdict in
                    shown.withLock { $0 = presented }
                    verdict.succeed(.failed)
                })
        }
        return probe.outcome.map { _ in shown.withLock { $0 }.compactMap { try? $0.toDERBytes() } }
    }
}
#endif
