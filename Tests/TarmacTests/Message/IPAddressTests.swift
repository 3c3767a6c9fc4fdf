import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import Testing

/// The addresses of RFC 3986 §3.2.2 in a URL.
@Suite("IPv6 addresses in URLs")
struct IPAddressTests {
    @Test(arguments: [
        "::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::2:3:4:5:6:7:8", "1::8", "1:2:3::6:7:8", "fe80::abcd", "FFFF::0001",
        "::1.2.3.4", "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4", "64:ff9b::255.255.255.255", "::0.0.0.0",
    ])
    func anAddressIsTaken(address: String) throws {
        #expect(try HTTPURL("http://[\(address)]/").host == "[\(address.lowercased())]")
        #expect(IPAddressBytes(address)?.bytes.count == 16)
    }

    @Test(arguments: [
        "", ":", ":::", "1", "1:2", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::1:2:3:4:5:6:7:8", "1::2::3", ":1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7:",
        "12345::", "g::", "+1::", "-1::", " ::1", "::1 ", "1.2.3.4", "1.2.3.4::", "1.2.3.4::1", "::1.2.3", "::1.2.3.4.5", "::256.1.1.1", "::01.2.3.4",
        "::1.2.3.4:5",
        "1:2:3:4:5:6:7:1.2.3.4", "fe80::1%25eth0", "fe80::1%eth0", "v1.fe80", "v1.a:b", "::1/64", "[::1]",
    ])
    func anythingElseIsRefused(address: String) {
        let error = #expect(throws: TarmacError.self) { try HTTPURL("http://[\(address)]/") }
        #expect(error?.code == .invalidURL)
        #expect(IPAddressBytes(address)?.bytes.count != 16)
    }

    @Test(arguments: ["01.2.3.4", "1.2.3.04", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1..2.3", "", "1.2.3.4.", "0x1.2.3.4"])
    func aNumberWithALeadingZeroIsNoIPv4Address(address: String) { #expect(IPAddressBytes(address) == nil) }
}
