#if Tools
import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

/// YTK-3 over sockets: what the transports really throw for a host that cannot be reached is what the policy goes by.
@Suite("Failover over the wire", .timeLimit(.minutes(5)))
struct FailoverTests {
    static let transports = [TransportUnderTest.asyncHTTPClient, .urlSession]

    private func origin() throws -> ScriptedServer {
        try ScriptedServer(.serving { _ in Bytes(ServerScript.Step.response(200, "origin")) })
    }

    private func service(_ origin: ScriptedServer, cdn: HTTPURL) -> Service {
        Service("s", host: Hosts(origin.url("/").string, cdn: cdn.string)) { $0.host = .cdn }
    }

    // YTK-3
    @Test(arguments: transports)
    func aCDNThatRefusesIsReplacedForEveryMethod(transport: TransportUnderTest) async throws {
        let origin = try origin(), dead = try DeadPort.refusing()
        defer { origin.stop() }
        try await withClient(transport: transport.factory, services: [service(origin, cdn: dead.url("/v2"))]) { client in
            let landed = try await client.landed(for: .get("/a", as: String.self))
            #expect(landed.value == "origin" && landed.attempts == 2)
            #expect(try await client.post("/a", ["n": 1], as: String.self) == "origin")
        }
        #expect(origin.requests.map(\.path) == ["/a", "/a"])
    }

    @Test(arguments: transports)
    func aCDNWithoutANameIsReplaced(transport: TransportUnderTest) async throws {
        let origin = try origin()
        defer { origin.stop() }
        let nowhere = try HTTPURL("http://no-such-host.invalid/")
        let text = try await withClient(
            transport: transport.factory, services: [service(origin, cdn: nowhere)], configure: { $0.allowsInsecureHTTP = true }
        ) { client in
            try await client.get("/a", as: String.self)
        }
        #expect(text == "origin")
    }

    @Test(arguments: transports)
    func offLeavesTheFailureToTheCall(transport: TransportUnderTest) async throws {
        let origin = try origin(), dead = try DeadPort.refusing()
        defer { origin.stop() }
        let error = await #expect(throws: TarmacError.self) {
            try await withClient(transport: transport.factory, services: [service(origin, cdn: dead.url())]) { client in
                try await client.get("/a", as: String.self) { $0.failover = .off }
            }
        }
        #expect(error?.code == .connectionRefused && error?.attempts == 1)
        #expect(origin.requests.isEmpty)
    }
}
#endif
