#if Tools
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore
import TarmacNIO
import TarmacTesting
import Testing

/// Questions to a DNS server over HTTP, and what their answers lead to.
@Suite(.timeLimit(.minutes(5)))
struct DoHTests {
    @Test(arguments: [true, false]) func addressesAreAskedForOnce(_ asksByGET: Bool) async throws {
        let server = try await NamedServer()
        try await DoHServer.run(["127.0.0.1"]) { dns in
            try await ResolverWire.with(dns.resolver(asksByGET: asksByGET)) { transport in
                for _ in 0..<3 { try await transport.expect("ok", from: "https://shop.example:\(server.port)/") }
            }
            #expect(dns.questions == 2)
            #expect(dns.server.requests.allSatisfy { $0.method == (asksByGET ? .get : .post) && $0.headers[.accept] == "application/dns-message" })
        }
        await server.stop()
    }

    /// A server that does not answer for one version of addresses does not keep those of the other.
    @Test(arguments: [DoHServer.Fault.refuses, .isSilent]) func answerForOneVersionIsEnough(_ fault: DoHServer.Fault) async throws {
        let server = try await NamedServer()
        try await DoHServer.run(["127.0.0.1"], fault: fault) { dns in
            let text = try await ResolverWire.call(dns.resolver(), "https://shop.example:\(server.port)")
            #expect(text == "ok")
        }
        await server.stop()
    }

    /// RFC 8484 §5.1.
    @Test func timeInCachesCounts() async throws {
        let server = try await NamedServer()
        try await DoHServer.run(["127.0.0.1"], life: 3_600, age: 3_600) { dns in
            try await ResolverWire.with(dns.resolver()) { transport in
                try await eventually(trying: {
                    _ = try await transport.text("https://shop.example:\(server.port)/")
                    return dns.questions >= 4
                })
            }
        }
        await server.stop()
    }

    @Test func nameThatDoesNotExistIsAnErrorAndNotAskedAgain() async throws {
        try await DoHServer.run([]) { dns in
            try await ResolverWire.with(dns.resolver()) { transport in
                for _ in 0..<3 { #expect(await transport.failure("https://none.example/") == .cannotFindHost) }
            }
            #expect(dns.questions == 2)
        }
    }

    @Test(arguments: [HTTPResponse.Status.forbidden, .badGateway]) func serverThatRefusesFallsToTheNext(_ status: HTTPResponse.Status) async throws {
        let server = try await NamedServer()
        try await DoHServer.run(["192.0.2.1"], status: status) { dns in
            try await ResolverWire.with(.first([dns.resolver(), .fixed(["shop.example": ["127.0.0.1"]])])) { transport in
                try await transport.expect("ok", from: "https://shop.example:\(server.port)/")
            }
        }
        await server.stop()
    }

    @Test func silentServerFallsToTheNextAtItsLimit() async throws {
        let (server, silent) = (try await NamedServer(), try DeadPort.silent())
        let resolver = Resolver.first(
            [.https(silent.url("/dns-query").string, at: []), .fixed(["shop.example": ["127.0.0.1"]])], limit: .milliseconds(100))
        try await ResolverWire.with(resolver) { transport in
            try await transport.expect("ok", from: "https://shop.example:\(server.port)/")
        }
        await server.stop()
    }

    /// DNS rebinding: nothing is sent to an address of the user's own network.
    @Test func privateAddressIsNotConnectedTo() async throws {
        let server = try await NamedServer()
        try await DoHServer.run(["127.0.0.1"]) { dns in
            var resolver = dns.resolver()
            resolver.refusesPrivateAddresses = true
            try await ResolverWire.with(resolver) { transport in
                #expect(await transport.failure("https://shop.example:\(server.port)/") == .cannotFindHost)
            }
        }
        #expect(server.log.value.connections == 0)
        await server.stop()
    }

    /// The questions themselves go to the addresses that the setting has, with the name of the server.
    @Test func serverIsReachedAtItsAddresses() async throws {
        let server = try await NamedServer()
        // The certificate is not trusted by the system, as that of a DNS server must be: the handshake names the server, and no more.
        try await ResolverWire.with(.https("https://shop.example:\(server.port)/dns-query", at: ["127.0.0.1"])) { transport in
            #expect(await transport.failure("https://other.example/") == .cannotFindHost)
        }
        #expect(server.log.value.names.contains("shop.example") && server.log.value.hosts.isEmpty)
        await server.stop()
    }
}
#endif
