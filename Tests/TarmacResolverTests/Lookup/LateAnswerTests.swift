#if Tools
@_spi(TarmacRooms) import TarmacCore
import TarmacResolver
import TarmacTesting
import Testing

/// A DNS server that answers late for one version of addresses (RFC 8305 §3).
@Suite(.timeLimit(.minutes(2)))
struct LateAnswerTests {
    private let time = ManualTime(), gate = Watched(false), asked = Watched(0)

    private func lookup() throws -> NameLookup {
        let answer = DoHServer.answer(Watched(["2400::1", "1.2.3.4"]), life: 900, fault: .isLate(gate)), asked = asked
        let settings = ConnectionSettings { $0.resolver = .https("http://127.0.0.1/dns-query{?dns}", at: []) }
        return try NameLookup(settings, time: time) { _ in
            StubTransport { request in
                asked.update { $0 += 1 }
                return try await answer(request)
            }
        }
    }

    /// Returns the addresses that are there after the time in which those of the other version may come.
    private func part(of lookup: NameLookup) async throws -> [HostAddress] {
        async let part = lookup.addresses(of: "shop.example", for: Exchange(delivery: .streamed))
        // The limit of the resolver, and that time.
        try await time.hasSleepers(count: 2)
        time.advance(by: .milliseconds(250))
        return try await part
    }

    private func texts(_ lookup: NameLookup) async throws -> [String] {
        try await lookup.addresses(of: "shop.example", for: Exchange(delivery: .streamed)).map(\.text)
    }

    @Test func addressesOfOneVersionAreUsedAndThoseOfTheOtherFollow() async throws {
        let lookup = try lookup(), part = try await part(of: lookup)
        #expect(part.map(\.text) == ["2400:0:0:0:0:0:0:1"])
        #expect(try await texts(lookup) == ["2400:0:0:0:0:0:0:1"] && lookup.isAsked("shop.example"))
        async let others = lookup.others(of: "shop.example", than: part, for: nil)
        gate.update { $0 = true }
        #expect(try await others.map(\.text) == ["1.2.3.4"])
        time.advance(by: .seconds(899))
        #expect(try await texts(lookup).count == 2 && asked.value == 2)
    }

    /// It is no failure of the resolver, and is asked for again later.
    @Test func partServesIfTheRestNeverComes() async throws {
        let lookup = try lookup(), part = try await part(of: lookup)
        time.advance(by: .seconds(10))
        await eventually { !lookup.isAsked("shop.example") }
        #expect(try await texts(lookup) == part.map(\.text) && asked.value == 2)
        gate.update { $0 = true }
        time.advance(by: .seconds(30))
        #expect(try await texts(lookup).count == 2 && asked.value == 4)
    }

    /// A request whose addresses lead nowhere asks for the other version at once.
    @Test func restIsAskedForAgainWhenThePartLeadsNowhere() async throws {
        let lookup = try lookup(), part = try await part(of: lookup)
        time.advance(by: .seconds(10))
        await eventually { !lookup.isAsked("shop.example") }
        gate.update { $0 = true }
        #expect(try await lookup.others(of: "shop.example", than: part, for: nil).map(\.text) == ["1.2.3.4"] && asked.value == 4)
    }
}
#endif
