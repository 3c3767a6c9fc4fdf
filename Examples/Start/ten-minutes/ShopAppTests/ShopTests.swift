// An app in ten minutes: its tests, without a server.
// page: tests
import Tarmac
import TarmacTesting
import Testing

@testable import ShopApp

@Test func anExpiredTokenIsRefreshed() async throws {
    let stub = StubTransport(routes: [
        .get("/users/7") { request in
            request.headers[.authorization] == "Bearer new" ? .json(#"{"id":7,"name":"ann"}"#) : .status(.unauthorized)
        },
        .post("/refresh") { _ in .json(#"{"token":"new","refreshToken":"r2"}"#) },
    ])
    let client = shopClient(.stub(stub))
    try await client.logIn(AccessToken("old", refreshToken: "r1"))
    #expect(try await client.send(GetUser(id: 7)).name == "ann")
    #expect(stub.requests.map(\.url.path) == ["/users/7", "/refresh", "/users/7"])
}

@Test func aStoredFeedNeedsNoServer() async throws {
    let stub = StubTransport { _ in .json(#"["cup"]"#, headers: [.cacheControl: "max-age=60"]) }
    let client = shopClient(.stub(stub))
    try await client.logIn(AccessToken("token"))
    _ = try await client.send(Feed())
    #expect(try await client.landed(for: Feed()).source == .cache)
    #expect(stub.requests.count == 1)
}
// page end

// The rest are sentences of the page.

@Test func nothingIsSentBeforeTheLogin() async throws {
    let stub = StubTransport { _ in .json(#"{"id":7,"name":"ann"}"#) }
    let error = await #expect(throws: TarmacError.self) { try await shopClient(.stub(stub)).send(GetUser(id: 7)) }
    #expect(error?.code == .loggedOut)
    #expect(stub.requests.isEmpty)
}

@Test func aNewClientFindsTheTokenOfTheStore() async throws {
    let store = MemoryTokenStore()
    let stub = StubTransport(routes: [
        .post("/login") { _ in .json(#"{"token":"first","refreshToken":"r1","lifetime":3600}"#) },
        .get("/users/7") { _ in .json(#"{"id":7,"name":"ann"}"#) },
    ])
    let client = shopClient(.stub(stub), store: store)
    let session = try await client.send(LogIn(name: "ann", password: "runway"))
    try await client.logIn(session.accessToken)
    _ = try await shopClient(.stub(stub), store: store).send(GetUser(id: 7))
    #expect(stub.requests.map { $0.headers[.authorization] } == [nil, "Bearer first"])
}

@Test func anExpiredTokenIsNotSent() async throws {
    let stub = StubTransport(routes: [
        .get("/users/7") { _ in .json(#"{"id":7,"name":"ann"}"#) },
        .post("/refresh") { _ in .json(#"{"token":"new","refreshToken":"r2","lifetime":3600}"#) },
    ])
    let client = shopClient(.stub(stub))
    try await client.logIn(Session(token: "old", refreshToken: "r1", lifetime: -1).accessToken)
    _ = try await client.send(GetUser(id: 7))
    #expect(stub.requests.map(\.url.path) == ["/refresh", "/users/7"])
}
