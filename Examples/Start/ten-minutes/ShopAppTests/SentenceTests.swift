// An app in ten minutes: sentences of its page.
import Foundation
import Tarmac
import TarmacTesting
import Testing

@testable import ShopApp

@Test func aStoredFeedNeedsNoServer() async throws {
    let stub = StubTransport { _ in .json(#"["cup"]"#, headers: [.cacheControl: "max-age=60"]) }
    let client = shopClient(.stub(stub))
    try await client.logIn(AccessToken("token"))
    _ = try await client.send(Feed())
    #expect(try await client.landed(for: Feed()).source == .cache)
    #expect(stub.requests.count == 1)
}

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
    try await client.logIn(session.accessToken())
    _ = try await shopClient(.stub(stub), store: store).send(GetUser(id: 7))
    #expect(stub.requests.map { $0.headers[.authorization] } == [nil, "Bearer first"])
    #expect(try await store.token(for: TokenKey(service: "shop", environment: "production"))?.value == "first")
}

@Test func anExpiredTokenIsNotSent() async throws {
    let stub = StubTransport(routes: [
        .get("/users/7") { _ in .json(#"{"id":7,"name":"ann"}"#) },
        .post("/refresh") { _ in .json(#"{"token":"new","refreshToken":"r2","lifetime":3600}"#) },
    ])
    let client = shopClient(.stub(stub))
    try await client.logIn(Session(token: "old", refreshToken: "r1", lifetime: -1).accessToken())
    _ = try await client.send(GetUser(id: 7))
    #expect(stub.requests.map(\.url.path) == ["/refresh", "/users/7"])
}

@Test func theOldRefreshTokenIsKeptIfThereIsNoNewOne() async throws {
    let stub = StubTransport(routes: [
        .get("/users/7") { request in
            request.headers[.authorization] == "Bearer new" ? .json(#"{"id":7,"name":"ann"}"#) : .status(.unauthorized)
        },
        .post("/refresh") { _ in .json(#"{"token":"new"}"#) },
    ])
    let store = MemoryTokenStore()
    let client = shopClient(.stub(stub), store: store)
    try await client.logIn(AccessToken("old", refreshToken: "r1"))
    _ = try await client.send(GetUser(id: 7))
    #expect(store.token(for: TokenKey(service: "shop", environment: "production"))?.refreshToken == "r1")
}

@Test func withoutARefreshTokenThe401IsTheFailure() async throws {
    let stub = StubTransport { _ in .status(.unauthorized) }
    let store = MemoryTokenStore()
    let client = shopClient(.stub(stub), store: store)
    try await client.logIn(AccessToken("old"))
    let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 7)) }
    #expect(error?.code == .unacceptableStatus)
    #expect(error?.status?.code == 401)
    #expect(stub.requests.map(\.url.path) == ["/users/7"])
    #expect(store.token(for: TokenKey(service: "shop", environment: "production"))?.value == "old")
}

@Test func aRefusedRefreshEndsTheLogin() async throws {
    let stub = StubTransport { _ in .status(.unauthorized) }
    let store = MemoryTokenStore()
    let client = shopClient(.stub(stub), store: store)
    try await client.logIn(AccessToken("old", refreshToken: "r1"))
    let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 7)) }
    #expect(error?.code == .loggedOut)
    // The call ends before the store has removed the token.
    await client.shutdown()
    #expect(store.token(for: TokenKey(service: "shop", environment: "production")) == nil)
}

@Test(.timeLimit(.minutes(1))) func aRefusedRefreshShowsTheLogin() async throws {
    let (shown, continuation) = AsyncStream<Void>.makeStream()
    let client = shopClient(.stub { _ in .status(.unauthorized) }, showLogin: { continuation.yield() })
    try await client.logIn(AccessToken("old", refreshToken: "r1"))
    _ = try? await client.send(GetUser(id: 7))
    for await _ in shown { break }
}

@Test func theStubsPathsContainThatOfTheHost() async throws {
    let stub = StubTransport(routes: [.get("/v1/users/7") { _ in .json(#"{"id":7,"name":"ann"}"#) }])
    let client = Client(transport: .stub(stub), services: [Service("shop", host: "https://api.shop.example/v1")])
    #expect(try await client.send(GetUser(id: 7)).name == "ann")
    let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 8)) }
    #expect(error?.code == .unsupported)
}

@Test func aNewClientFindsTheFeedOnDisk() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let files = try FileCacheStore(folder: folder)
    let stub = StubTransport { _ in .json(#"["cup"]"#, headers: [.cacheControl: "max-age=60"]) }
    let token = AccessToken("token", account: "ann")
    for source in [ResponseSource.network, .cache] {
        let client = shopClient(.stub(stub), files: files)
        try await client.logIn(token)
        #expect(try await client.landed(for: Feed()).source == source)
        await client.shutdown()
    }
}
