#if NIO
import NIOCore
import NIOPosix
import Tarmac
@_spi(TarmacRooms) import TarmacCore
@testable import TarmacNIO
import Testing

/// Connections of processes that run for long: how often and how long one is used, how many there are, and where they come from.
struct ConnectionLimitTests {
    @Test func connectionCarriesAsManyRequestsAsItMay() async throws {
        let server = try await NIORawServer { _ in [ok] }
        try await withTransport(ConnectionSettings { $0.usesPerConnection = 3 }) { transport in
            for _ in 0..<7 { try await expectOK(transport, try server.url()) }
        }
        #expect(server.seen.requests.map(\.number) == [0, 1, 2, 0, 1, 2, 0])
    }

    @Test func streamsAreCountedAsUsesOverHTTP2() async throws {
        let server = try await HTTP2Server { _ in [.headers([(":status", "204")], ends: true)] }
        try await withTransport(Self.trusting { $0.usesPerConnection = 2 }) { transport in
            for _ in 0..<6 { _ = try await transport.get(server.url()) }
        }
        #expect(Dictionary(grouping: server.seen.requests, by: \.connection).values.allSatisfy { $0.count <= 2 })
    }

    @Test(.timeLimit(.minutes(1))) func connectionOfAgeMakesRoomForANewOne() async throws {
        let server = try await NIORawServer { _ in [ok] }
        try await withTransport(ConnectionSettings { $0.connectionLifetime = .milliseconds(20) }) { transport in
            while server.seen.connections < 4 { try await expectOK(transport, try server.url()) }
            // An idle one is closed as well.
            await server.until { $0.closed == $0.connections }
        }
    }

    @Test(.timeLimit(.minutes(1))) func connectionOfAgeMakesRoomForANewOneOverHTTP2() async throws {
        let server = try await HTTP2Server { _ in [.headers([(":status", "200")]), .data("ok", ends: true)] }
        try await withTransport(Self.trusting { $0.connectionLifetime = .milliseconds(20) }) { transport in
            while server.seen.connections < 4 {
                try await withThrowingTaskGroup(of: String?.self) { group in
                    for _ in 0..<8 { group.addTask { try await transport.get(server.url()).text } }
                    for try await text in group { #expect(text == "ok") }
                }
            }
        }
    }

    /// A connection that is idle when it reaches its age, or when the server announces its end, is closed and not only left alone.
    @Test(.timeLimit(.minutes(1)), arguments: [true, false]) func idleConnectionThatTakesNoMoreRequestsIsClosedOverHTTP2(_ isOfAge: Bool) async throws {
        let server = try await HTTP2Server { _ in
            [.headers([(":status", "200")]), .data("ok", ends: true)] + (isOfAge ? [] : [.goAway(last: Int(Int32.max), closes: false)])
        }
        try await withTransport(Self.trusting { if isOfAge { $0.connectionLifetime = .milliseconds(20) } }) { transport in
            for count in 1...3 {
                try await expectOK(transport, server.url())
                await eventually { server.seen.closed >= count }
            }
        }
    }

    /// AsyncHTTPClient counts a stream when it gives the request to the connection.
    @Test(.timeLimit(.minutes(1))) func requestsThatEndBeforeTheirStreamHoldNoPlaceOnAConnection() async throws {
        let server = try await HTTP2Server { _ in [.headers([(":status", "200")]), .data("ok", ends: true)] }
        try await withTransport(Self.trusting { _ in }) { transport in
            let url = try server.url()
            try await expectOK(transport, url)
            // More than the 100 streams of a connection.
            for _ in 0..<10 {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<40 {
                        let flight = Flight()
                        group.addTask { _ = await transport.failure(Request(.get, url), flight) }
                        group.addTask { flight.exchange.abort(.cancelled) }
                    }
                }
            }
            try await expectOK(transport, url)
        }
        #expect(server.seen.connections == 1)
    }

    /// A life that is shorter than a handshake must not keep every request from being sent.
    @Test func aNewConnectionCarriesARequestHoweverShortItsLife() async throws {
        let server = try await NIORawServer { _ in [ok] }
        try await withTransport(ConnectionSettings { $0.connectionLifetime = .nanoseconds(1) }) { transport in
            for _ in 0..<5 { try await expectOK(transport, try server.url()) }
        }
        #expect(server.seen.requests.map(\.number) == [0, 0, 0, 0, 0])
    }

    @Test(arguments: [1, 3]) func requestsAreSpreadOverAsManyConnectionsAsThereMayBe(_ allowed: Int) async throws {
        let server = try await HTTP2Server { _ in [.headers([(":status", "200")]), .data("ok", ends: true)] }
        try await withTransport(Self.trusting { $0.http2ConnectionsPerHost = allowed }) { transport in
            let url = try server.url()
            // The version is known with the first connection.
            try await expectOK(transport, url)
            for _ in 0..<4 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<20 { group.addTask { try await expectOK(transport, url) } }
                    try await group.waitForAll()
                }
            }
        }
        #expect(server.seen.connections == allowed)
        #expect(server.seen.requests.count == 81)
    }

    @Test func aConnectionsLifeIsUpToATenthShorter() {
        let wear = ConnectionWear(ConnectionSettings { $0.connectionLifetime = .seconds(60) })
        #expect(wear.shortened(by: 0).lifetime == .seconds(60) && wear.shortened(by: 100).lifetime == .seconds(54))
        let lives = Set((0..<100).map { _ in wear.ofOne.lifetime?.nanoseconds ?? 0 })
        #expect(lives.count > 10 && lives.allSatisfy { (54_000_000_000...60_000_000_000).contains($0) })
        #expect(ConnectionWear().ofOne.lifetime == nil)
    }

    @Test func connectionsComeFromTheAddressTheyAreTold() async throws {
        let addresses = Locked<Set<String>>([])
        let server = try await NIORawServer(prepare: { channel in
            addresses.withLock { _ = $0.insert(channel.remoteAddress?.ipAddress ?? "") }
        }) { _ in [ok] }
        #if os(Linux)
        let address = "127.0.0.9"
        #else
        let address = "127.0.0.1"
        #endif
        try await withTransport(ConnectionSettings { $0.localAddress = address }) { try await expectOK($0, try server.url()) }
        #expect(addresses.withLock { $0 } == [address])
    }

    @Test(arguments: [
        ("usesPerConnection", ConnectionSettings { $0.usesPerConnection = 0 }),
        ("connectionLifetime", ConnectionSettings { $0.connectionLifetime = .zero }),
        ("http2ConnectionsPerHost", ConnectionSettings { $0.http2ConnectionsPerHost = 0 }),
        ("http2ConnectionsPerHost", ConnectionSettings { $0.http2ConnectionsPerHost = 1_001 }),
        ("localAddress", ConnectionSettings { $0.localAddress = "the second card" }),
    ])
    func settingThatMakesNoSenseIsRefused(_ name: String, _ settings: ConnectionSettings) async throws {
        let server = try await NIORawServer { _ in [ok] }
        let error = await #expect(throws: TarmacError.self) {
            try await Client(transport: .asyncHTTPClient, services: [Service("s", host: "\(try server.url())", connection: settings)]).get("a", as: String.self)
        }
        #expect(error?.code == .invalidOption && error?.reason.contains(name) == true, "\(String(describing: error))")
        #expect(server.seen.connections == 0)
    }

    @Test func connectionsRunOnTheAppsOwnLoops() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let server = try await NIORawServer { _ in [ok] }
        let client = Client(transport: .asyncHTTPClient(on: group))
        #expect(try await client.get("\(try server.url())", as: String.self) == "ok")
        await client.shutdown()
        // The group is still the app's.
        #expect(try await group.next().submit { 1 }.get() == 1)
        try await group.shutdownGracefully()
    }

    static func trusting(_ change: (inout ConnectionSettings) -> Void) -> ConnectionSettings {
        ConnectionSettings {
            $0.trust = .onlyPEM(Bytes(TestCertificates.root))
            change(&$0)
        }
    }
}
#endif
