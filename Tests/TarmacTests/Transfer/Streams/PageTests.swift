import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacStreams

/// Pages as a sequence: Link header (RFC 8288), cursors, numbers, offsets, an endpoint's own word.
@Suite("Pages", .timeLimit(.minutes(5)))
struct PageTests {
    private struct Page: Codable, Sendable {
        var items: [Int]
        var next: String?
    }

    private struct ListItems: PagedEndpoint, Encodable {
        typealias Value = Page
        static let route: Route = .get("/items")
        var after: String?
        func next(after page: Landed<Page>) -> ListItems? { page.value.next.map { ListItems(after: $0) } }
    }

    private func stub(_ answer: @escaping @Sendable (Request) throws -> Response) -> StubTransport { StubTransport { try answer($0) } }

    /// Answers `[n]` with a link to what the table says for a path and query.
    private func linked(_ links: [String: String], service: Service = Service("s", host: "https://s.example")) -> (StubTransport, Client) {
        let stub = stub { request in
            var response = Response.json("[\"\(request.url.requestTarget)\"]")
            if let link = links[request.url.requestTarget], let name = HTTPField.Name("Link") { response.headers[name] = link }
            return response
        }
        return (stub, Client(transport: .stub(stub), services: [service]))
    }

    private func targets(_ stub: StubTransport) -> [String] { stub.requests.map(\.url.requestTarget) }

    @Test func theLinkHeaderIsFollowed() async throws {
        let (stub, client) = linked([
            "/a?x=1": "<?x=2>; rel=\"next\", </last>; rel=last", "/a?x=2": "</b/../c>; title=\"n,;\"; rel=\"last next\"", "/c": "<//s.example/d>; rel=next",
            "/d": "<https://s.example/e>; rel=next", "/e": "<f>; rel=prev",
        ])
        let pages = try await client.pages(of: .get("/a", ["x": 1], as: [String].self)).collected()
        #expect(targets(stub) == ["/a?x=1", "/a?x=2", "/c", "/d", "/e"])
        #expect(pages.flatMap(\.value) == targets(stub))
    }

    @Test func aLinkAboutSomethingElseIsPassedOver() async throws {
        let (stub, client) = linked(["/a": "</x>; rel=next; anchor=\"/other\", </b>; rel=next; anchor=\"\"", "/b": "</y>; rel=next; anchor=\"#part\""])
        _ = try await client.pages(of: .get("/a", as: [String].self), limit: 3).collected(3)
        // A fragment is a part of what answered, and never sent: it is the same resource.
        #expect(targets(stub) == ["/a", "/b", "/y"])
    }

    @Test func anotherRelationMayBeMeant() async throws {
        let (stub, client) = linked(["/a": "</b>; rel=\"prev\", </c>; rel=next"])
        _ = try await client.pages(of: .get("/a", as: [String].self), by: .linkHeader(relation: "Prev")).collected()
        #expect(targets(stub) == ["/a", "/b"])
    }

    @Test(arguments: [
        "<https://evil.example/b>; rel=next", "<//evil.example/b>; rel=next", "<https://s.example:8443/b>; rel=next", "<http://s.example/b>; rel=next",
    ])
    func noPageIsAskedOfAStranger(link: String) async throws {
        let (stub, client) = linked(["/a": link])
        var pages = 0
        let error = await failure {
            for try await _ in client.pages(of: .get("/a", as: [String].self), configure: { $0.headers["X-Key"] = "k" }) { pages += 1 }
        }
        #expect(pages == 1)
        #expect(error?.code == .pageRefused)
        #expect(error?.endpoint == "GET /a")
        #expect(stub.requests.count == 1)
    }

    @Test func aPageAtAnotherHostOfTheServiceIsAskedFor() async throws {
        let service = Service("s", host: Hosts("https://s.example", cdn: "https://cdn.example")) { $0.authenticator = .bearer("t") }
        let (stub, client) = linked(["/a": "<https://cdn.example/b>; rel=next"], service: service)
        #expect(try await client.pages(of: .get("/a", as: [String].self)).collected().count == 2)
        #expect(stub.requests.map(\.url.host) == ["s.example", "cdn.example"])
        #expect(stub.requests.allSatisfy { $0.headers[.authorization] == "Bearer t" })
    }

    @Test(arguments: ["<mailto:a@b>; rel=next", "<http://[>; rel=next"])
    func aLinkThatLeadsNowhereIsAnErrorAfterItsPage(link: String) async throws {
        let (_, client) = linked(["/a": link])
        var pages = 0
        let error = await failure { for try await _ in client.pages(of: .get("/a", as: [String].self)) { pages += 1 } }
        #expect(pages == 1)
        #expect(error?.code == .pageRefused)
    }

    @Test func aCursorBecomesAParameterOfTheNextCall() async throws {
        let stub = stub { request in
            switch request.url.query {
            case "q=x&size=2": .json(#"{"items":[1,2],"next":"a&b"}"#)
            case "q=x&size=2&after=a%26b": .json(#"{"items":[],"next":"c"}"#)
            default: .json(#"{"items":[3],"next":""}"#)
            }
        }
        let pages = Client(stub).pages(of: .get("/", ["q": "x", "size": 2], as: Page.self), by: .cursor("after") { $0.next })
        #expect(try await pages.elements(\.items).collected() == [1, 2, 3])
        #expect(stub.requests.map(\.url.query) == ["q=x&size=2", "q=x&size=2&after=a%26b", "q=x&size=2&after=c"])
    }

    @Test func aCursorGoesIntoTheBodyWhereParametersDo() async throws {
        let stub = stub { $0.body.buffered == Bytes(#"{"q":"x"}"#) ? .json(#"{"items":[1],"next":"c"}"#) : .json(#"{"items":[2]}"#) }
        let pages = Client(stub).pages(of: .post("/search", ["q": "x"], as: Page.self), by: .cursor("after") { $0.next })
        #expect(try await pages.elements(\.items).collected() == [1, 2])
        #expect(stub.requests.last?.body.buffered == Bytes(#"{"q":"x","after":"c"}"#))
    }

    @Test func anEndpointSaysItselfWhatComesNext() async throws {
        let stub = stub { $0.url.query == nil ? .json(#"{"items":[1],"next":"c"}"#) : .json(#"{"items":[2]}"#) }
        #expect(try await Client(stub).pages(of: ListItems()).elements(\.items).collected() == [1, 2])
        #expect(targets(stub) == ["/items", "/items?after=c"])
        let other = Client(stub).pages(of: ListItems(), by: .next { endpoint, _ in endpoint.after == nil ? ListItems(after: "z") : nil })
        #expect(try await other.collected().count == 2)
        #expect(targets(stub).last == "/items?after=z")
    }

    @Test(arguments: [(nil, 4), (2, 3), (1, 4)] as [(Int?, Int)])
    func numberedPagesEndWithOneThatIsNotFull(size: Int?, calls: Int) async throws {
        let stub = stub { request in
            switch request.url.query {
            case "page=0", "page=1": .json("[1,2]")
            case "page=2": .json("[3]")
            default: .json("[]")
            }
        }
        let pages = Client(stub).pages(of: .get("/", as: [Int].self), by: .pageNumber("page", first: 0, size: size))
        #expect(try await pages.elements.collected() == [1, 2, 1, 2, 3])
        #expect(stub.requests.count == calls)
    }

    @Test func offsetsCountWhatWasThere() async throws {
        let stub = stub { request in
            switch request.url.query {
            case "offset=10": .json("[1,2,3]")
            case "offset=13": .json("[4]")
            default: .json("[]")
            }
        }
        #expect(try await Client(stub).pages(of: .get("/", as: [Int].self), by: .offset("offset", first: 10)).elements.collected() == [1, 2, 3, 4])
        #expect(stub.requests.map(\.url.query) == ["offset=10", "offset=13", "offset=14"])
    }

    @Test func thePlaceOfTheFirstPageWinsOverTheEndpointsOwn() async throws {
        let stub = stub { _ in .json("[]") }
        _ = try await Client(stub).pages(of: .get("/", ["page": 9, "q": 1], as: [Int].self), by: .pageNumber("page")).collected()
        #expect(targets(stub) == ["/?page=1&q=1"])
    }

    private struct ListByField: PagedEndpoint, Encodable {
        typealias Value = Page
        static let route: Route = .get("/items")
        @Header("X-After") var after: String? = nil
        func next(after page: Landed<Page>) -> ListByField? {
            page.value.next.map {
                var next = self
                next.after = $0
                return next
            }
        }
    }

    @Test func requestsThatDifferInAFieldAreNoLoop() async throws {
        let field = try #require(HTTPField.Name("X-After"))
        let stub = stub { $0.headers[field] == nil ? .json(#"{"items":[1],"next":"c"}"#) : .json(#"{"items":[2]}"#) }
        let client = Client(stub)
        #expect(try await client.pages(of: ListByField()) { $0.idempotencyKey = .automatic }.elements(\.items).collected() == [1, 2])
    }

    // MARK: Ends

    @Test func aLoopIsAnErrorBeforeItIsFlown() async throws {
        let (stub, client) = linked(["/a": "</b>; rel=next", "/b": "</c>; rel=next", "/c": "</b>; rel=next"])
        let error = await failure { _ = try await client.pages(of: .get("/a", as: [String].self)).collected() }
        #expect(error?.code == .pageLoop)
        #expect(targets(stub) == ["/a", "/b", "/c"])
        let same = self.stub { _ in .json(#"{"items":[1],"next":"c"}"#) }
        let cursor = await failure { _ = try await Client(same).pages(of: .get("/", as: Page.self), by: .cursor("after") { $0.next }).collected() }
        #expect(cursor?.code == .pageLoop)
        #expect(same.requests.count == 2)
    }

    @Test func morePagesThanTheLimitAreAnErrorAndTheLimitItselfIsNot() async throws {
        let stub = stub { .json("[\($0.url.query == "page=4" ? "" : "1")]") }
        let client = Client(stub)
        let pages: @Sendable (Int) -> PageStream<InlineEndpoint<[Int]>> = { client.pages(of: .get("/", as: [Int].self), by: .pageNumber("page"), limit: $0) }
        #expect(try await pages(4).collected().count == 4)
        let error = await failure { _ = try await pages(3).collected() }
        #expect(error?.code == .tooManyPages)
        #expect(try await pages(3).collected(3).count == 3)
    }

    @Test func whoLeavesTheLoopAsksForNoMore() async throws {
        let (stub, client) = linked(["/a": "</b>; rel=next"])
        #expect(try await client.pages(of: .get("/a", as: [String].self)).collected(1).count == 1)
        #expect(stub.requests.count == 1)
    }

    @Test func aPageThatFailsEndsTheSequence() async throws {
        let stub = stub { $0.url.query == "page=1" ? .json("[1]") : .status(.notFound) }
        let client = Client(stub)
        var iterator = client.pages(of: .get("/", as: [Int].self), by: .pageNumber("page")).makeAsyncIterator()
        #expect(try await iterator.next()?.value == [1])
        let error = await failure { _ = try await iterator.next() }
        #expect(error?.status == .notFound)
        #expect(try await iterator.next() == nil)
        #expect(stub.requests.count == 2)
    }

    @Test func aCursorThatThrowsIsTheCallersFailureWithItsCall() async throws {
        let client = Client(stub { _ in .json("{\"items\":[]}") })
        let error = await failure {
            _ = try await client.pages(of: .get("/x", as: Page.self), by: .cursor("after") { _ in throw Foreign() }).collected()
        }
        #expect(error?.code == .callerFailed)
        #expect(error?.cause(as: Foreign.self) == Foreign())
        #expect(error?.endpoint == "GET /x")
        #expect(error?.status == .ok)
    }

    @Test func everyPageIsACallLikeAnyOther() async throws {
        let recorder = EventRecorder()
        let (_, client) = linked(["/a": "</b>; rel=next"])
        let pages = client.pages(of: .get("/a", as: [String].self)) { $0.observers = [recorder] }
        _ = try await pages.collected()
        #expect(recorder.names.filter { $0 == "landed" }.count == 2)
        #expect(Set(recorder.events.map(\.endpoint)) == ["GET /a"])
    }

    @Test func cancellationEndsThePage() async throws {
        let stub = stub { _ in .json("[]") }
        stub.hold()
        let client = Client(stub)
        let reading = Task { try await client.pages(of: .get("/", as: [Int].self)).collected() }
        try await stub.received()
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
        try await stub.isIdle()
    }
}
