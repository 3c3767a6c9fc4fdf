#if Tools
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacNIO
import TarmacTesting
import TarmacURLSession
import Testing

/// The name of a host stays its name, whatever address it has: in the handshake, for certificates and pins, and in the request.
@Suite(.timeLimit(.minutes(5)))
struct NameTests {
    private static let fixed = Resolver.fixed(["shop.example": ["127.0.0.1"], "other.example": ["127.0.0.1"]])

    @Test(arguments: [ConnectionSettings.HTTPVersions.automatic, .http1Only])
    func nameIsThatOfTheURLOnTheWire(_ versions: ConnectionSettings.HTTPVersions) async throws {
        let server = try await NamedServer()
        try await ResolverWire.with(Self.fixed, { $0.httpVersions = versions }) { transport in
            for isFresh in [false, false, true] { try await transport.expect("ok", from: "https://shop.example:\(server.port)/", fresh: isFresh) }
        }
        #expect(server.log.value.names == ["shop.example", "shop.example"])
        #expect(server.log.value.hosts == Array(repeating: "shop.example:\(server.port)", count: 3))
        await server.stop()
    }

    @Test func certificateOfAnotherNameIsRefused() async throws {
        let server = try await NamedServer()
        try await ResolverWire.with(Self.fixed) { transport in
            #expect(await transport.failure("https://other.example:\(server.port)/") == .hostnameMismatch)
        }
        #expect(server.log.value.names.contains("other.example") && server.log.value.hosts.isEmpty)
        await server.stop()
    }

    @Test func addressInAURLIsNotLookedUp() async throws {
        let server = try await NamedServer()
        try await ResolverWire.with(.fixed([:]), { $0.insecurelySkipsHostName = true }) { transport in
            try await transport.expect("ok", from: "https://127.0.0.1:\(server.port)/")
            try await transport.expect("ok", from: "https://localhost:\(server.port)/")
            #expect(await transport.failure("https://shop.example:\(server.port)/") == .cannotFindHost)
        }
        await server.stop()
    }

    @Test(arguments: [(ShopCertificate.keyPin, true), (ShopCertificate.issuerPin, true), (ShopCertificate.otherPin, false)])
    func pinsAreThoseOfTheName(_ pin: Pin, _ isGood: Bool) async throws {
        let server = try await NamedServer()
        try await ResolverWire.with(Self.fixed, { $0.pins = [PinSet("shop.example", [pin], allowsSinglePin: true)] }) { transport in
            let code = await transport.failure("https://shop.example:\(server.port)/")
            #expect(code == (isGood ? nil : .pinMismatch))
        }
        #expect(server.log.value.hosts.count == (isGood ? 1 : 0))
        #expect(server.log.value.names.allSatisfy { $0 == "shop.example" })
        await server.stop()
    }

    /// The probe that explains a refused certificate goes to the same address.
    @Test func refusedCertificateIsExplained() async throws {
        let server = try await NamedServer()
        try await ResolverWire.with(Self.fixed, { $0.trust = .system }) { transport in
            #expect(await transport.failure("https://shop.example:\(server.port)/") == .untrustedCertificate)
        }
        // The connection of the request, and the one that looks.
        #expect(server.log.value.names == ["shop.example", "shop.example"])
        await server.stop()
    }

    @Test func urlSessionRefusesAnotherResolver() throws {
        let error = try #require(throws: TarmacError.self) {
            _ = try TransportFactory.urlSession.makeTransport(ConnectionSettings { $0.resolver = Self.fixed })
        }
        #expect(error.code == .unsupported && error.reason.hasPrefix("resolver: "))
    }

    @Test func clientUsesIt() async throws {
        let server = try await NamedServer()
        let vendor = Resolver.custom { name in name == "shop.example" ? "127.0.0.1,60" : "0" }
        #expect(try await ResolverWire.call(.first([vendor, .system]), "https://shop.example:\(server.port)") == "ok")
        await server.stop()
    }
}
#endif
