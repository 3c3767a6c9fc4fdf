// The snippets and sentences of Documentation/MovingFrom/Retrofit.md, over a stub.
import Tarmac
import TarmacTesting
import Testing

@testable import FromRetrofit

@Test func oneRefreshServesAllCalls() async throws {
    let stub = StubTransport { request in
        if request.url.path == "/token" { return .json(#"{"token":"new","refreshToken":"r2","lifetime":3600}"#) }
        if request.headers[.authorization] != "Bearer new" { return .status(.unauthorized) }
        return .json(#"{"id":7,"state":"open"}"#, headers: [.cacheControl: "max-age=60"])
    }
    let client = shopClient(.stub(stub))
    try await client.logIn(AccessToken("old", refreshToken: "r1"))
    let (order, _) = try await client.send(Batch(GetOrder(id: 7), GetOrder(id: 8)))  // both at once
    #expect(order.state == "open")
    #expect(stub.requests.filter { $0.url.path == "/token" }.count == 1)
    #expect(try await client.landed(for: GetOrder(id: 7)).source == .cache)
}

@Suite struct ShopTests {
    private let order = #"{"id":7,"state":"open"}"#

    @Test func aLoginNeedsNoToken() async throws {
        let stub = StubTransport { [order] request in
            .json(request.url.path == "/login" ? #"{"token":"t","refreshToken":"r","lifetime":3600}"# : order)
        }
        let tokens = MemoryTokenStore()
        let client = shopClient(.stub(stub), tokens: tokens)
        #expect(try await isLoggedIn(tokens) == false)
        try await client.logIn(client.send(LogIn(name: "ann", password: "runway")).accessToken())
        _ = try await client.send(GetOrder(id: 7))
        #expect(stub.requests.map { $0.headers[.authorization] } == [nil, "Bearer t"])
        #expect(try await isLoggedIn(tokens))
    }

    @Test func nothingIsSentBeforeTheLogin() async throws {
        let stub = StubTransport { [order] _ in .json(order) }
        let error = await #expect(throws: TarmacError.self) { try await shopClient(.stub(stub)).send(GetOrder(id: 7)) }
        #expect(error?.code == .loggedOut)
        #expect(stub.requests.isEmpty)
    }

    @Test func aRefusedRefreshShowsTheLogin() async throws {
        let (shown, show) = AsyncStream.makeStream(of: Void.self)
        let client = shopClient(.stub { _ in .status(.unauthorized) }, showLogin: { show.yield() })
        try await client.logIn(AccessToken("old", refreshToken: "r1"))
        let error = await #expect(throws: TarmacError.self) { try await client.send(GetOrder(id: 7)) }
        #expect(error?.code == .loggedOut)
        await client.shutdown()
        for await _ in shown { break }
    }

    @Test func aReloadAsksTheServer() async throws {
        let stub = StubTransport { [order] _ in .json(order, headers: [.cacheControl: "max-age=60"]) }
        let client = shopClient(.stub(stub))
        try await client.logIn(AccessToken("token"))
        _ = try await client.send(GetOrder(id: 7))
        _ = try await reloaded(client)
        #expect(stub.requests.count == 2)
    }

    @Test func anEnvelopeStatesTheFailure() async throws {
        let stub = StubTransport { _ in .json(#"{"status":0,"code":7,"message":"sold out"}"#) }
        let error = await #expect(throws: TarmacError.self) { try await added(enveloped(.stub(stub))) }
        #expect(error?.code == .envelopeFailure)
        #expect(error?.serverCode == "7")
        #expect(error?.serverMessage == "sold out")
        #expect(stub.requests.first?.headers[.init("X-App")!] == "3.2")
        #expect(stub.requests.first?.headers[.init("Idempotency-Key")!] != nil)
    }

    @Test func anInterceptorSetsAField() async throws {
        let stub = StubTransport { [order] _ in .json(order) }
        let client = Client(transport: .stub(stub), services: [.shop]) { $0.interceptors = [RequestID()] }
        _ = try await client.send(GetOrder(id: 7))
        #expect(stub.requests.first?.headers[.init("X-Request-ID")!] != nil)
    }
}
