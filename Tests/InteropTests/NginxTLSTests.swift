#if Tools
import Tarmac
import Testing

@Suite("nginx: TLS and HTTP/2", .interop, .timeLimit(.minutes(5)))
struct NginxTLSTests {
    private static func trusting(http1Only: Bool = false) throws -> ConnectionSettings {
        let authority = try InteropServers.required().authority
        return ConnectionSettings {
            $0.trust = .only(pemFile: authority)
            $0.httpVersions = http1Only ? .http1Only : .automatic
        }
    }

    private static let trusters = TransportChoice.allCases.filter(\.takesAuthorities)

    @Test(arguments: trusters)
    func anAuthorityFromAFileIsTrusted(_ transport: TransportChoice) async throws {
        try await transport.fly(to: InteropServers.required().nginxTLS, connection: Self.trusting()) { client in
            let landed = try await client.send(.get("/protocol", as: String.self))
            #expect(landed == "HTTP/1.1")
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func anUnknownAuthorityIsRefused(_ transport: TransportChoice) async throws {
        try await transport.fly(to: InteropServers.required().nginxTLS) { client in
            let error = try await #require(throws: TarmacError.self) { try await client.send(.get("/protocol")) }
            #expect(error.code == .untrustedCertificate)
        }
    }

    @Test(arguments: trusters)
    func http2IsNegotiated(_ transport: TransportChoice) async throws {
        try await transport.fly(to: InteropServers.required().nginxHTTP2, connection: Self.trusting()) { client in
            let landed = try await client.landed(for: .get("/protocol", as: String.self))
            #expect(landed.value == "HTTP/2.0")
        }
    }

    /// nginx sends them as HEADERS and CONTINUATION.
    @Test(arguments: trusters)
    func fieldsOf24KiBArrive(_ transport: TransportChoice) async throws {
        try await transport.fly(to: InteropServers.required().nginxHTTP2, connection: Self.trusting()) { client in
            for _ in 0..<2 {
                let landed = try await client.landed(for: .get("/fields", as: String.self))
                #expect(landed.value == "ok")
                #expect(landed.response.headers.map(\.value).count { $0.utf8.count == 8_192 } == 3)
            }
        }
    }

    @Test func http2IsLeftOutWhereNotWanted() async throws {
        let settings = try Self.trusting(http1Only: true)
        try await TransportChoice.asyncHTTPClient.fly(to: InteropServers.required().nginxHTTP2, connection: settings) { client in
            let landed = try await client.landed(for: .get("/protocol", as: String.self))
            #expect(landed.value == "HTTP/1.1")
            #expect(landed.response.version == .http1_1)
        }
    }

    @Test func manyStreamsShareAConnection() async throws {
        let servers = try InteropServers.required()
        let settings = try Self.trusting()
        try await TransportChoice.asyncHTTPClient.fly(to: servers.nginxHTTP2, connection: settings) { client in
            let landed = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<100 { group.addTask { try await client.send(.get("/protocol", as: String.self)) } }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(landed == ["HTTP/2.0"])
        }
    }

    #if !canImport(Darwin)
    @Test func whatURLSessionCannotTrustItRefusesByName() async throws {
        try await TransportChoice.urlSession.fly(to: InteropServers.required().nginxTLS, connection: Self.trusting()) { client in
            let error = try await #require(throws: TarmacError.self) { try await client.send(.get("/protocol")) }
            #expect(error.code == .unsupported)
            #expect(error.reason.contains("trust"))
        }
    }
    #endif
}
#endif
