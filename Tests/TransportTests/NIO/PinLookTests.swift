#if Tools
import HTTPTypes
import NIOCore
import NIOSSL
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacNIO
import TarmacTesting
import Testing

/// What happens when the certificates above a server's own cannot be looked at, or are another server's.
@Suite("Looking at a chain", .timeLimit(.minutes(5)))
struct PinLookTests {
    private static let other: Pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    private static func settings(_ pin: Pin, _ reportsOnly: Bool = false) -> ConnectionSettings {
        ConnectionSettings {
            $0.trust = .only(pemFile: Fixture.root.pemFile)
            $0.httpVersions = .http1Only
            $0.pins = [PinSet("localhost", [other, pin, Fixture.future.keyPin], reportsOnly: reportsOnly)]
        }
    }

    /// A server whose connections show what `identity` says for their number; a connection without one hears nothing.
    private static func server(_ identity: @escaping @Sendable (Int) -> Fixture?) async throws -> NIORawServer {
        let contexts = try Dictionary(
            uniqueKeysWithValues: [Fixture.chained, .rotated].map { ($0, try NIOSSLContext(configuration: $0.serverConfiguration())) })
        let count = Locked(0)
        return try await NIORawServer(prepare: { channel in
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            guard let context = identity(number).flatMap({ contexts[$0] }) else { return }
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
        }) { _ in [ok] }
    }

    /// Servers behind one name that show certificates of their own: each is looked at once.
    @Test func serversThatTakeTurnsAreAllSeen() async throws {
        let server = try await Self.server { [.chained, .rotated][$0 % 2] }
        let url = try server.url(scheme: "https", host: "localhost")
        let response = try await withTransport(Self.settings(Fixture.issuer.keyPin)) { try await $0.get(url) }
        #expect(response.text == "ok")
        await server.stop()
    }

    @Test func oneThatIsNeverSeenIsRefusedAndSaysWhy() async throws {
        // Every look meets the other one: it takes two connections for each of an exchange.
        let server = try await Self.server { $0 % 3 == 0 ? .chained : .rotated }
        let url = try server.url(scheme: "https", host: "localhost")
        try await withTransport(Self.settings(Self.other)) { transport in
            let error = try await #require(throws: TarmacError.self) { try await transport.get(url) }
            #expect(error.code == .pinMismatch && error.reason.contains("could not be looked at"))
        }
        #expect(server.seen.requests.isEmpty)
        await server.stop()
    }

    @Test(arguments: [false, true]) func whatCannotBeLookedAtCountsAsUnseen(_ reportsOnly: Bool) async throws {
        // Those of the exchange speak TLS; those that look get no answer and are cut off.
        let server = try await NIORawServer(prepare: Self.alternating()) { _ in [ok] }
        let url = try server.url(scheme: "https", host: "localhost")
        let flight = Flight()
        let pins = Self.settings(Fixture.issuer.keyPin, reportsOnly)
        try await withTransport(pins) { transport in
            if reportsOnly {
                let response = try await transport.get(url, flight)
                #expect(response.text == "ok")
                #expect(flight.log.contains { $0.hasPrefix("pins") && $0.contains("could not be looked at") })
            } else {
                let error = try await #require(throws: TarmacError.self) { try await transport.get(url, flight) }
                #expect(error.code == .pinMismatch && error.reason.contains("could not be looked at"))
                #expect(error.cause(as: PinReport.self)?.presented.map(\.key) == [Fixture.chained.keyPin])
                #expect(server.seen.requests.isEmpty)
            }
        }
        await server.stop()
    }

    private static func alternating() throws -> @Sendable (any Channel) throws -> Void {
        let context = try NIOSSLContext(configuration: Fixture.chained.serverConfiguration())
        let count = Locked(0)
        return { channel in
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            if number % 2 == 1 { return channel.close(promise: nil) }
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
        }
    }

    /// The look hangs: aborts and shutdowns do not.
    @Test func anAbortReachesTheLook() async throws {
        let server = try await Self.server { $0 == 0 ? .chained : nil }
        let url = try server.url(scheme: "https", host: "localhost")
        try await withTransport(Self.settings(Fixture.issuer.keyPin)) { transport in
            let flight = Flight()
            async let code = transport.failure(Request(.get, url), flight)
            await server.until { $0.connections == 2 }
            flight.exchange.abort(.failed(TarmacError(.deadlineExceeded, phase: .connecting, "test")))
            #expect(await code == .deadlineExceeded)
        }
        await server.until { $0.closed == 2 }
        await server.stop()
    }

    @Test func aShutdownEndsTheLook() async throws {
        let server = try await Self.server { $0 == 0 ? .chained : nil }
        let url = try server.url(scheme: "https", host: "localhost")
        let transport = try TransportFactory.asyncHTTPClient.makeTransport(Self.settings(Fixture.issuer.keyPin))
        async let code = transport.failure(Request(.get, url))
        await server.until { $0.connections == 2 }
        await transport.shutdown()
        #expect(await code == .clientShutDown)
        await server.until { $0.closed == 2 }
        await server.stop()
    }

    /// Anyone who is trusted can send the pinned issuer along, though it did not sign his certificate.
    @Test func anIssuerThatIsMerelySentAlongDoesNotCount() async throws {
        var tls = try Fixture.localhost.serverConfiguration()
        tls.certificateChain += try NIOSSLCertificate.fromPEMFile(Fixture.issuer.pemFile).map { .certificate($0) }
        let context = try NIOSSLContext(configuration: tls)
        let server = try await NIORawServer(prepare: { channel in
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
        }) { _ in [ok] }
        let url = try server.url(scheme: "https", host: "localhost")
        let code = try await withTransport(Self.settings(Fixture.issuer.keyPin)) { await $0.failure(Request(.get, url)) }
        #expect(code == .pinMismatch)
        #expect(server.seen.requests.isEmpty)
        await server.stop()
    }

    @Test(arguments: [Fixture.chained, .localhost]) func aRefusedConnectionIsClosed(_ identity: Fixture) async throws {
        let context = try NIOSSLContext(configuration: identity.serverConfiguration())
        let server = try await NIORawServer(prepare: { channel in
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
        }) { _ in [ok] }
        let url = try server.url(scheme: "https", host: "localhost")
        try await withTransport(Self.settings(Self.other)) { transport in
            #expect(await transport.failure(Request(.get, url)) == .pinMismatch)
            await server.until { $0.connections > 0 && $0.closed == $0.connections }
        }
        #expect(server.seen.bytesReceived == 0)
        await server.stop()
    }
}
#endif
