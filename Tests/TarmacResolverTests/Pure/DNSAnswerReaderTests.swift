import TarmacResolver
import TarmacTesting
import Testing

struct DNSAnswerReaderTests {
    private static let name = "www.shop.example"

    private static func read(_ message: DNSMessage, _ kind: DNSQuestion.Kind = .ipv4) throws -> NameAnswer {
        try DNSAnswerReader.read(message.bytes, to: name, kind)
    }

    private static func answer(_ addresses: [String], _ life: Duration) -> NameAnswer { NameAnswer(addresses.compactMap { HostAddress($0) }, life: life) }

    @Test func questionIsThatOfTheStandard() {
        // RFC 8484 §4.1.1.
        let asked = DNSQuestion.message("www.example.com", .ipv4)
        #expect(asked == [0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 119, 119, 119, 7, 101, 120, 97, 109, 112, 108, 101, 3, 99, 111, 109, 0, 0, 1, 0, 1])
        #expect(DNSQuestion.message("WWW.example.com.", .ipv4) == asked)
    }

    @Test(arguments: ["", ".", "a..b", String(repeating: "a", count: 64), Array(repeating: "abcdefg", count: 32).joined(separator: ".")])
    func nameThatNoQuestionHoldsIsRefused(_ name: String) { #expect(DNSQuestion.message(name, .ipv4) == nil) }

    @Test func addressesAreReadWithTheirShortestLife() throws {
        let old = DNSMessage(name: "WWW.Shop.example", records: [DNSMessage.address("192.0.2.1", life: 60), DNSMessage.address("192.0.2.2", life: 30)])
        #expect(try Self.read(old) == Self.answer(["192.0.2.1", "192.0.2.2"], .seconds(30)))
        let new = DNSMessage(name: Self.name, kind: .ipv6, records: [DNSMessage.address("2001:db8::1")])
        #expect(try Self.read(new, .ipv6).addresses.map(\.text) == ["2001:db8:0:0:0:0:0:1"])
    }

    @Test func aliasesAreFollowedWithTheirLife() throws {
        let edge = DNSMessage.labels("edge.cdn.example")
        let message = DNSMessage(
            name: Self.name,
            records: [
                DNSMessage.address("192.0.2.9", life: 500, of: edge), (DNSMessage.asked, 5, 20, edge),
                DNSMessage.address("198.51.100.1", of: DNSMessage.labels("evil.example")),
            ])
        #expect(try Self.read(message) == Self.answer(["192.0.2.9"], .seconds(20)))
    }

    @Test func aliasThatLeadsToItselfEnds() throws {
        let message = DNSMessage(name: Self.name, records: [(DNSMessage.asked, 5, 20, DNSMessage.asked)])
        #expect(throws: AnswerFault.self) { try Self.read(message) }
    }

    @Test func answerWithoutAddressesCountsAsLongAsTheZoneSays() throws {
        for flags: UInt16 in [0x8183, 0x8180] {
            let message = DNSMessage(name: Self.name, flags: flags, authorities: [DNSMessage.zone(life: 900, minimum: 12)])
            #expect(try Self.read(message) == NameAnswer([], life: .seconds(12)))
        }
    }

    /// What a name has is not read from an answer that says there is no such name.
    @Test func addressesOfANameThatDoesNotExistAreNone() throws {
        let message = DNSMessage(name: Self.name, flags: 0x8183, records: [DNSMessage.address("192.0.2.1")])
        #expect(try Self.read(message).addresses.isEmpty)
    }

    @Test func otherMessagesAreRefused() {
        let good = [DNSMessage.address("192.0.2.1")]
        let bad = [
            DNSMessage(name: "other.example", records: good), DNSMessage(name: Self.name, kind: .ipv6, records: good),
            DNSMessage(name: Self.name, flags: 0x0100, records: good), DNSMessage(name: Self.name, flags: 0x8182, records: good),
            DNSMessage(name: Self.name, flags: 0x8380, records: good), DNSMessage(name: Self.name, flags: 0x8980, records: good),
        ]
        for message in bad { #expect(throws: AnswerFault.self) { try Self.read(message) } }
    }

    /// A pointer leads back. One that leads to itself, forward or around is refused.
    @Test(arguments: [[0xC0, 12], [0xC0, 14], [0xC0, 0xFF], [0xFF, 0xFF], [1, 97, 0xC0, 12], [0x40, 0], [0x80, 0]] as [[UInt8]])
    func nameThatLeadsToItselfIsRefused(_ name: [UInt8]) {
        let head: [UInt8] = [0, 0, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]
        #expect(throws: AnswerFault.self) { try DNSAnswerReader.read(head + name + [0, 1, 0, 1], to: Self.name, .ipv4) }
    }

    @Test func pointerThatLeadsForwardIsRefused() {
        // It leads to the data of its own record, which begins at 46.
        let message = DNSMessage(name: Self.name, records: [([0xC0, 46], 16, 60, DNSMessage.labels(Self.name))])
        #expect(throws: AnswerFault.self) { try Self.read(message) }
    }

    @Test func chainOfPointersIsBounded() {
        // Each pointer leads to the one before.
        var chain: [UInt8] = [0]
        for index in 0..<100 { chain += [0xC0 | UInt8((46 + max(0, 2 * index - 1)) >> 8), UInt8(truncatingIfNeeded: 46 + max(0, 2 * index - 1))] }
        var message = DNSMessage(name: Self.name, records: [(DNSMessage.asked, 16, 60, chain)])
        let start = message.bytes.count - chain.count
        #expect(start == 46)
        let last = start + chain.count - 2
        message.records.append(([0xC0 | UInt8(last >> 8), UInt8(truncatingIfNeeded: last)], 1, 60, [192, 0, 2, 1]))
        #expect(throws: AnswerFault.self) { try Self.read(message) }
    }

    @Test func answerThatEndsAnywhereIsRefused() throws {
        let message = DNSMessage(name: Self.name, records: [DNSMessage.address("192.0.2.1"), DNSMessage.address("192.0.2.2")])
        let bytes = message.bytes
        for count in 0..<bytes.count { #expect(throws: AnswerFault.self) { try DNSAnswerReader.read(Array(bytes.prefix(count)), to: Self.name, .ipv4) } }
        #expect(throws: AnswerFault.self) { try DNSAnswerReader.read(bytes + Array(repeating: 0, count: 70_000), to: Self.name, .ipv4) }
    }

    /// Whatever the bytes are, there is an answer or an error, and an answer is within its bounds.
    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func noBytesEndTheReader(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let edge = DNSMessage.labels("edge.cdn.example")
        let seeds = [
            DNSMessage(name: Self.name, records: [(DNSMessage.asked, 5, 20, edge), DNSMessage.address("192.0.2.9", of: edge)]).bytes,
            DNSMessage(name: Self.name, kind: .ipv6, records: [DNSMessage.address("2001:db8::1")]).bytes,
            DNSMessage(name: Self.name, flags: 0x8183, authorities: [DNSMessage.zone(life: 900, minimum: 12)]).bytes,
        ]
        var read = 0
        for turn in 0..<20_000 {
            var bytes = seeds[turn % seeds.count]
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[place] = [0, 0xC0, 0xFF, 63, 12][Int.random(in: 0..<5, using: &random)]
                case 2: bytes.insert(contentsOf: random.bytes(Int.random(in: 1...8, using: &random)), at: place)
                case 3: bytes = Array(bytes.prefix(place + 1))
                default: bytes.insert(contentsOf: bytes[place...].prefix(30), at: place)
                }
            }
            let kind: DNSQuestion.Kind = turn % 3 == 1 ? .ipv6 : .ipv4
            guard let answer = try? DNSAnswerReader.read(bytes, to: Self.name, kind) else { continue }
            read += 1
            #expect(answer.addresses.count <= NameAnswer.limit && answer.life >= .zero && answer.life <= .seconds(0x7FFF_FFFF))
            #expect(answer.addresses.allSatisfy { kind == .ipv6 || !$0.isIPv6 })
        }
        #expect(read > 1_000)
    }
}
