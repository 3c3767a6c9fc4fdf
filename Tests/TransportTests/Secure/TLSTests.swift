#if Tools
import HTTPTypes
import Tarmac
import TarmacCore
import TarmacNIO
import TarmacTesting
import Testing

/// Trust over AsyncHTTPClient: each failure has its own code, and nobody is trusted by accident.
struct TLSTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let identity: Fixture
        let trust: ConnectionSettings.TrustSetting
        let code: TarmacError.Code?
        var host = "localhost"

        var testDescription: String { "\(identity) \(trust) at \(host) → \(code?.name ?? "trusted")" }
    }

    private static let root = ConnectionSettings.TrustSetting.only(pemFile: Fixture.root.pemFile)
    private static let rootToo = ConnectionSettings.TrustSetting.systemAnd(pemFile: Fixture.root.pemFile)
    private static let stranger = ConnectionSettings.TrustSetting.only(pemFile: Fixture.stranger.pemFile)

    static let rows: [Row] = [
        Row(identity: .localhost, trust: root, code: nil),
        Row(identity: .localhost, trust: root, code: nil, host: "127.0.0.1"),
        Row(identity: .localhost, trust: rootToo, code: nil),
        Row(identity: .localhost, trust: .system, code: .untrustedCertificate),
        Row(identity: .localhost, trust: stranger, code: .untrustedCertificate),
        Row(identity: .chained, trust: root, code: nil),
        Row(identity: .chained, trust: .system, code: .untrustedCertificate),
        Row(identity: .selfsigned, trust: root, code: .selfSignedCertificate),
        Row(identity: .selfsigned, trust: .system, code: .selfSignedCertificate),
        // It is no authority, so it cannot vouch for itself even where it is trusted.
        Row(identity: .selfsigned, trust: .only(pemFile: Fixture.selfsigned.pemFile), code: .untrustedCertificate),
        Row(identity: .future, trust: root, code: .notYetValidCertificate),
        Row(identity: .future, trust: rootToo, code: .notYetValidCertificate),
        Row(identity: .lapsed, trust: root, code: .expiredCertificate),
        Row(identity: .expired, trust: root, code: .expiredCertificate),
        Row(identity: .expired, trust: rootToo, code: .expiredCertificate),
        Row(identity: .elsewhere, trust: root, code: .hostnameMismatch),
        Row(identity: .elsewhere, trust: root, code: .hostnameMismatch, host: "127.0.0.1"),
        Row(identity: .localhost, trust: .insecureAcceptAnyCertificate, code: nil),
        Row(identity: .selfsigned, trust: .insecureAcceptAnyCertificate, code: nil),
        Row(identity: .expired, trust: .insecureAcceptAnyCertificate, code: nil),
        Row(identity: .elsewhere, trust: .insecureAcceptAnyCertificate, code: nil),
    ]

    // QSP-5, QSP-6, QSP-B7, XF-7: by default the certificate of another host is refused, whatever roots are trusted; who accepts any certificate accepts that one too.
    @Test(arguments: [SecureServer.Protocols.http1, .http2], rows)
    func trustIsAsAsked(protocols: SecureServer.Protocols, row: Row) async throws {
        try await SecureServer.run(row.identity, protocols) { server in
            let request = Request(.get, try server.url("/hello", host: row.host))
            let result = await Self.text(of: request, ConnectionSettings { $0.trust = row.trust })
            #expect(result.code == row.code, "\(result)")
            if row.code == nil { #expect(result.text == "hello") }
            #expect(server.peers.value.count == (row.code == nil ? 1 : 0), "a request went to a server that is not trusted")
        }
    }

    /// QSP-6, QSP-B7, XF-7: without being told to in so many words, nobody takes the certificate of another host; trust is asked for even then.
    @Test(arguments: [(Fixture.elsewhere, TarmacError.Code?.none), (.selfsigned, .selfSignedCertificate), (.expired, .expiredCertificate)])
    func theHostNameAloneIsSkippedWhereThatIsAskedFor(identity: Fixture, code: TarmacError.Code?) async throws {
        try await SecureServer.run(identity) { server in
            let settings = ConnectionSettings {
                $0.trust = Self.root
                $0.insecurelySkipsHostName = true
            }
            let result = await Self.text(of: Request(.get, try server.url("/hello")), settings)
            #expect(result.code == code, "\(result)")
        }
    }

    /// Through a proxy the reasons are told apart too.
    @Test(arguments: [
        (Fixture.expired, TarmacError.Code.expiredCertificate), (.future, .notYetValidCertificate), (.selfsigned, .selfSignedCertificate),
        (.elsewhere, .hostnameMismatch),
    ])
    func aTunnelChangesNothing(identity: Fixture, code: TarmacError.Code) async throws {
        try await SecureServer.run(identity) { server in
            let tunnel = try await TunnelServer.start()
            let settings = ConnectionSettings {
                $0.trust = Self.root
                $0.proxy = .http(host: "127.0.0.1", port: tunnel.port)
                $0.proxiesLoopback = true
            }
            let result = await Self.text(of: Request(.get, try server.url("/hello")), settings)
            #expect(result.code == code, "\(result)")
            #expect(tunnel.targets.allSatisfy { $0 == "localhost:\(server.port)" })
            await tunnel.stop()
        }
    }

    @Test(arguments: [SecureServer.Protocols.http1, .http2])
    func aServerThatWantsACertificateGetsOne(protocols: SecureServer.Protocols) async throws {
        try await SecureServer.run(.localhost, protocols, clientRoot: .root) { server in
            let request = Request(.get, try server.url("/hello"))
            let settings = ConnectionSettings {
                $0.trust = Self.root
                $0.clientIdentity = Fixture.client.identity
            }
            let result = await Self.text(of: request, settings)
            #expect(result.text == "hello", "\(result)")
        }
    }

    @Test func aMissingClientCertificateHasItsOwnCode() async throws {
        try await SecureServer.run(.localhost, clientRoot: .root) { server in
            let request = Request(.get, try server.url("/hello"))
            let result = await Self.text(of: request, ConnectionSettings { $0.trust = Self.root })
            #expect(result.code == .clientCertificateRequired, "\(result)")
            #expect(server.peers.value.isEmpty)
        }
    }

    @Test func aWrongClientCertificateIsRefused() async throws {
        try await SecureServer.run(.localhost, clientRoot: .stranger) { server in
            let request = Request(.get, try server.url("/hello"))
            let settings = ConnectionSettings {
                $0.trust = Self.root
                $0.clientIdentity = Fixture.client.identity
            }
            let result = await Self.text(of: request, settings)
            #expect(result.code == .clientCertificateRequired, "\(result)")
            #expect(server.peers.value.isEmpty)
        }
    }

    /// XF-8: a full URL to another origin has the trust of the system, and is not shown the certificate of the service's client.
    @Test func aStrangerGetsNeitherTrustNorCertificateOfTheService() async throws {
        try await SecureServer.run(.localhost, clientRoot: .root) { own in
            try await SecureServer.run(.localhost) { stranger in
                let settings = ConnectionSettings {
                    $0.trust = Self.root
                    $0.clientIdentity = Fixture.client.identity
                }
                let service = Service("own", host: Hosts("https://localhost:\(own.port)"), connection: settings)
                try await withClient(transport: .asyncHTTPClient, services: [service]) { client in
                    let text = try await client.get("/hello", as: String.self)
                    #expect(text == "hello")
                    let error = await #expect(throws: TarmacError.self) { try await client.get("https://localhost:\(stranger.port)/hello") }
                    #expect(error?.code == .untrustedCertificate && stranger.peers.value.isEmpty)
                }
            }
        }
    }

    @Test func plainTextIsNoHandshake() async throws {
        let server = try ScriptedServer([.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), .stall])
        defer { server.stop() }
        let request = Request(.get, try HTTPURL("https://127.0.0.1:\(server.port)/"))
        let result = await Self.text(of: request, ConnectionSettings())
        #expect(result.code == .tlsHandshakeFailed, "\(result)")
    }

    @Test func aHandshakeThatIsCutOffFails() async throws {
        let server = try ScriptedServer([.close])
        defer { server.stop() }
        let request = Request(.get, try HTTPURL("https://127.0.0.1:\(server.port)/"))
        let result = await Self.text(of: request, ConnectionSettings())
        #expect(result.code == .tlsHandshakeFailed || result.code == .connectionLost, "\(result)")
    }

    @Test(arguments: [ConnectionSettings.TrustSetting.only(pemFile: "/no/such.pem"), .systemAnd(pemFile: "/no/such.pem")])
    func anUnreadableTrustFileIsNamed(trust: ConnectionSettings.TrustSetting) async throws {
        let request = Request(.get, try HTTPURL("https://127.0.0.1:9/"))
        let result = await Self.text(of: request, ConnectionSettings { $0.trust = trust })
        #expect(result.code == .unreadableFile, "\(result)")
    }

    struct Result: Sendable {
        var text: String?
        var code: TarmacError.Code?
        var detail = ""
    }

    private static func text(of request: Request, _ settings: ConnectionSettings) async -> Result {
        do {
            let transport = try TransportFactory.asyncHTTPClient.makeTransport(settings)
            let result = await text(of: request, transport)
            await transport.shutdown()
            return result
        } catch {
            return failure(error)
        }
    }

    private static func text(of request: Request, _ transport: any Transport) async -> Result {
        do {
            let response = try await transport.send(request, exchange: Exchange(delivery: .collected(limit: 1 << 20)))
            return Result(text: response.text)
        } catch {
            return failure(error)
        }
    }

    private static func failure(_ error: any Error) -> Result {
        let failure = error as? TarmacError
        return Result(code: failure?.code, detail: failure.map { "\($0.code): \($0.reason)" } ?? "\(error)")
    }
}
#endif
