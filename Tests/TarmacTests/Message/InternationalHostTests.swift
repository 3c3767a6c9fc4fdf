import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacMasking

@Suite("Hosts outside ASCII")
struct InternationalHostTests {
    @Test(arguments: [
        ("bücher.example", "xn--bcher-kva.example"), ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
        ("παράδειγμα", "xn--hxajbheg2az3al"), ("ПРИМЕР。рф", "xn--e1afmkfd.xn--p1ai"), ("é．a｡b", "xn--9ca.a.b"),
        ("停机坪.example", "xn--eyqv5o78n.example"), ("a\u{10FFFF}", "xn--a-h023p"),
    ])
    func aHostIsWrittenInItsASCIIForm(host: String, ascii: String) throws {
        #expect(try InternationalHost.ascii(host) == ascii)
    }

    /// RFC 5891 §4.2.3.
    @Test(arguments: [
        "é b", "é_b", "é@b", "é\u{7F}", "é\0", "-é", "é-", "xn--é", "éa--b", "\u{301}e", "a\u{FFFD}", "é\u{A0}", "é\u{200B}", "é\u{202E}", "é\u{2028}",
    ])
    func aLabelThatIsNoneIsRefusedByItsName(label: String) {
        let error = #expect(throws: InternationalHost.InvalidLabel.self) { try InternationalHost.ascii("a.\(label).b") }
        #expect(error?.label == label)
    }

    @Test(arguments: ["é-b", "é--b", "क्\u{200D}ष"]) func aHyphenOrAJoinerWithinALabelIsAllowed(label: String) throws {
        #expect(try InternationalHost.ascii(label).hasPrefix("xn--"))
    }

    /// RFC 1035 §2.3.4: 63 octets, `xn--` included.
    @Test func aLabelIsNoLongerThanDNSAllows() {
        for count in 0...200 {
            let label = String(repeating: "a", count: count) + "é"
            let ascii = try? InternationalHost.ascii(label)
            #expect((ascii != nil) == (count <= 55))
            #expect(ascii.map { $0.utf8.count <= 63 } ?? true)
        }
    }

    @Test(arguments: [64, 65, 4001, 100_000])
    func moreScalarsThanALabelHoldsAreRefusedAtOnce(count: Int) {
        #expect(Punycode.encode([UInt32](repeating: 0x80, count: count - 1) + [0x10_61C2]) == nil)
    }
}
