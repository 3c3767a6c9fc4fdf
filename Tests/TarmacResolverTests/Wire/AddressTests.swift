#if Tools
@_spi(TarmacRooms) import TarmacCore
import TarmacNIO
import TarmacTesting
import Testing

/// Hosts with several addresses, of which some are dead (RFC 8305).
@Suite(.timeLimit(.minutes(5)))
struct AddressTests {
    private static func fixed(_ addresses: String...) -> Resolver { .fixed(["shop.example": addresses]) }

    /// A server, and an address before its own where connecting neither succeeds nor fails.
    private static func withBlackHole(isIPv6: Bool, _ body: (NamedServer) async throws -> Void) async throws {
        // Another socket may have the port on the other address.
        for _ in 0..<20 {
            let server = try await NamedServer()
            if let hole = BlackHole(isIPv6: isIPv6, port: server.port) {
                try await body(server)
                withExtendedLifetime(hole) {}
                return await server.stop()
            }
            await server.stop()
        }
        Issue.record("no port is free on both addresses")
    }

    /// The time limit of a connection is 10 s, and would end the call otherwise.
    @Test func silentIPv6AddressDoesNotStopTheCall() async throws {
        try await Self.withBlackHole(isIPv6: true) { server in
            let text = try await ResolverWire.call(Self.fixed("::1", "127.0.0.1"), "https://shop.example:\(server.port)", times: 3)
            #expect(text == "ok" && server.log.value.names.allSatisfy { $0 == "shop.example" } && server.log.value.hosts.count == 3)
        }
    }

    #if os(Linux)
    @Test func silentIPv4AddressDoesNotStopTheCall() async throws {
        try await Self.withBlackHole(isIPv6: false) { server in
            let text = try await ResolverWire.call(Self.fixed("127.0.0.2", "127.0.0.1"), "https://shop.example:\(server.port)")
            #expect(text == "ok")
        }
    }

    /// Calls that wait at the same time turn together.
    @Test func silentAddressStopsNoneOfManyCalls() async throws {
        try await Self.withBlackHole(isIPv6: false) { server in
            try await ResolverWire.with(Self.fixed("127.0.0.2", "127.0.0.1")) { transport in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<40 { group.addTask { try await transport.expect("ok", from: "https://shop.example:\(server.port)/") } }
                    try await group.waitForAll()
                }
            }
            #expect(server.log.value.hosts.count == 40)
        }
    }

    @Test func hostThatMovesIsFollowed() async throws {
        let first = try await NamedServer(text: "first"), second = try await NamedServer("127.0.0.2", port: first.port, text: "second")
        try await DoHServer.run(["127.0.0.1"], life: 1) { dns in
            try await ResolverWire.with(dns.resolver()) { transport in
                let url = "https://shop.example:\(first.port)/"
                try await transport.expect("first", from: url)
                dns.addresses.update { $0 = ["127.0.0.2"] }
                try await eventually(trying: { try await transport.text(url) == "second" })
                try await transport.expect("second", from: url)
            }
        }
        #expect(first.log.value.connections == 1 && second.log.value.connections == 1)
        await first.stop()
        await second.stop()
    }

    /// An answer that names the addresses in another order each time does not cost connections.
    @Test func hostStaysAtItsAddressWhileAnswersNameIt() async throws {
        let first = try await NamedServer(text: "first"), second = try await NamedServer("127.0.0.2", port: first.port, text: "second")
        try await DoHServer.run(["127.0.0.1", "127.0.0.2"], life: 1) { dns in
            try await ResolverWire.with(dns.resolver()) { transport in
                let url = "https://shop.example:\(first.port)/"
                try await transport.expect("first", from: url)
                dns.addresses.update { $0 = ["127.0.0.2", "127.0.0.1"] }
                try await eventually(trying: {
                    _ = try await transport.text(url)
                    return dns.questions >= 4
                })
                for _ in 0..<5 { try await transport.expect("first", from: url) }
            }
        }
        #expect(second.log.value.hosts.isEmpty)
        await first.stop()
        await second.stop()
    }
    #endif

    @Test func refusedAddressDoesNotStopTheCall() async throws {
        let server = try await NamedServer()
        try await ResolverWire.with(Self.fixed("::1", "127.0.0.1")) { transport in
            try await transport.expect("ok", from: "https://shop.example:\(server.port)/")
        }
        await server.stop()
    }

    @Test func eachAddressIsTriedOnceAndTheErrorIsThatOfConnecting() async throws {
        let port = try DeadPort.refusing()
        try await ResolverWire.with(Self.fixed("127.0.0.1", "::1")) { transport in
            #expect(await transport.failure("https://shop.example:\(port.port)/") == .connectionRefused)
        }
    }

    /// The network has no IPv6, and the addresses of that version are there first.
    @Test(arguments: [false, true]) func lateAddressIsWaitedForWhenTheOthersLeadNowhere(_ isSilent: Bool) async throws {
        try await Self.withBlackHole(isIPv6: true) { silent in
            let server = isSilent ? silent : try await NamedServer(), other = try await NamedServer("::1", text: "IPv6"), gate = Watched(false)
            try await DoHServer.run(["::1", "127.0.0.1"], fault: .isLate(gate)) { dns in
                defer { gate.update { $0 = true } }
                try await ResolverWire.with(dns.resolver()) { transport in
                    // The half of the answer is used.
                    try await transport.expect("IPv6", from: "https://shop.example:\(other.port)/")
                    async let text = transport.text("https://shop.example:\(server.port)/")
                    for _ in 0..<1_000 { await Task.yield() }
                    gate.update { $0 = true }
                    #expect(try await text == "ok")
                }
                #expect(dns.questions == 2)
            }
            await other.stop()
            if !isSilent { await server.stop() }
        }
    }

    /// A server that is slow to shake hands is not left for another: its address answers.
    @Test func slowHandshakeIsWaitedFor() async throws {
        let other = try await NamedServer(text: "other")
        let slow = try await NamedServer("::1", port: other.port, text: "slow", holdsFirst: true)
        try await ResolverWire.with(Self.fixed("::1", "127.0.0.1")) { transport in
            async let text = transport.text("https://shop.example:\(slow.port)/")
            // The connection of the race has come and gone.
            try await slow.log.wait { $0.connections == 2 && $0.closed >= 1 }
            slow.release()
            #expect(try await text == "slow")
        }
        #expect(other.log.value.connections == 0)
        await slow.stop()
        await other.stop()
    }

    /// A request that is given up while its address is silent leaves it: the next one begins elsewhere.
    @Test func nextCallBeginsAtAnotherAddress() async throws {
        try await Self.withBlackHole(isIPv6: true) { server in
            try await ResolverWire.with(Self.fixed("::1", "127.0.0.1")) { transport in
                let exchange = Exchange(delivery: .collected(limit: 10))
                async let code = transport.failure("https://shop.example:\(server.port)/", exchange)
                exchange.abort(.failed(TarmacError(.connectTimeout, "test")))
                #expect(await code == .connectTimeout)
                try await transport.expect("ok", from: "https://shop.example:\(server.port)/")
            }
        }
    }
}
#endif
