import Foundation
import Tarmac
import TarmacOutbox
import TarmacTesting
import Testing

@testable import Cookbook

/// What the cookbook says of its snippets, over a stub.
@Suite struct CookbookTests {
    private let user = #"{"id":7,"name":"ann"}"#

    private func client(
        _ stub: StubTransport, _ services: [Service] = [.shop], configure: (inout Options) -> Void = { _ in }
    ) -> Client {
        Client(transport: .stub(stub), services: services, configure: configure)
    }

    private func text(_ request: Request?) -> String { String(decoding: request?.body.buffered ?? .empty, as: UTF8.self) }

    @Test func aFormIsEncodedAsAForm() async throws {
        let stub = StubTransport { _ in .json(#"{"id":41,"state":"open"}"#) }
        #expect(try await order(client(stub, [legacy])).id == 41)
        #expect(text(stub.requests.first) == "product=cup&count=2")
        #expect(stub.requests.first?.headers[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test func aQueryHasBracketsAndNumbers() async throws {
        let stub = StubTransport { _ in .json("[]") }
        _ = try await products(client(stub, [rails]))
        #expect(stub.requests.first?.url.query == "tag%5B%5D=new&tag%5B%5D=red&inStock=1")
    }

    @Test func theAccountOfALoginNamesItsStoredResponses() async throws {
        let stub = StubTransport(routes: [
            .post("/login") { _ in .json(#"{"token":"t","refreshToken":"r"}"#) },
            .get("/feed") { _ in .json(#"[{"title":"cup"}]"#) },
        ])
        let client = client(stub) { $0.authenticator = Authentication(ShopAuthenticator()) }
        try await logIn(client, name: "ann", password: "runway")
        _ = try await client.send(Feed()) { $0.cache = .ttl(.seconds(60)) }
        #expect(try await client.cache.remove(.principal("ben")) == 0)
        #expect(try await client.cache.remove(.principal("ann")) == 1)
        #expect(stub.requests.map { $0.headers[.authorization] } == [nil, "Bearer t"])
    }

    @Test func nilIsLeftOutAndNullIsSent() async throws {
        let user = user
        let stub = StubTransport { _ in .json(user) }
        _ = try await client(stub).send(EditUser(id: 7))
        #expect(text(stub.requests.first) == #"{"nickname":null}"#)
        #expect(stub.requests.first?.headers[.ifMatch] == nil)
    }

    @Test func bodiesAreSentAsTheyAre() async throws {
        let stub = StubTransport { _ in .status(.noContent) }
        try await send(client(stub), json: #"{"a":1}"#, image: Data([1, 2]), tags: ["new"])
        #expect(stub.requests.map { text($0) } == [#"{"a":1}"#, "\u{1}\u{2}", #"["new"]"#])
        #expect(stub.requests.map { $0.headers[.contentType] } == ["application/json", "image/png", "application/json"])
    }

    @Test func aLargeReportIsCompressed() async throws {
        let stub = StubTransport { _ in .status(.noContent) }
        try await report(client(stub), lines: Array(repeating: "the same line", count: 1_000))
        #expect(stub.requests.first?.headers[.contentEncoding] == "gzip")
        #expect((stub.requests.first?.body.length ?? .max) < 1_000)
    }

    @Test func anAbsoluteLinkIsCalled() async throws {
        let stub = StubTransport { _ in .json("[]") }
        _ = try await next(client(stub), link: "https://cdn.shop.example/products?page=2")
        #expect(stub.requests.first?.url.string == "https://cdn.shop.example/products?page=2")
    }

    @Test func graphQLErrorsAreFailures() async throws {
        let good = client(StubTransport { _ in .json(#"{"data":{"user":{"id":7,"name":"ann"}}}"#) })
        #expect(try await Cookbook.user(good).name == "ann")
        let bad = client(StubTransport { _ in .json(#"{"errors":[{"message":"no"}]}"#) })
        let error = await #expect(throws: TarmacError.self) { try await Cookbook.user(bad) }
        #expect(error?.code == .envelopeFailure)
    }

    @Test func xmlRPCIsRead() async throws {
        let answer = "<methodResponse><params><param><value><string>Bern</string></value></param></params></methodResponse>"
        let stub = StubTransport { _ in .bytes(Bytes(answer), contentType: "text/xml") }
        #expect(try await stateName(client(stub)) == "Bern")
    }

    @Test func anEmptyResponseIsNoError() async throws {
        try await delete(client(StubTransport { _ in .status(.noContent) }))
    }

    @Test func htmlIsAnErrorWithItsBody() async throws {
        let stub = StubTransport { _ in .bytes(Bytes("<html>Log in</html>"), contentType: "text/html") }
        let error = await #expect(throws: TarmacError.self) { try await feed(client(stub)) }
        #expect(error?.response?.body == Bytes("<html>Log in</html>"))
        let labeled = StubTransport { _ in .bytes(Bytes("[]"), contentType: "text/html") }
        #expect(try await client(labeled, [mislabeled]).send(Feed()).isEmpty)
    }

    @Test func codeWithoutModelsReads() async throws {
        let stub = StubTransport { $0.url.path == "/products/1" ? .json(#"{"offer":{"title":"cup"}}"#) : .text("x") }
        try await raw(client(stub))
        #expect(stub.requests.count == 3)
    }

    @Test func aMissingUserIsNil() async throws {
        #expect(try await userIfAny(client(StubTransport { _ in .status(.notFound) }), id: 9) == nil)
    }

    @Test func snakeCaseIsConverted() async throws {
        struct Article: Codable, Sendable { var firstTitle: String }
        let stub = StubTransport { _ in .json(#"{"first_title":"cup"}"#) }
        let article = try await client(stub, [snake]).post("/articles", Article(firstTitle: "cup"), as: Article.self)
        #expect(article.firstTitle == "cup")
        #expect(text(stub.requests.first) == #"{"first_title":"cup"}"#)
    }

    @Test func aKeyIsSentToItsServiceAlone() async throws {
        let stub = StubTransport { _ in .status(.noContent) }
        let client = client(stub, [maps, wiki])
        try await client[maps].get("/a")
        try await client[wiki].get("/b")
        #expect(stub.requests.map { $0.headers[.init("X-Api-Key")!] } == ["key", nil])
        #expect(stub.requests.map { $0.headers[.authorization] != nil } == [false, true])
    }

    @Test(.timeLimit(.minutes(1))) func theRefusalOfTheOnlyTokenShowsTheLogin() async throws {
        let stub = StubTransport { $0.headers[.init("token")!] == "old" ? .status(.unauthorized) : .status(.noContent) }
        let (logins, shown) = AsyncStream.makeStream(of: Void.self)
        let client = client(stub) { $0.authenticator = Authentication(OneToken(showLogin: { shown.yield() })) }
        try await client.logIn(AccessToken("old"))
        let error = await #expect(throws: TarmacError.self) { try await client.get("/users/7") }
        #expect(error?.code == .loggedOut)
        for await _ in logins { break }
        try await client.logIn(AccessToken("new"))
        try await client.get("/users/7")
    }

    @Test func hostsOfAServiceShareItsLogin() async throws {
        let user = user
        let stub = StubTransport { _ in .json(user) }
        let client = client(stub, [.mall])
        try await client.logIn(AccessToken("t"))
        _ = try await client.send(Profile())
        try await client.get("/cart")
        #expect(stub.requests.map(\.url.host) == ["user.mall.example", "api.mall.example"])
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer t", "Bearer t"])
    }

    @Test func dataMayBeLeftOutForVoid() async throws {
        let client = client(StubTransport { $0.url.path == "/null" ? .json(#"{"code":0,"data":null}"#) : .json(#"{"code":0}"#) }, [enveloped])
        try await client.get("/none")
        #expect(try await client.get("/null", as: User?.self) == nil)
        let error = await #expect(throws: TarmacError.self) { try await client.get("/none", as: User?.self) }
        #expect(error?.code == .decodingFailed)
    }

    @Test func allPagesAreRead() async throws {
        let stub = StubTransport {
            $0.url.query == nil ? .json(#"{"items":[{"title":"a"}],"cursor":"x"}"#) : .json(#"{"items":[{"title":"b"}]}"#)
        }
        #expect(try await allProducts(client(stub)).map(\.title) == ["a", "b"])
    }

    @Test func aRetryTakesNoTimeUnderAManualClock() async throws {
        #expect(try await retryUnderManualTime().name == "ann")
    }

    @MainActor
    @Test func aListWorksOffline() async throws {
        let stub = StubTransport { $0.method == .get ? .json(#"[{"text":"milk"}]"#, headers: [.cacheControl: "max-age=0"]) : .status(.created) }
        let list = try NoteList(client: client(stub), store: MemoryOutboxStore())
        try await list.load()
        try await list.add("bread")
        #expect(list.notes.map(\.text) == ["milk", "bread"])
        await list.sent()
        #expect(stub.requests.map(\.method) == [.get, .post] && text(stub.requests.last) == #"{"text":"bread"}"#)
    }

    @Test func anOwnTransportStageAndStoreWork() async throws {
        let client = Client(transport: echo, services: [.shop]) { $0.transferLedger = TransferLedger(TransferTable()) }
        #expect(try await client.post("/echo", body: .json(["a": 1]), as: JSON.self)["a"].int == 1)
        let stub = StubTransport { _ in .json("{}") }
        try await self.client(stub).get("/a") { $0.experiment = "blue" }
        #expect(stub.requests.first?.headers[HTTPField.Name("X-Experiment")!] == "blue")
    }

    @Test func aPreviewNeedsNoServer() async throws {
        #expect(try await Client.preview.send(GetUser(id: 7)).name == "ann")
    }
}
