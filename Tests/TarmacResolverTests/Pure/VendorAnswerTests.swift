import TarmacResolver
import TarmacTesting
import Testing

struct VendorAnswerTests {
    @Test(arguments: [
        (#"{"host":"shop.example","ips":["1.2.3.4","1.2.3.5"],"ttl":57,"origin_ttl":120}"#, ["1.2.3.4", "1.2.3.5"], 57),
        (#" {"ips":[],"ipsv6":["2400:3200:1300:0:0:0:0:1"],"ttl":5} "#, ["2400:3200:1300:0:0:0:0:1"], 5), (#"{"ips":["1.2.3.4"]}"#, ["1.2.3.4"], 60),
        (#"{"ips":["1.2.3.4"],"ttl":-3}"#, ["1.2.3.4"], 0), ("1.2.3.4;1.2.3.5,60\n", ["1.2.3.4", "1.2.3.5"], 60), ("1.2.3.4", ["1.2.3.4"], 60),
        ("1.2.3.4,33-2400:3200:0:0:0:0:0:1,20", ["1.2.3.4", "2400:3200:0:0:0:0:0:1"], 20), ("0", [], 60), ("", [], 0), ("0,10", [], 10),
    ]) func commonFormsAreRead(_ text: String, _ addresses: [String], _ seconds: Int) throws {
        let answer = try VendorAnswer.read(text)
        #expect(answer.addresses.map(\.text) == addresses && answer.life == .seconds(seconds))
    }

    @Test(arguments: [
        "{", #"{"ips":["shop.example"]}"#, #"{"ips":[7]}"#, "<html>login</html>", "1.2.3.4;evil", "1.2.3.4,soon", "1.2.3.4 1.2.3.5",
        String(repeating: "1.2.3.4;", count: 10_000),
    ]) func otherTextsAreRefused(_ text: String) { #expect(throws: AnswerFault.self) { try VendorAnswer.read(text) } }

    @Test func answerIsBounded() throws {
        #expect(try VendorAnswer.read(Array(repeating: "1.2.3.4", count: 500).joined(separator: ";")).addresses.count == NameAnswer.limit)
        #expect(try VendorAnswer.read(#"{"ips":["1.2.3.4"],"ttl":9223372036854775807}"#).life == .seconds(0x7FFF_FFFF))
    }
}
