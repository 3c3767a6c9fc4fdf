import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams

// XF-8: the trust of a service and the certificate that it is shown are for its own origins.
@Suite("Connections to strangers", .timeLimit(.minutes(5)))
struct StrangerConnectionTests {
    private final class Factory: Sendable {
        let made = Locked<[(settings: ConnectionSettings, stub: StubTransport)]>([])
        let answer: @Sendable (Request) -> Response

        init(_ answer: @escaping @Sendable (Request) -> Response = { _ in .status(.ok) }) { self.answer = answer }

        var transport: TransportFactory {
            TransportFactory(name: "noting") { [self] settings in
                let stub = StubTransport { self.answer($0) }
                made.withLock { $0.append((settings, stub)) }
                return stub
            }
        }
        /// The settings of the connections that requests to a host have used.
        func settings(to host: String) -> [ConnectionSettings] {
            made.withLock { $0.filter { $0.stub.requests.contains { $0.url.host == host } }.map(\.settings) }
        }
    }

    private static let own = ConnectionSettings {
        $0.trust = .only(pemFile: "/own.pem")
        $0.insecurelySkipsHostName = true
        $0.clientIdentity = .pemFiles(certificate: "/client.pem", key: "/client-key.pem")
        $0.pins = [PinSet("*.example", [.key("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")], allowsSinglePin: true)]
        $0.proxy = .http(host: "proxy.example", port: 8080)
        $0.connectionsPerHost = 3
    }
    private static var stranger: ConnectionSettings {
        var settings = own
        (settings.trust, settings.insecurelySkipsHostName, settings.clientIdentity) = (.system, false, nil)
        return settings
    }
    private static let service = Service("s", host: Hosts("https://s.example/v1", cdn: "https://cdn.example"), connection: own)

    /// Ways to leave the service.
    fileprivate enum Way: CaseIterable { case fullURL, raw, redirect, stream }

    @Test(arguments: Way.allCases)
    fileprivate func haveNothingOfTheService(way: Way) async throws {
        let factory = Factory { request in
            switch request.url.host {
            case "s.example" where request.url.path == "/v1/away": .redirect(to: "https://other.example/there")
            case "other.example" where way == .stream: .text("a\nb\n")
            default: .status(.ok)
            }
        }
        let client = Client(transport: factory.transport, services: [Self.service])
        try await client.get("/home")
        switch way {
        case .fullURL: try await client.get("https://other.example/there")
        case .raw: _ = try await client.send(raw: Request(.get, HTTPURL("https://other.example/there")))
        case .redirect: try await client.get("/away")
        case .stream: for try await _ in client.lines(.get("https://other.example/there")) {}
        }
        #expect(factory.settings(to: "s.example") == [Self.own])
        var expected = Self.stranger
        if way == .stream { expected.connectionsPerHost = 3 }
        // A proxy and the limits belong to the network, and pins name their hosts themselves.
        #expect(factory.settings(to: "other.example") == [expected])
        await client.shutdown()
    }

    @Test func theServicesOwnHostsKeepItsConnections() async throws {
        let factory = Factory()
        let client = Client(transport: factory.transport, services: [Self.service])
        for url in ["https://s.example/full", "/path", "https://cdn.example/image"] { try await client.get(url) }
        #expect(factory.made.withLock { $0.map(\.settings) } == [Self.own])
        // Another port is another origin.
        try await client.get("https://s.example:8443/full")
        #expect(factory.made.withLock { $0.map(\.settings) } == [Self.own, Self.stranger])
    }

    /// A service without hosts is for full URLs: its connections are for all of them. Plain connections are shared.
    @Test(arguments: [Service("nowhere", hosts: [:], connection: own), Service("plain", host: "https://s.example")])
    func oneTransportServesAllOtherwise(service: Service) async throws {
        let factory = Factory()
        let client = Client(transport: factory.transport, services: [service])
        for host in ["a", "b"] { try await client.get("https://\(host).example/") }
        #expect(factory.made.withLock { $0.count } == 1)
    }

    @Test func endWithTheService() async throws {
        let factory = Factory()
        let client = Client(transport: factory.transport, services: [Self.service])
        for url in ["/path", "https://other.example/"] { try await client.get(url) }
        await client.shutdown()
        #expect(factory.made.withLock { $0.map(\.stub.shutdowns) } == [1, 1])
    }
}
