// The snippets and sentences of Documentation/MovingFrom/Alamofire.md, over a stub.
import Tarmac
import TarmacTesting
import Testing

@testable import FromAlamofire

@Test func oneRefreshServesAllCalls() async throws {
    let stub = StubTransport { request in
        if request.url.path == "/token" { return .json(#"{"token":"new","refreshToken":"r2","lifetime":3600}"#) }
        if request.headers[.authorization] != "Bearer new" { return .status(.unauthorized) }
        return .json(#"{"id":7,"state":"paid"}"#, headers: [.cacheControl: "max-age=60"])
    }
    let client = storeClient(.stub(stub))
    try await client.logIn(AccessToken("old", refreshToken: "r1"))
    let (order, _) = try await client.send(Batch(GetOrder(id: 7), GetOrder(id: 8)))  // both at once
    #expect(order.state == "paid")
    #expect(stub.requests.filter { $0.url.path == "/token" }.count == 1)
    #expect(try await client.landed(for: GetOrder(id: 7)).source == .cache)
}

@Suite struct StoreTests {
    private let order = #"{"id":7,"state":"paid"}"#
    private let session = #"{"token":"t","refreshToken":"r","lifetime":3600}"#

    @Test func aLoginNeedsNoToken() async throws {
        let stub = StubTransport(routes: [
            .post("/login") { [session] _ in .json(session) }, .get("/orders/7") { [order] _ in .json(order) },
        ])
        let tokens = MemoryTokenStore()
        let client = storeClient(.stub(stub), tokens: tokens)
        #expect(try await isLoggedIn(tokens) == false)
        try await logIn(client)
        _ = try await orders(client)
        #expect(stub.requests.map { $0.headers[.authorization] } == [nil, "Bearer t", "Bearer t"])
        #expect(try await isLoggedIn(tokens))
    }

    @Test func aStoredResponseAnswersTheSecondCall() async throws {
        let stub = StubTransport { [order] _ in .json(order, headers: [.cacheControl: "max-age=60"]) }
        let client = storeClient(.stub(stub))
        try await client.logIn(AccessToken("token"))
        _ = try await client.send(GetOrder(id: 7))
        #expect(try await client.landed(for: GetOrder(id: 7)).source == .cache)
        _ = try await reloaded(client)
        #expect(stub.requests.count == 2)
    }

    @Test func anEnvelopeStatesTheFailure() async throws {
        let stub = StubTransport { _ in .json(#"{"status":0,"message":"sold out"}"#) }
        let client = enveloped(.stub(stub))
        let error = await #expect(throws: TarmacError.self) { try await client.get("/orders/7", as: Order.self) }
        #expect(error?.code == .envelopeFailure)
        #expect(error?.userMessage == "sold out")
        #expect(stub.requests.first?.headers[.init("X-App")!] == "3.2")
        let missing = storeClient(.stub { _ in .json("{}", status: .notFound) })
        try await missing.logIn(AccessToken("token"))
        #expect(await text(for: 7, missing) == "status 404")
        let damaged = storeClient(.stub { _ in .json(#"{"id":7}"#) })
        try await damaged.logIn(AccessToken("token"))
        #expect(await text(for: 7, damaged).hasSuffix("at $.state"))
    }

    @Test func aStringIsTheTextOfTheBody() async throws {
        struct Text: Endpoint {
            typealias Value = String
            static let route: Route = .get("/text")
        }
        let client = Client(transport: .stub { _ in .json(#"{"a":1}"#) }, services: [.store])
        #expect(try await client.get("/text", as: String.self) == #"{"a":1}"#)
        #expect(try await client.send(Text()) == #"{"a":1}"#)
    }

    @Test func whereCredentialsAreAddedDecidesWhatIsStored() async throws {
        let token = OldToken { "old" }
        for (isOutside, source) in [(true, ResponseSource.cache), (false, .network)] {
            let stub = StubTransport { [order] _ in .json(order) }
            let client = Client(transport: .stub(stub), services: [.store]) {
                if isOutside { $0.interceptors = [token] } else { $0.attemptInterceptors = [token] }
            }
            for kept in [ResponseSource.network, source] {
                let landed = try await client.landed(for: GetOrder(id: 7)) { $0.cache = .ttl(.seconds(180)) }
                #expect(landed.source == kept)
            }
            #expect(stub.requests.allSatisfy { $0.headers[.authorization] == "Bearer old" })
        }
    }

    @Test func theBytesAreThoseOfAlamofire() async throws {
        let stub = StubTransport { _ in .json("{}") }
        try await sameBytes(.stub(stub)).get("/orders", ["tag": ["a", "b"], "open": true])
        #expect(stub.requests.map(\.url.query) == ["open=1&tag%5B%5D=a&tag%5B%5D=b"])
    }
}
