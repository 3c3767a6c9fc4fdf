// Tests the app without a server.
// page: imports
import Tarmac
import TarmacTesting
import Testing

@testable import MyApp
// page end

@Suite struct ShopTests {
    // page: stub
    @Test func aUserIsDecoded() async throws {
        let stub = StubTransport { _ in .json(#"{"id":7,"name":"ann"}"#) }
        let client = Client(transport: .stub(stub), services: [.shop])
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
        let client = Client(transport: .stub(stub), services: [.shop])
        let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 9)) }
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.status?.code == 404)
    }
    // page end

    // page: cache
    @Test func aStoredUserNeedsNoServer() async throws {
        let stub = StubTransport { _ in .json(#"{"id":7,"name":"ann"}"#, headers: [.cacheControl: "max-age=60"]) }
        let client = Client(transport: .stub(stub), services: [.shop]) { $0.cache = .http }
        _ = try await client.send(GetUser(id: 7))
        let landed = try await client.landed(for: GetUser(id: 7))
        #expect(landed.source == .cache)
        #expect(stub.requests.count == 1)
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
        let client = Client(transport: .stub(stub), services: [.shop], time: time) { $0.timeout = .seconds(15) }
        let call = Task { try await client.send(GetUser(id: 7)) }
        try await stub.received()
        try await time.hasSleepers()
        time.advance(by: .seconds(16))
        let error = await #expect(throws: TarmacError.self) { try await call.value }
        #expect(error?.code == .timeout)
    }
    // page end

    @Test func aBusyServerIsAskedTwice() async throws {
        let recorder = EventRecorder()
        let client = Client(transport: .stub { _ in .status(.serviceUnavailable) }, services: [.shop]) {
            $0.retry = .exponential(maxAttempts: 2, base: .milliseconds(1))
            $0.observers = [recorder]
        }
        let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 7)) }
        #expect(error?.attempts == 2)
        #expect(recorder.names.filter { $0 == "retrying" }.count == 1)
    }
}
