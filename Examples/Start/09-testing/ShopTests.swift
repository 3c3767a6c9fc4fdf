// Tests an endpoint without a server.
// page: imports
import Tarmac
import TarmacTesting
import Testing
// page end

import TarmacURLSession

struct User: Decodable, Sendable { var id: Int, name: String }

struct GetUser: Endpoint, Encodable {
    typealias Value = User
    static let route: Route = .get("/users/{id}")
    var id: Int
}

let shop = Service("shop", host: "https://api.shop.example")

struct Session: Decodable, Sendable { var token: String, refreshToken: String }

struct Refresh: Endpoint, Encodable {
    typealias Value = Session
    static let route: Route = .post("/refresh")
    @Secret var refreshToken: String
}

struct ShopAuthenticator: Authenticator {
    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
        let session = try await context.client.send(Refresh(refreshToken: token?.refreshToken ?? ""))
        return AccessToken(session.token, refreshToken: session.refreshToken)
    }
}

// page: client
func shopClient(_ transport: TransportFactory = .urlSession) -> Client {
    Client(transport: transport, services: [shop]) {
        $0.retry = .exponential(maxAttempts: 3)
        $0.authenticator = Authentication(ShopAuthenticator())
    }
}

@MainActor
final class ProfileModel {
    private let client: Client
    private(set) var title = ""

    init(client: Client) { self.client = client }

    func load() async { title = (try? await client.send(GetUser(id: 7)).name) ?? "unknown" }
}
// page end

@Suite struct ShopTests {
    // page: stub
    @Test func aUserIsDecoded() async throws {
        let stub = StubTransport { _ in .json(#"{"id":7,"name":"ann"}"#) }
        let client = Client(transport: .stub(stub), services: [shop])

        let user = try await client.send(GetUser(id: 7))

        #expect(user.name == "ann")
        #expect(stub.requests.map(\.url.string) == ["https://api.shop.example/users/7"])
    }
    // page end

    // page: routes
    @Test func aMissingUserIsAnError() async throws {
        let stub = StubTransport(routes: [
            .get("/users/7") { _ in .json(#"{"id":7,"name":"ann"}"#) },
            .get("/users/9") { _ in .json(#"{"reason":"unknown"}"#, status: .notFound) },
        ])
        let client = Client(transport: .stub(stub), services: [shop])

        let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 9)) }

        #expect(error?.code == .unacceptableStatus)
        #expect(error?.status?.code == 404)
    }
    // page end

    // page: model
    @Test @MainActor func theScreenShowsTheName() async throws {
        let client = shopClient(.stub { _ in .json(#"{"id":7,"name":"ann"}"#) })
        try await client.logIn(AccessToken("token"))
        let model = ProfileModel(client: client)

        await model.load()

        #expect(model.title == "ann")
    }
    // page end

    // page: refresh
    @Test func anExpiredTokenIsRefreshedOnce() async throws {
        let stub = StubTransport(routes: [
            .get("/users/7") { request in
                request.headers[.authorization] == "Bearer new" ? .json(#"{"id":7,"name":"ann"}"#) : .status(.unauthorized)
            },
            .post("/refresh") { _ in .json(#"{"token":"new","refreshToken":"r2"}"#) },
        ])
        let client = shopClient(.stub(stub))
        try await client.logIn(AccessToken("old", refreshToken: "r1"))

        let user = try await client.send(GetUser(id: 7))

        #expect(user.name == "ann")
        #expect(stub.requests.map(\.url.path) == ["/users/7", "/refresh", "/users/7"])
    }
    // page end

    // page: time
    @Test func aSlowServerIsATimeout() async throws {
        let time = ManualTime()
        let stub = StubTransport { _ in .json("{}") }
        stub.hold()
        let client = Client(transport: .stub(stub), services: [shop], time: time) { $0.timeout = .seconds(15) }

        let call = Task { try await client.send(GetUser(id: 7)) }
        try await stub.received()
        try await time.hasSleepers()
        time.advance(by: .seconds(16))

        let error = await #expect(throws: TarmacError.self) { try await call.value }
        #expect(error?.code == .timeout)
    }
    // page end

    // page: events
    @Test func aBusyServerIsAskedTwice() async throws {
        let recorder = EventRecorder()
        let client = Client(transport: .stub { _ in .status(.serviceUnavailable) }, services: [shop]) {
            $0.retry = .exponential(maxAttempts: 2, base: .milliseconds(1))
            $0.observers = [recorder]
        }

        let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 7)) }

        #expect(error?.attempts == 2)
        #expect(recorder.names.filter { $0 == "retrying" }.count == 1)
    }
    // page end
}
