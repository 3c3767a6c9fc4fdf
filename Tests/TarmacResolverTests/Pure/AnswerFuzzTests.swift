import TarmacResolver
import TarmacTesting
import Testing

/// Answers of hostile name servers. `scripts/fuzz readers` fuzzes them for longer.
@Suite("Hostile answers of name servers", .timeLimit(.minutes(30)))
struct AnswerFuzzTests {
    @Test(arguments: readers) func noBytesEndTheProcess(reader: FuzzedReader) throws {
        for seed in reader.seeds { #expect(throws: Never.self, "\(reader.name)") { try reader.read(seed) } }
        #expect(FuzzBudget.spend(on: reader) > 0)
    }

    private static let name = "www.shop.example"

    private static let messages = [
        DNSMessage(name: name, records: [DNSMessage.address("192.0.2.1"), DNSMessage.address("192.0.2.2", life: 30)]),
        DNSMessage(name: name, records: [(DNSMessage.asked, 5, 20, DNSMessage.labels("edge.cdn.example"))]),
        DNSMessage(name: name, authorities: [DNSMessage.zone(life: 900, minimum: 12)]),
    ]

    private static let readers = [
        FuzzedReader("dns-answer", bytes: messages.map(\.bytes)) { bytes in
            for kind in [DNSQuestion.Kind.ipv6, .ipv4] {
                do { _ = try DNSAnswerReader.read(bytes, to: name, kind).addresses.map(\.text) } catch { continue }
            }
        },
        FuzzedReader(text: "vendor-answer", ["192.0.2.7;192.0.2.8,60", #"{"ips":["192.0.2.1"],"ipsv6":["2001:db8::1"],"ttl":60}"#, "0"]) { text in
            let answer = try VendorAnswer.read(text)
            #expect(answer.addresses.count <= NameAnswer.limit && answer.life >= .zero)
        },
    ]
}
