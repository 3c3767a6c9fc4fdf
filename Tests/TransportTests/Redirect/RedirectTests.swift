#if Tools
import HTTPTypes
import Tarmac
import TarmacStreams
import TarmacTesting
import Testing

/// Redirects through the whole house, over sockets: what each server got is what went over the wire.
@Suite("Redirects over the wire", .timeLimit(.minutes(5)))
struct RedirectTests {
    static let transports = [TransportUnderTest.asyncHTTPClient, .urlSession]
    private static let secret = HTTPField.Name("X-Service-Key")!

    private func server(_ answer: @escaping @Sendable (RecordedRequest) -> String) throws -> ScriptedServer {
        try ScriptedServer(.serving { Bytes(answer($0)) })
    }

    private static func redirect(_ status: Int = 302, to place: String, _ body: String = "") -> String {
        ServerScript.Step.response(status, headers: [("Location", place)], body)
    }

    private func withClient<Value>(
        _ transport: TransportUnderTest, _ server: ScriptedServer, concurrency: Int = 64, configure: (inout Options) -> Void = { _ in },
        _ body: (Client) async throws -> Value
    ) async throws -> Value {
        let service = Service("s", host: Hosts(server.url("/").string)) { $0.headers["X-Service-Key"] = "k" }
        return try await Tarmac.withClient(
            transport: transport.factory, services: [service], concurrency: concurrency, configure: configure, body)
    }

    private func error(_ call: () async throws -> Void) async -> TarmacError? {
        do { try await call() } catch { return error as? TarmacError }
        return nil
    }

    @Test(arguments: transports)
    func credentialsAndServiceFieldsStayWithTheirOrigin(transport: TransportUnderTest) async throws {
        let stranger = try server { _ in ServerScript.Step.response(200, "stranger") }
        let home = try server { $0.path == "/away" ? Self.redirect(to: stranger.url("/in").string) : Self.redirect(to: "/away") }
        defer { [home, stranger].forEach { $0.stop() } }
        let text = try await withClient(transport, home) { client in
            try await client.get("/start", as: String.self) {
                $0.headers = ["Authorization": "Bearer hunter2", "Cookie": "a=b", "X-Plain": "stays"]
            }
        }
        #expect(text == "stranger")
        for request in home.requests {
            #expect(request.values("authorization") == ["Bearer hunter2"])
            #expect(request.values("cookie") == ["a=b"])
            #expect(request.values("x-service-key") == ["k"])
        }
        let foreign = try #require(stranger.requests.first)
        #expect(home.requests.count == 2)
        #expect(foreign.values("authorization") + foreign.values("cookie") + foreign.values("x-service-key") == [])
        #expect(foreign.values("x-plain") == ["stays"])
    }

    @Test(arguments: transports)
    func aPostIsRewrittenOrRepeatedAsItsStatusSays(transport: TransportUnderTest) async throws {
        let home = try server { $0.path == "/end" ? ServerScript.Step.response(200, "done") : Self.redirect(Int($0.path.dropFirst()) ?? 302, to: "/end") }
        defer { home.stop() }
        try await withClient(transport, home) { client in
            for status in [301, 302, 303, 307, 308] {
                _ = try await client.post("/\(status)", body: .text("hello"), as: String.self)
            }
        }
        let ends = home.requests.filter { $0.path == "/end" }
        #expect(ends.map(\.method) == ["GET", "GET", "GET", "POST", "POST"])
        #expect(ends.map(\.bodyLength) == [0, 0, 0, 5, 5])
    }

    @Test(arguments: transports)
    func tooManyAndLoopsEndTheCallWhereTheyAreNoticed(transport: TransportUnderTest) async throws {
        let home = try server { request in
            request.path == "/loop" ? Self.redirect(to: "/loop") : Self.redirect(to: "/\((Int(request.path.dropFirst()) ?? 0) + 1)")
        }
        defer { home.stop() }
        try await withClient(transport, home) { client in
            let many = await error { try await client.get("/1") { $0.redirects = .follow(limit: 3) } }
            #expect(many?.code == .redirectRefused && many?.reason.contains("the limit") == true)
            #expect(many?.attempts == 4)
            let loop = await error { try await client.get("/loop") }
            #expect(loop?.code == .redirectRefused && loop?.reason.contains("leads back") == true)
            #expect((loop?.attempts ?? 99) <= 3)
        }
    }

    @Test(arguments: transports)
    func anUnreadBodyOfAStreamedRedirectHoldsNeitherSlotNorConnection(transport: TransportUnderTest) async throws {
        let body = String(repeating: "x", count: 20_000)
        let home = try server { $0.path == "/end" ? ServerScript.Step.response(200, "end") : Self.redirect(to: "/end", body) }
        defer { home.stop() }
        try await withClient(transport, home, concurrency: 1, configure: { $0.acceptableStatus = .any }) { client in
            for _ in 0..<5 {
                let text = try await client.stream(.get("/start")) { try await $0.body.collect(upTo: 100) }
                #expect(text == Bytes("end"))
            }
            #expect(try await client.get("/end", as: String.self) == "end")
        }
        #expect(home.requests.count == 11)
    }

    @Test(arguments: transports)
    func offDeliversTheRedirectItself(transport: TransportUnderTest) async throws {
        let home = try server { _ in Self.redirect(307, to: "/next", "moved") }
        defer { home.stop() }
        let failure = try await withClient(transport, home) { client in await error { try await client.get("/") { $0.redirects = .off } } }
        #expect(failure?.status == .temporaryRedirect)
        #expect(failure?.code == .unacceptableStatus)
        #expect(home.requests.count == 1)
    }
}

extension RedirectTests {
    /// There is no TLS in a scripted server: the refusal needs none, since it comes before anything is sent.
    @Test func httpsToHTTPIsRefusedBeforeAnythingIsSent() async throws {
        let plain = try server { _ in ServerScript.Step.response(200, "plain") }
        defer { plain.stop() }
        let target = plain.url("/in").string
        let stub = StubTransport { _ in .redirect(to: target) }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")])
        let refused = await error { try await client.get("/") }
        #expect(refused?.code == .redirectRefused)
        #expect(refused?.attempts == 1)
        #expect(stub.requests.count == 1)
        #expect(plain.requests.isEmpty)
        let allowed = await error { try await client.get("/") { $0.redirects = .follow(limit: 1).allowingDowngrade() } }
        #expect(allowed?.code == .redirectRefused && allowed?.reason.contains("the limit") == true)
    }
}
#endif
