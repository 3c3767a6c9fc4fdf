import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacDigest
import TarmacTesting
import Testing

/// What is found in a certificate is what openssl finds, and no bytes, whatever they are, end the process.
struct DERCertificateTests {
    @Test(arguments: CertificateSample.all) func theKeyIsTheOneOpensslFinds(_ sample: CertificateSample) throws {
        let certificate = try #require(DERCertificate(sample.der))
        #expect(Pin(.key, of: certificate).description == sample.keyPin)
        #expect(Pin(.certificate, of: certificate).description == "certificate " + sample.certificatePin)
    }

    @Test(arguments: [(CertificateSample.root, true), (.localhost, false), (.expired, false), (.rsa, true), (.ed, true)])
    func whoVouchesForItselfIsKnown(_ sample: CertificateSample, _ isSelfIssued: Bool) throws {
        #expect(try #require(DERCertificate(sample.der)).isSelfIssued == isSelfIssued)
    }

    /// 2020-01-01, 2021-01-01 and 2120-01-01; the last is a GeneralizedTime.
    @Test func timesAreThoseOpensslFinds() {
        #expect(DERCertificate(CertificateSample.localhost.der)?.validity == 1_577_836_800...4_733_510_400)
        #expect(DERCertificate(CertificateSample.expired.der)?.validity == 1_577_836_800...1_609_459_200)
    }

    static let times: [(String, UInt8, Int64?)] = [
        ("700101000000Z", DERReader.Tag.utcTime, 0), ("491231235959Z", DERReader.Tag.utcTime, 2_524_607_999),
        ("500101000000Z", DERReader.Tag.utcTime, -631_152_000), ("000229120000Z", DERReader.Tag.utcTime, 951_825_600),
        ("20500101000000Z", DERReader.Tag.generalizedTime, 2_524_608_000), ("99991231235959Z", DERReader.Tag.generalizedTime, 253_402_300_799),
        ("000001010000Z", DERReader.Tag.generalizedTime, nil), ("700101000000", DERReader.Tag.utcTime, nil),
        ("701301000000Z", DERReader.Tag.utcTime, nil), ("7001010000+0Z", DERReader.Tag.utcTime, nil), ("", DERReader.Tag.utcTime, nil),
        ("700101000000Z", DERReader.Tag.integer, nil), ("700132000000Z", DERReader.Tag.utcTime, nil), ("700101240000Z", DERReader.Tag.utcTime, nil),
    ]

    @Test(arguments: times.indices) func aTimeIsReadOrRefused(_ index: Int) {
        let (text, tag, seconds) = Self.times[index]
        #expect(DERTime.seconds(Array(text.utf8)[...], tag: tag) == seconds)
    }

    @Test(arguments: CertificateSample.all) func whatIsCutOffIsNoCertificate(_ sample: CertificateSample) {
        for count in 0..<sample.der.count { #expect(DERCertificate(Array(sample.der.prefix(count))) == nil) }
        #expect(DERCertificate(sample.der + [0]) == nil)
    }

    /// Every byte of every sample in every value that matters to a length or a tag.
    @Test(arguments: CertificateSample.all) func aDamagedByteIsNoTrap(_ sample: CertificateSample) {
        for index in sample.der.indices {
            for value: UInt8 in [0, 0x1F, 0x7F, 0x80, 0x81, 0x82, 0x84, 0x88, 0xFF] {
                var damaged = sample.der
                damaged[index] = value
                if let certificate = DERCertificate(damaged) { #expect(certificate.publicKey.count <= damaged.count) }
            }
        }
    }

    @Test func randomBytesAreNoTrap() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<20_000 {
            var bytes = (0..<Int.random(in: 0...80, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
            // Most begin as a certificate does, so that the walk goes somewhere.
            for (index, byte) in [UInt8(0x30), 0x30, 0x30].enumerated() where bytes.count > index * 2 { bytes[index * 2] = byte }
            _ = DERCertificate(bytes)
        }
    }

    static let lengths: [(head: [UInt8], isRead: Bool)] = [
        ([0x30, 0x02], true), ([0x30, 0x81, 0x02], false), ([0x30, 0x80], false), ([0x30, 0x82, 0x00, 0x02], false),
        ([0x30, 0x85, 0, 0, 0, 0, 2], false), ([0x30, 0xFF], false), ([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF], false), ([0x1F, 0x02], false),
        ([0x30, 0x03], false),
    ]

    @Test(arguments: lengths.indices) func aLengthHasItsShortestForm(_ index: Int) {
        var reader = DERReader(Self.lengths[index].head + [5, 0])
        #expect((reader.next() != nil) == Self.lengths[index].isRead)
    }

    @Test func whatIsTooLargeIsNotRead() {
        #expect(DERCertificate([0x30, 0x83, 0x04, 0x00, 0x00] + [UInt8](repeating: 0, count: 0x04_0000)) == nil)
    }
}
