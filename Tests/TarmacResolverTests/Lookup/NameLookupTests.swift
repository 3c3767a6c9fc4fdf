import HTTPTypes
@_spi(TarmacRooms) import TarmacCore
import TarmacResolver
import TarmacTesting
import Testing

/// Questions, the cache and the order of resolvers, with time that the test moves.
@Suite(.timeLimit(.minutes(2)))
struct NameLookupTests {
    typealias Resolver = ConnectionSettings.ResolverSetting

    private let time = ManualTime()
    private let asked = Watched<[String]>([])

    /// A vendor's service that gives the answers in turn, the last one again and again.
    private func vendor(_ answers: String...) -> Resolver {
        .custom { [asked] name in
            let number = asked.update { asked in
                defer { asked.append(name) }
                return asked.count
            }
            return answers[min(number, answers.count - 1)]
        }
    }

    private static func broken() -> Resolver { .custom { _ in throw CancellationError() } }

    private func lookup(_ resolver: Resolver) throws -> NameLookup {
        try NameLookup(ConnectionSettings { $0.resolver = resolver }, time: time) { _ in StubTransport { _ in .status(.noContent) } }
    }

    private func addresses(_ lookup: NameLookup, _ name: String = "shop.example") async throws -> [String] {
        try await lookup.addresses(of: name, for: Exchange(delivery: .streamed)).map(\.text)
    }

    private func code(_ lookup: NameLookup, _ exchange: Exchange = Exchange(delivery: .streamed)) async -> TarmacError.Code? {
        do { _ = try await lookup.addresses(of: "shop.example", for: exchange) } catch { return (error as? TarmacError)?.code }
        return nil
    }

    @Test func fixedNamesAreFoundAndNoOthers() async throws {
        let lookup = try lookup(.fixed(["Shop.example": ["1.2.3.4", "2400::1"]]))
        #expect(try await addresses(lookup) == ["1.2.3.4", "2400:0:0:0:0:0:0:1"])
        let error = try await #require(throws: TarmacError.self) { try await addresses(lookup, "other.example") }
        #expect(error.code == .cannotFindHost && error.phase == .connecting && error.reason.contains("other.example"))
    }

    /// A resolver that answers when the gate is open.
    private func gated(_ gate: Watched<Bool>) -> Resolver {
        .custom { [asked] name in
            asked.update { $0.append(name) }
            try await gate.wait { $0 }
            return "1.2.3.4,60"
        }
    }

    @Test func oneQuestionForAllThatAskAtOnce() async throws {
        let gate = Watched(false), lookup = try lookup(gated(gate))
        try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<50 { group.addTask { try await addresses(lookup) } }
            try await asked.wait { !$0.isEmpty }
            gate.update { $0 = true }
            for try await found in group { #expect(found == ["1.2.3.4"]) }
        }
        #expect(asked.value == ["shop.example"])
        #expect(try await addresses(lookup) == ["1.2.3.4"] && asked.value.count == 1)
    }

    @Test func newAnswerIsWaitedForWhenTheOldOneHasEnded() async throws {
        let lookup = try lookup(vendor("1.2.3.4,60", "1.2.3.5,60"))
        #expect(try await addresses(lookup) == ["1.2.3.4"])
        time.advance(by: .seconds(61))
        #expect(try await addresses(lookup) == ["1.2.3.5"])
        #expect(asked.value.count == 2)
    }

    @Test func oldAnswerServesIfTheNewOneTakesLong() async throws {
        let gate = Watched(false), asked = asked
        let lookup = try lookup(
            .custom { name in
                asked.update { $0.append(name) }
                if asked.value.count > 1 { try await gate.wait { $0 } }
                return "1.2.3.\(asked.value.count),60"
            })
        #expect(try await addresses(lookup) == ["1.2.3.1"])
        time.advance(by: .seconds(61))
        async let old = addresses(lookup)
        try await asked.wait { $0.count == 2 }
        // The limit of the resolver, and the patience of the call.
        try await time.hasSleepers(count: 2)
        time.advance(by: .milliseconds(1_800))
        let found = try await old
        #expect(found == ["1.2.3.1"])
        // A call that comes later does not wait.
        #expect(try await addresses(lookup) == ["1.2.3.1"])
        // A call that cannot connect to it waits for the question that goes on.
        async let others = lookup.others(of: "shop.example", than: found.compactMap { HostAddress($0) }, for: nil)
        gate.update { $0 = true }
        #expect(try await others.map(\.text) == ["1.2.3.2"])
        #expect(try await addresses(lookup) == ["1.2.3.2"] && asked.value.count == 2)
    }

    @Test func oldAnswerStaysWhenTheRefreshFails() async throws {
        let lookup = try lookup(vendor("1.2.3.4,60", "<html>", "1.2.3.5,60"))
        _ = try await addresses(lookup)
        time.advance(by: .seconds(61))
        for _ in 0..<3 { #expect(try await addresses(lookup) == ["1.2.3.4"]) }
        #expect(asked.value.count == 2)
        // If it leads nowhere, there is another question, and after a whole answer none.
        for _ in 0..<2 {
            let others = try await lookup.others(of: "shop.example", than: [], for: nil)
            #expect(others.map(\.text) == ["1.2.3.5"])
        }
        #expect(asked.value.count == 3)
    }

    /// A retry, and a call that waits for the network, ask again.
    @Test func failureIsNotRemembered() async throws {
        let lookup = try lookup(vendor("<html>", "1.2.3.4,60"))
        await #expect(throws: TarmacError.self) { try await addresses(lookup) }
        #expect(try await addresses(lookup) == ["1.2.3.4"])
    }

    @Test func noAddressBesideAFailureIsNotRemembered() async throws {
        let lookup = try lookup(.first([Self.broken(), vendor("0,600", "1.2.3.4,60")]))
        await #expect(throws: TarmacError.self) { try await addresses(lookup) }
        #expect(try await addresses(lookup) == ["1.2.3.4"])
    }

    @Test func manyNamesWaitForTheirTurn() async throws {
        let gate = Watched(false), lookup = try lookup(gated(gate))
        try await withThrowingTaskGroup(of: [String].self) { group in
            for number in 0..<600 { group.addTask { try await addresses(lookup, "\(number).example") } }
            try await asked.wait { $0.count == 256 }
            gate.update { $0 = true }
            for try await found in group { #expect(found == ["1.2.3.4"]) }
        }
        #expect(asked.value.count == 600)
    }

    @Test func thatThereIsNoneIsNotAskedAgainAtOnce() async throws {
        let lookup = try lookup(vendor("0,600", "1.2.3.4,60"))
        for _ in 0..<3 { await #expect(throws: TarmacError.self) { try await addresses(lookup) } }
        #expect(asked.value.count == 1)
        time.advance(by: .seconds(30))
        #expect(try await addresses(lookup) == ["1.2.3.4"])
    }

    @Test(arguments: ["0", "<html>", "10.0.0.1,60"]) func failureFallsToTheNext(_ answer: String) async throws {
        var resolver = Resolver.first([Self.broken(), vendor(answer), .first([.fixed([:]), .fixed(["shop.example": ["1.2.3.4"]])])])
        resolver.refusesPrivateAddresses = true
        #expect(try await addresses(lookup(resolver)) == ["1.2.3.4"])
    }

    @Test func silentResolverFallsToTheNextAtItsLimit() async throws {
        let silent = Watched(false), asked = asked
        let lookup = try lookup(
            .first(
                [
                    .custom { name in
                        asked.update { $0.append(name) }
                        try await silent.wait { $0 }
                        return ""
                    }, .fixed(["shop.example": ["1.2.3.4"]]),
                ], limit: .seconds(2)))
        async let found = addresses(lookup)
        try await asked.wait { !$0.isEmpty }
        try await time.hasSleepers()
        time.advance(by: .seconds(2))
        #expect(try await found == ["1.2.3.4"])
    }

    /// A closure that hangs and hears no cancellation does not keep the call.
    @Test func resolverThatHangsDoesNotKeepTheNext() async throws {
        let hanging = Settlement<String>(), asked = asked
        let lookup = try lookup(
            .first([
                .custom { name in
                    asked.update { $0.append(name) }
                    return try await Task.detached { try await hanging.value() }.value
                }, .fixed(["shop.example": ["1.2.3.4"]]),
            ]))
        async let found = addresses(lookup)
        try await asked.wait { !$0.isEmpty }
        try await time.hasSleepers()
        time.advance(by: .seconds(3))
        #expect(try await found == ["1.2.3.4"])
        hanging.settle(.success(""))
    }

    @Test func privateAddressesOfPublicNamesAreRefusedIfAsked() async throws {
        #expect(try await addresses(lookup(vendor("1.2.3.4;10.0.0.1,60"))) == ["1.2.3.4", "10.0.0.1"])
        var resolver = vendor("1.2.3.4;10.0.0.1,60")
        resolver.refusesPrivateAddresses = true
        let refusing = try lookup(resolver)
        let error = try await #require(throws: TarmacError.self) { try await addresses(refusing) }
        #expect(error.code == .cannotFindHost && error.reason.contains("private address"))
        #expect(try await addresses(refusing, "shop.internal").count == 2)
    }

    @Test func abortEndsTheWaitAndAShutdownToo() async throws {
        let silent = Watched(false), asked = asked
        let lookup = try lookup(
            .custom { name in
                asked.update { $0.append(name) }
                try await silent.wait { $0 }
                return ""
            })
        let exchange = Exchange(delivery: .streamed)
        async let aborted = code(lookup, exchange)
        try await asked.wait { !$0.isEmpty }
        exchange.abort(.failed(TarmacError(.connectTimeout, "test")))
        #expect(await aborted == .connectTimeout)
        async let ended = code(lookup)
        // It waits for the question that goes on.
        await Task.yield()
        await lookup.shutdown()
        #expect(await ended == .clientShutDown)
        #expect(await code(lookup) == .clientShutDown)
    }

    @Test func systemIsOneOfSeveral() async throws {
        let lookup = try lookup(.first([.fixed([:]), .system]))
        let found = try await addresses(lookup, "localhost")
        #expect(found.contains("127.0.0.1") || found.contains("0:0:0:0:0:0:0:1"))
    }

    static let unusable: [Resolver] = [
        .fixed(["shop.example": ["shop"]]), .fixed(["a b": ["1.2.3.4"]]), .https("http://dns.example/dns-query", at: ["1.2.3.4"]),
        .https("https://dns.example/dns-query", at: []), .https("https://dns.example/dns-query", at: ["dns.example"]),
        .https("nonsense{?dns}", at: ["1.2.3.4"]),
        .https("https://dns.example/dns-query?a=b", at: ["1.2.3.4"]), .first([]), .first([.system], limit: .zero), .first(Array(repeating: .system, count: 9)),
        .first([.first([.first([.first([.system])])])]),
    ]

    @Test(arguments: unusable) func settingThatCannotBeUsedIsRefused(_ resolver: Resolver) throws {
        let error = try #require(throws: TarmacError.self) { _ = try lookup(resolver) }
        #expect(error.code == .invalidOption && error.reason.hasPrefix("resolver: "))
    }
}
