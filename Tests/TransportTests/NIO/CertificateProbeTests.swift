#if Tools
import Foundation
import NIOSSL
import Tarmac
import TarmacDigest
import TarmacNIO
import Testing

/// Why a certificate was refused, by what the server shows.
struct CertificateProbeTests {
    private static let (y2015, y2020, y2050, y2115): (Int64, Int64, Int64, Int64) = (1_420_070_400, 1_583_020_800, 2_524_608_000, 4_575_657_600)

    private func certificates(_ fixture: Fixture) throws -> [DERCertificate] {
        try NIOSSLCertificate.fromPEMFile(fixture.pemFile).compactMap { DERCertificate(try $0.toDERBytes()) }
    }

    static let rows: [(Fixture, Int64, TarmacError.Code?)] = [
        (.localhost, y2050, nil), (.localhost, y2015, .notYetValidCertificate), (.expired, y2050, .expiredCertificate), (.expired, y2020, nil),
        (.future, y2050, .notYetValidCertificate), (.future, y2115, nil), (.selfsigned, y2050, .selfSignedCertificate), (.chained, y2050, nil),
        (.lapsed, y2050, .expiredCertificate), (.lapsed, y2020, nil),
    ]

    @Test(arguments: rows.indices) func theReasonIsFound(_ index: Int) throws {
        let (fixture, now, code) = Self.rows[index]
        #expect(CertificateProbe.judge(try certificates(fixture), trusted: [], now: now)?.code == code)
    }

    @Test func aTrustedCertificateMayVouchForItselfInItsTime() throws {
        let own = try certificates(.selfsigned)
        #expect(CertificateProbe.judge(own, trusted: own.map(\.bytes), now: Self.y2050) == nil)
        #expect(CertificateProbe.judge(own, trusted: own.map(\.bytes), now: Self.y2015)?.code == .notYetValidCertificate)
    }

    @Test func whereNothingIsShownNothingIsSaid() {
        #expect(CertificateProbe.judge([], trusted: [], now: Self.y2050) == nil)
    }
}
#endif
