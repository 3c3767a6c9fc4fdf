#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacCore
import TarmacNIO
import TarmacTesting
import Testing

/// Pins against servers over TLS (QSP-3, QSP-4): what is not pinned gets no byte of a request, and trust is asked for besides.
@Suite("Pins over the wire", .timeLimit(.minutes(5)))
struct PinTransportTests {
    static let protocols = [SecureServer.Protocols.http1, .http2]
    private static let root = ConnectionSettings.TrustSetting.only(pemFile: Fixture.root.pemFile)
    private static let other: Pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    struct Row: Sendable, CustomTestStringConvertible {
        let identity: Fixture
        let pins: [Pin]
        let code: TarmacError.Code?
        var host = "localhost"
        var trust = PinTransportTests.root
        var name: String
        var testDescription: String { "\(identity): \(name)" }
    }

    static let rows: [Row] = [
        Row(identity: .localhost, pins: [Fixture.localhost.keyPin, other], code: nil, name: "its key"),
        Row(identity: .localhost, pins: [Fixture.localhost.certificatePin, other], code: nil, name: "its certificate"),
        Row(identity: .localhost, pins: [.certificate(sha256: Fixture.localhost.fingerprint), other], code: nil, name: "its fingerprint"),
        Row(identity: .localhost, pins: [other, Fixture.localhost.keyPin], code: nil, name: "the backup"),
        Row(identity: .localhost, pins: [Fixture.localhost.keyPin, other], code: nil, host: "127.0.0.1", name: "its key, by address"),
        Row(identity: .localhost, pins: [other, Fixture.chained.keyPin], code: .pinMismatch, name: "another's key"),
        Row(identity: .localhost, pins: [other, Fixture.issuer.keyPin], code: .pinMismatch, name: "an issuer that is not its own"),
        Row(identity: .localhost, pins: [other, Fixture.chained.keyPin], code: .pinMismatch, host: "127.0.0.1", name: "another's key, by address"),
        // The server does not send the root, and need not.
        Row(identity: .localhost, pins: [Fixture.root.keyPin, other], code: nil, name: "the root's key"),
        Row(identity: .chained, pins: [Fixture.issuer.keyPin, other], code: nil, name: "its issuer's key"),
        Row(identity: .rotated, pins: [Fixture.issuer.keyPin, other], code: nil, name: "its issuer's key, after a change of its own"),
        Row(identity: .chained, pins: [Fixture.issuer.certificatePin, other], code: nil, name: "its issuer's certificate"),
        Row(identity: .chained, pins: [Fixture.root.certificatePin, other], code: nil, name: "the root's certificate"),
        Row(identity: .chained, pins: [Fixture.rotated.keyPin, other], code: .pinMismatch, name: "another server of its issuer"),
        // A pin replaces neither trust nor the host's name.
        Row(identity: .selfsigned, pins: [Fixture.selfsigned.keyPin, other], code: .selfSignedCertificate, name: "pinned, not trusted"),
        Row(identity: .future, pins: [Fixture.future.keyPin, other], code: .notYetValidCertificate, name: "pinned, not valid yet"),
        Row(identity: .elsewhere, pins: [Fixture.root.keyPin, other], code: .hostnameMismatch, name: "pinned, for another host"),
        // Without trust the server's own key is all that the handshake proves.
        Row(
            identity: .selfsigned, pins: [Fixture.selfsigned.keyPin, other], code: nil, trust: .insecureAcceptAnyCertificate,
            name: "its key, whomever it trusts"),
        Row(
            identity: .chained, pins: [Fixture.issuer.keyPin, other], code: .pinMismatch, trust: .insecureAcceptAnyCertificate,
            name: "an issuer nobody verified"),
        Row(
            identity: .localhost, pins: [other, Fixture.issuer.keyPin], code: .pinMismatch, trust: .insecureAcceptAnyCertificate,
            name: "another's key, whomever it trusts"),
    ]

    // QSP-3, QSP-4, QSP-B7, XF-7, XF-B11: pins are applied, by key or by certificate.
    @Test(arguments: protocols, rows) func pinsDecide(protocols: SecureServer.Protocols, row: Row) async throws {
        try await SecureServer.run(row.identity, protocols) { server in
            let settings = ConnectionSettings {
                $0.trust = row.trust
                $0.pins = [PinSet(row.host, row.pins)]
            }
            try await withTransport(settings) { transport in
                let request = Request(.get, try server.url("/hello", host: row.host))
                for _ in 1...2 { #expect(await transport.failure(request) == row.code) }
            }
            #expect(server.peers.value.count == (row.code == nil ? 2 : 0), "a request went to a server that is not pinned")
            #expect(Set(server.peers.value).count <= 1, "the connection was not kept")
        }
    }

    @Test(arguments: protocols) func whatWasSeenIsTold(protocols: SecureServer.Protocols) async throws {
        try await SecureServer.run(.chained, protocols) { server in
            let settings = ConnectionSettings {
                $0.trust = Self.root
                $0.pins = [PinSet("localhost", [Self.other], allowsSinglePin: true)]
            }
            try await withTransport(settings) { transport in
                let error = try await #require(throws: TarmacError.self) { try await transport.get(server.url("/hello")) }
                let report = try #require(error.cause(as: PinReport.self))
                #expect(error.code == .pinMismatch && error.phase == .connecting)
                #expect(report.presented.map(\.key) == [Fixture.chained.keyPin, Fixture.issuer.keyPin, Fixture.root.keyPin])
                #expect(report.presented.map(\.certificate) == [Fixture.chained.certificatePin, Fixture.issuer.certificatePin, Fixture.root.certificatePin])
                #expect(report.host == "localhost" && report.limitation == nil)
            }
        }
    }

    // QSP-3: the mode that only reports lets the call go on, and tells each call.
    @Test(arguments: protocols) func reportOnlyGoesOnAndSaysSoOnEveryCall(protocols: SecureServer.Protocols) async throws {
        try await SecureServer.run(.chained, protocols) { server in
            let recorder = EventRecorder()
            let service = Service(
                "s", host: Hosts("https://localhost:\(server.port)"),
                connection: ConnectionSettings {
                    $0.trust = Self.root
                    $0.pins = [PinSet("localhost", [Self.other, Fixture.localhost.keyPin], reportsOnly: true)]
                })
            try await withClient(transport: .asyncHTTPClient, services: [service]) { client in
                for _ in 1...3 {
                    let text = try await client.get("/hello", as: String.self) { $0.observers.append(recorder) }
                    #expect(text == "hello")
                }
            }
            let reports = recorder.events.compactMap { event in if case .pinMismatch(let report) = event.kind { report } else { nil } }
            #expect(reports.map(\.host) == Array(repeating: "localhost", count: 3))
            #expect(reports.first?.presented.map(\.key) == [Fixture.chained.keyPin, Fixture.issuer.keyPin, Fixture.root.keyPin])
        }
    }

    @Test(arguments: protocols) func reportOnlyIsSilentWhereAnIssuerFits(protocols: SecureServer.Protocols) async throws {
        try await SecureServer.run(.chained, protocols) { server in
            let settings = ConnectionSettings {
                $0.trust = Self.root
                $0.pins = [PinSet("localhost", [Self.other, Fixture.root.keyPin], reportsOnly: true)]
            }
            let flight = Flight()
            let response = try await withTransport(settings) { try await $0.get(server.url("/hello"), flight) }
            #expect(response.text == "hello")
            #expect(flight.count("pins") == 0)
        }
    }

    @Test(arguments: protocols) func pinsThatHaveEndedAreLoudAndNotEnforced(protocols: SecureServer.Protocols) async throws {
        try await SecureServer.run(.localhost, protocols) { server in
            let recorder = EventRecorder()
            let ended = PinSet("localhost", [Self.other, Fixture.chained.keyPin], expires: Date(timeIntervalSince1970: 1_600_000_000))
            let service = Service(
                "s", host: Hosts("https://localhost:\(server.port)"),
                connection: ConnectionSettings {
                    $0.trust = Self.root
                    $0.pins = [ended]
                })
            try await withClient(transport: .asyncHTTPClient, services: [service]) { client in
                for _ in 1...2 {
                    let text = try await client.get("/hello", as: String.self) { $0.observers.append(recorder) }
                    #expect(text == "hello")
                }
            }
            let warnings = recorder.events.compactMap { event in if case .warning(let text) = event.kind { text } else { nil } }
            #expect(warnings.count == 2 && warnings.allSatisfy { $0.contains("localhost") && $0.contains("2020-09-13") })
        }
    }

    @Test(arguments: protocols) func pinsThatHaveEndedReplaceNoTrust(protocols: SecureServer.Protocols) async throws {
        try await SecureServer.run(.selfsigned, protocols) { server in
            let settings = ConnectionSettings {
                $0.trust = Self.root
                $0.pins = [PinSet("localhost", [Self.other, Fixture.selfsigned.keyPin], expires: .distantPast)]
            }
            let code = try await withTransport(settings) { await $0.failure(Request(.get, try server.url("/hello"))) }
            #expect(code == .selfSignedCertificate)
        }
    }

    @Test func servicesWithOtherPinsHaveOtherConnections() async throws {
        try await SecureServer.run(.localhost) { server in
            func service(_ name: String, _ pins: [Pin]) -> Service {
                Service(
                    name, host: Hosts("https://localhost:\(server.port)"),
                    connection: ConnectionSettings {
                        $0.trust = Self.root
                        if !pins.isEmpty { $0.pins = [PinSet("localhost", pins)] }
                    })
            }
            let services = [
                service("bare", []), service("pinned", [Fixture.localhost.keyPin, Self.other]), service("wrong", [Self.other, Fixture.chained.keyPin]),
            ]
            try await withClient(transport: .asyncHTTPClient, services: services) { client in
                // The connection that is there already is of no use to the two others.
                try await client[services[0]].get("/hello")
                try await client[services[1]].get("/hello")
                await #expect(throws: TarmacError.self) { try await client[services[2]].get("/hello") }
            }
            // The third never got as far as a request.
            #expect(server.peers.value.count == 2 && Set(server.peers.value).count == 2)
        }
    }

    struct Journey: Sendable, CustomTestStringConvertible {
        let name: String
        let away: [Pin]
        let code: TarmacError.Code?
        var testDescription: String { name }
    }

    /// A redirect to another host meets that host's pins, or none.
    @Test(
        arguments: protocols,
        [
            Journey(name: "none", away: [], code: nil), Journey(name: "right", away: [other, Fixture.localhost.keyPin], code: nil),
            Journey(name: "wrong", away: [other, Fixture.chained.keyPin], code: .pinMismatch),
        ])
    func aRedirectMeetsThePinsOfItsHost(protocols: SecureServer.Protocols, journey: Journey) async throws {
        try await SecureServer.run(.localhost, protocols) { server in
            let service = Service(
                // Another origin would not get the service's trust.
                "s", host: Hosts("https://localhost:\(server.port)", cdn: "https://127.0.0.1:\(server.port)"),
                connection: ConnectionSettings {
                    $0.trust = Self.root
                    $0.pins = [PinSet("localhost", [Fixture.localhost.keyPin, Self.other])]
                    if !journey.away.isEmpty { $0.pins.sets.append(PinSet("127.0.0.1", journey.away)) }
                })
            let code = await withClient(transport: .asyncHTTPClient, services: [service]) { client -> TarmacError.Code? in
                do {
                    try await client.get("/away", ["to": "https://127.0.0.1:\(server.port)/hello"])
                    return nil
                } catch { return (error as? TarmacError)?.code }
            }
            #expect(code == journey.code)
            #expect(server.peers.value.count == (journey.code == nil ? 2 : 1))
        }
    }

    @Test func plainHttpToAPinnedHostIsRefusedBeforeItIsSent() async throws {
        let server = try ScriptedServer([.close])
        defer { server.stop() }
        let settings = ConnectionSettings { $0.pins = [PinSet("127.0.0.1", [Self.other, Fixture.localhost.keyPin])] }
        let code = try await withTransport(settings) { await $0.failure(Request(.get, try HTTPURL("http://127.0.0.1:\(server.port)/"))) }
        #expect(code == .pinMismatch)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: protocols) func pinsHoldInATunnel(protocols: SecureServer.Protocols) async throws {
        try await SecureServer.run(.chained, protocols) { server in
            let tunnel = try await TunnelServer.start()
            for (pin, code) in [(Fixture.issuer.keyPin, TarmacError.Code?.none), (Fixture.chained.keyPin, nil), (Fixture.rotated.keyPin, .pinMismatch)] {
                let settings = ConnectionSettings {
                    $0.trust = Self.root
                    $0.proxy = .http(host: "127.0.0.1", port: tunnel.port)
                    $0.proxiesLoopback = true
                    $0.pins = [PinSet("localhost", [Self.other, pin])]
                }
                let found = try await withTransport(settings) { await $0.failure(Request(.get, try server.url("/hello"))) }
                #expect(found == code)
            }
            #expect(server.peers.value.count == 2)
            #expect(Set(tunnel.targets) == ["localhost:\(server.port)"])
            await tunnel.stop()
        }
    }

    @Test(arguments: protocols) func manyAtOnceShareOneLook(protocols: SecureServer.Protocols) async throws {
        try await SecureServer.run(.chained, protocols) { server in
            let settings = ConnectionSettings {
                $0.trust = Self.root
                $0.connectionsPerHost = 8
                $0.pins = [PinSet("localhost", [Self.other, Fixture.root.keyPin])]
            }
            try await withTransport(settings) { transport in
                let request = Request(.get, try server.url("/hello"))
                let codes = await withTaskGroup(of: TarmacError.Code?.self) { group in
                    for _ in 0..<50 { group.addTask { await transport.failure(request) } }
                    return await group.reduce(into: [TarmacError.Code?]()) { $0.append($1) }
                }
                #expect(codes.allSatisfy { $0 == nil } && codes.count == 50)
            }
        }
    }
}
#endif
