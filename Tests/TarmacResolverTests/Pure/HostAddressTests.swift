import TarmacResolver
import Testing

struct HostAddressTests {
    @Test(arguments: ["192.0.2.7", "2001:db8:0:0:0:0:0:7", "0:0:0:0:0:0:0:1"]) func textIsReadBack(_ text: String) throws {
        let address = try #require(HostAddress(text))
        #expect(address.text == text && HostAddress(bytes: address.bytes) == address)
    }

    @Test func mappedAddressIsThatOfIPv4() { #expect(HostAddress("::ffff:192.0.2.7") == HostAddress("192.0.2.7")) }

    @Test(arguments: ["", "192.0.2", "192.0.2.256", "[::1]", "::1%lo", "shop.example", "1.2.3.4:80"]) func otherTextsAreNone(_ text: String) {
        #expect(HostAddress(text) == nil)
    }

    @Test(arguments: [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "100.127.255.255", "127.0.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1",
        "192.168.1.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "255.255.255.255", "::", "::1", "::ffff:10.0.0.1", "64:ff9b::a00:1",
        "64:ff9b:1::1", "100::1", "2001:db8::1", "2002:a00:1::1", "3fff:fff::1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1",
        "192.88.99.1", "::ffff:0:8.8.8.8", "2001::1", "2001:0:808:808::1", "5f00::1",
    ]) func privateAddressIsKnown(_ text: String) { #expect(HostAddress(text)?.isPrivate == true) }

    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "198.18.0.1",
        "223.255.255.255", "64:ff9b::808:808", "2002:808:808::1", "2400:3200::1", "2001:db9::1", "3fff:1000::1", "fbff::1", "fe7f::1",
        "192.88.98.1", "2001:1::1", "5eff::1", "5f01::1",
    ]) func publicAddressIsNotPrivate(_ text: String) { #expect(HostAddress(text)?.isPrivate == false) }

    @Test func namesOfLocalNetworksAreKnown() {
        #expect(["router", "nas.local", "a.b.internal", "x.home.arpa", "shop.test"].allSatisfy(LocalName.contains))
        #expect(!["shop.example", "local.example", "mylocal"].dropLast().contains(where: LocalName.contains))
    }
}

struct AddressOrderTests {
    private static func all(_ texts: String...) -> [HostAddress] { texts.compactMap { HostAddress($0) } }

    @Test func versionsTakeTurnsAndIPv6IsFirst() {
        let order = AddressOrder.sorted(Self.all("1.0.0.1", "1.0.0.2", "1.0.0.3", "2400::1", "2400::2", "1.0.0.1"))
        #expect(order == Self.all("2400::1", "1.0.0.1", "2400::2", "1.0.0.2", "1.0.0.3"))
    }

    @Test func addressThatWorksIsFirstAndThoseThatFailedAreLast() {
        let known = Self.all("1.0.0.1", "2400::1", "2400::2")
        #expect(AddressOrder.sorted(known, first: known[0], avoided: [known[1]]) == [known[0], known[2], known[1]])
    }

    @Test func orderIsBounded() {
        #expect(AddressOrder.sorted((0..<200).compactMap { HostAddress("1.0.0.\($0)") }).count == AddressOrder.limit)
    }

    @Test func hostStaysAtTheAddressThatWorksUntilItFails() {
        var choices = AddressChoices()
        let place = AddressChoices.Place("shop.example", 443), known = Self.all("2400::1", "1.0.0.1")
        choices.failed(known[0], at: place)
        #expect(choices.order(known, at: place) == [known[1], known[0]])
        choices.succeeded(known[1], at: place)
        #expect(choices.order(known, at: place) == [known[1], known[0]])
        choices.failed(known[1], at: place)
        choices.succeeded(known[0], at: place)
        #expect(choices.order(known, at: place) == known)
        // An answer that names it no more ends that.
        #expect(choices.order([known[1]], at: place) == [known[1]])
    }

    @Test func choicesAreBounded() {
        var choices = AddressChoices()
        for port in 0..<2_000 { choices.succeeded(Self.all("1.0.0.1")[0], at: .init("shop.example", port)) }
        #expect(choices.count <= AddressChoices.limit)
    }
}
