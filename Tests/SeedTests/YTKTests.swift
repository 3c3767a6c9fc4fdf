import HTTPTypes
import Tarmac
import TarmacJSON
import TarmacTesting
import Testing

@Suite("YTKNetwork: requests", .timeLimit(.minutes(5)))
struct YTKRequestTests {
    private struct Search: Encodable, Sendable {
        var text: String
        var near: [Double]
    }

    /// A request with a body of any shape.
    private struct Save: Endpoint {
        typealias Value = Void
        static let route: Route = .put("/searches/{id}")
        var id: Int
        var search: Search
        func parameters() throws -> ParameterList { ["id": id] }
        func body() throws -> Body? { try .json(search) }
    }

    // YTK-1, YTK-5, LM-1, LM-3: a type is an API, and the compiler asks it for route and value; its argument is any value.
    @Test func anArgumentMayBeAnyValue() async throws {
        let stub = StubTransport.user
        try await Client(stub).send(Save(id: 3, search: Search(text: "cup", near: [1, 2])))
        let request = try #require(stub.requests.first)
        #expect(request.url.path == "/v1/searches/3")
        #expect(try JSON(parsing: request.text ?? "") == ["text": "cup", "near": [1, 2]])
        try await Client(stub).post("/list", body: .json(["cup", "pot"]))
        #expect(stub.requests.last?.text == #"["cup","pot"]"#)
    }

    // YTK-4
    @Test func aRequestHasSixtySecondsUnlessItSaysOtherwise() {
        let client = Client(.user)
        #expect(client.explain(GetUser(id: 7))["timeout"]?.origin == .default)
        #expect(client.explain(GetUser(id: 7))["timeout"]?.value == "60 s")
        #expect(client.explain(GetUser(id: 7)) { $0.timeout = .seconds(5) }["timeout"]?.value == "5 s")
    }

    // YTK-6, XF-B11: every method, and those nobody thought of.
    @Test(arguments: [Route.get("/a"), .head("/a"), .post("/a"), .put("/a"), .patch("/a"), .delete("/a"), .options("/a"), .method("REPORT", "/a")])
    func everyMethodFlies(route: Route) async throws {
        let stub = StubTransport.user
        try await Client(stub).send(InlineEndpoint(route, landing: .void))
        #expect(stub.requests.map(\.method) == [route.method])
    }

    // YTK-7, XF-B11: a form or JSON, as the layer says.
    @Test(arguments: [(BodyFormat.json, #"{"name":"ann","page":2}"#, "application/json"), (.form, "name=ann&page=2", FormEncoder.contentType)])
    func theBodyHasTheFormatOfTheLayer(format: BodyFormat, body: String, type: String) async throws {
        let stub = StubTransport.user
        try await Client(stub) { $0.bodyFormat = format }.post("/users", ["name": "ann", "page": 2])
        #expect(stub.requests.first?.text == body)
        #expect(stub.requests.first?.headers[.contentType]?.hasPrefix(type) == true)
    }

    // YTK-9
    @Test func userAndPasswordAreBasic() async throws {
        let stub = StubTransport.user
        try await Client(stub) { $0.authenticator = .basic(user: "ann", password: "runway") }.get("/")
        #expect(stub.requests.first?.headers[.authorization] == "Basic YW5uOnJ1bndheQ==")
    }

    // YTK-10: fields of a request by its settings or its properties, whose types are those of Swift.
    @Test func aRequestHasFieldsOfItsOwn() async throws {
        struct Search: Endpoint, Encodable {
            typealias Value = Void
            static let route: Route = .get("/search")
            var text = "cup"
            @Header("X-Page") var page = 2
            func configure(_ options: inout Options) { options.headers["X-App"] = "3.2" }
        }
        let stub = StubTransport.user
        try await Client(stub).send(Search()) { $0.headers["X-Screen"] = "home" }
        let request = try #require(stub.requests.first)
        #expect(["X-Page", "X-App", "X-Screen"].map { request[field: $0] } == ["2", "3.2", "home"])
        #expect(request.url.query == "text=cup")
    }

    // YTK-10: what is no header field is refused by name, not left out.
    @Test func aFieldThatCannotBeSentIsNamed() async {
        let stub = StubTransport.user
        let error = await #expect(throws: TarmacError.self) { try await Client(stub).get("/") { $0.headers["X-Name"] = "a\r\nb" } }
        #expect(error?.code == .invalidHeader)
        #expect(error?.reason.contains("X-Name") == true)
        #expect(stub.requests.isEmpty)
    }

    // YTK-11: a request made by hand takes its method, URL, fields and body from nothing else, and no filter changes it.
    @Test func aRequestMadeByHandFliesAsItIs() async throws {
        let stub = StubTransport { _ in .text("raw", status: .accepted) }
        let client = Client(stub) {
            $0.urlFilters = [.filter { url, _ in url.adding(query: "v", "3") }]
            $0.parameters = ["token": "t"]
            $0.bodyFormat = .form
        }
        let request = Request(.post, try HTTPURL("https://other.example/gz"), headers: [.contentEncoding: "gzip"], body: .bytes(Bytes([1, 2, 3])))
        let response = try await client.send(raw: request)
        #expect(response.status == .accepted && response.body.collected == Bytes("raw"))
        let sent = try #require(stub.requests.first)
        #expect(sent.method == .post && sent.url.string == "https://other.example/gz")
        #expect(sent.headers[.contentEncoding] == "gzip" && sent.body.buffered == Bytes([1, 2, 3]))
    }

    // YTK-15; YTK-B13: optional members and nulls are said, and an error names path and expectation.
    @Test(
        arguments: [
            (#"{"id":7}"#, nil), (#"{"id":7,"nick":null,"tags":[null]}"#, nil), (#"{"id":"7"}"#, "$.id"), (#"{"nick":"a"}"#, "$.id"),
            (#"{"id":7,"tags":[1]}"#, "$.tags[0]"), (#"{"id":7,"team":{"name":"red"}}"#, nil), (#"{"id":7,"team":{"name":1}}"#, "$.team.name"),
        ] as [(String, String?)])
    func aShapeIsCheckedToTheBottom(body: String, path: String?) async {
        let team: Shape = ["name": .string]
        let shape: Shape = ["id": .integer, "nick": .string.optional, "tags": .array(of: .string.nullable).optional, "team": team.optional]
        let result = await Result { try await Client(.enveloped(body)).get("/", as: JSON.self) { $0.shape = shape } }
        #expect((result.error as? TarmacError)?.path == path)
        #expect((result.error as? TarmacError)?.code == path.map { _ in .shapeMismatch })
    }

    // YTK-38: which types are accepted is a setting of every layer.
    @Test(arguments: [(nil, false), (AcceptableContentTypes.lenientJSON, true), (.any, true)] as [(AcceptableContentTypes?, Bool)])
    func aLayerSaysWhichTypesAreAccepted(acceptable: AcceptableContentTypes?, passes: Bool) async {
        let stub = StubTransport { _ in .bytes(Bytes(#"{"id":7,"name":"ann"}"#), headers: [.contentType: "text/html"]) }
        let result = await Result { try await Client(stub).send(GetUser(id: 7)) { $0.acceptableContentTypes = acceptable } }
        #expect((try? result.get().id) == (passes ? 7 : nil))
        #expect((result.error as? TarmacError)?.code == (passes ? nil : .unacceptableContentType))
    }

    // YTK-16, YTK-38: 2xx unless a layer says which.
    @Test(
        arguments: [
            (204, nil, true), (304, nil, false), (404, AcceptableStatus([200, 404]), true), (201, AcceptableStatus([200]), false),
        ] as [(Int, AcceptableStatus?, Bool)])
    func aLayerSaysWhichStatusIsASuccess(status: Int, acceptable: AcceptableStatus?, passes: Bool) async {
        let client = Client(StubTransport { _ in .status(.init(code: status)) })
        let result = await Result { try await client.get("/") { $0.acceptableStatus = acceptable } }
        #expect((result.error == nil) == passes)
    }

    // YTK-24
    @Test func textIsReadInTheCharsetOfTheAnswer() async throws {
        let stub = StubTransport { _ in .bytes(Bytes([0xD7, 0xC5, 0xC2, 0xBD]), contentType: "text/plain; charset=GBK") }
        #expect(try await Client(stub).get("/", as: String.self) == "着陆")
    }

    // YTK-26: an endpoint is a value and serves any number of times, also at once.
    @Test func oneValueServesAnyNumberOfTimes() async throws {
        let (stub, getUser) = (StubTransport.user, GetUser(id: 7))
        let client = Client(stub)
        _ = try await client.batch(Array(repeating: getUser, count: 10)).map { try $0.get() }
        #expect(stub.requests.count == 10)
    }
}

extension Result where Failure == any Error, Success: Sendable {
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
