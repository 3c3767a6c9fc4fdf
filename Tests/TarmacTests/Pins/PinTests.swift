import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacDigest
import TarmacTesting
import Testing

/// Pins as they are written, and what is refused (QSP-3, QSP-4).
struct PinTests {
    private static let first: Pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    private static let second: Pin = "sha256/BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="

    @Test(arguments: CertificateSample.all) func allWaysToWriteAPinAreOnePin(_ sample: CertificateSample) {
        let key = Pin.key(of: sample.der)
        #expect(key == .key(sample.keyPin))
        #expect(key == .key("sha256/" + sample.keyPin.dropFirst("sha256".count)))
        let certificate = Pin.certificate(sample.der)
        #expect(certificate == .certificate(sha256: sample.certificatePin))
        let print = PublicHash.hash(sample.der).map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: ":")
        #expect(certificate == .certificate(sha256: print))
        #expect(certificate == .certificate(sha256: "sha256 Fingerprint=" + print.lowercased()))
        #expect(certificate != .key(sample.certificatePin), "a pin of one kind is none of the other")
    }

    static let malformed: [(Pin, String)] = [
        (.key(""), "sha256/"), (.key("sha1/AAAA"), "\"sha1/AAAA\""), (.key("sha256/"), "0 bytes"), (.key("sha256/????"), "base64"),
        (.key("sha256/AAAA"), "3 bytes"), (.key("SHA256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="), "SHA256"),
        (.key("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"), "33 bytes"), (.key(" sha256/AAAA"), "begin"),
        (.key("AB:CD"), "AB:CD"), (.certificate(sha256: "AB:CD"), "AB:CD"), (.certificate([1, 2, 3]), "3 bytes"),
        (.certificate(sha256: Array(repeating: "ZZ", count: 32).joined(separator: ":")), "ZZ"),
        (.certificate(Array("-----BEGIN CERTIFICATE-----".utf8)), "PEM"), (.key(of: []), "0 bytes"),
        (.key("sha256/" + String(repeating: "x", count: 5_000)), "3750 bytes"),
    ]

    @Test(arguments: malformed.indices) func whatIsNoPinIsRefusedByName(_ index: Int) throws {
        let (pin, text) = Self.malformed[index]
        let settings = ConnectionSettings { $0.pins = [PinSet("a.example", [Self.first, pin])] }
        let error = try #require(throws: TarmacError.self) { try Self.make(settings) }
        #expect(error.code == .invalidOption)
        #expect(error.reason.contains(text) && error.reason.contains("a.example"), "\(error.reason)")
        #expect(error.reason.utf8.count < 400)
    }

    @Test func aSinglePinIsRefusedUnlessThatIsMeant() throws {
        for pins in [[Self.first], [Self.first, Self.first]] {
            let error = try #require(throws: TarmacError.self) { try Self.make(ConnectionSettings { $0.pins = [PinSet("a.example", pins)] }) }
            #expect(error.code == .invalidOption && error.suggestion?.contains("allowsSinglePin") == true)
            try Self.make(ConnectionSettings { $0.pins = [PinSet("a.example", pins, allowsSinglePin: true)] })
        }
        #expect(throws: TarmacError.self) { try Self.make(ConnectionSettings { $0.pins = [PinSet("a.example", [], allowsSinglePin: true)] }) }
        try Self.make(ConnectionSettings { $0.pins = [PinSet("a.example", [Self.first, Self.second])] })
    }

    @Test(arguments: [
        "", "*", "*.", "a b", "https://a.example", "a.example:443", "a.example:8443", "a.example/x", "a.example?x", "a.example#x", "a..b", "*.*.a",
        "u@a.example", "[::1]:443", "*.127.0.0.1", "*.[::1]", "1.2.3.4.5", "::1",
    ])
    func whatIsNoHostIsRefusedByName(_ host: String) throws {
        let set = PinSet(host, [Self.first, Self.second])
        let error = try #require(throws: TarmacError.self) { try Self.make(ConnectionSettings { $0.pins = [set] }) }
        #expect(error.code == .invalidOption && error.reason.contains("\"\(host)\""), "\(error.reason)")
    }

    @Test(arguments: [
        ["a.example", "A.example"], ["*.a.example", "*.a.example"], ["a.example", "a.example."],
    ])
    func twoSetsForAHostAreRefused(_ hosts: [String]) throws {
        let sets = hosts.map { PinSet($0, [Self.first, Self.second]) }
        let error = try #require(throws: TarmacError.self) { try Self.make(ConnectionSettings { $0.pins = Pins(sets) }) }
        #expect(error.code == .invalidOption && error.reason.contains("two pin sets"))
    }

    @Test func aHostAndThoseBelowItMayHaveSetsOfTheirOwn() throws {
        let sets = ["a.example", "*.a.example", "*.b.a.example"].map { PinSet($0, [Self.first, Self.second]) }
        try Self.make(ConnectionSettings { $0.pins = Pins(sets) })
        let below = [PinSet("a.example", [Self.first, Self.second], includesSubdomains: true), sets[1]]
        #expect(throws: TarmacError.self) { try Self.make(ConnectionSettings { $0.pins = Pins(below) }) }
    }

    @Test func faultyPinsFailTheCallAndNotTheProcess() async throws {
        let service = Service("s", host: "https://a.example", connection: ConnectionSettings { $0.pins = [PinSet("a.example", ["sha256/x"])] })
        let stub = StubTransport { _ in .text("x") }
        let client = Client(transport: .stub(stub), services: [service])
        let error = await #expect(throws: TarmacError.self) { try await client.get("/") }
        #expect(error?.code == .invalidOption && stub.requests.isEmpty)
    }

    private static func make(_ settings: ConnectionSettings) throws {
        _ = try TransportFactory.stub { _ in .text("x") }.makeTransport(settings)
    }
}
