import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacJSON
import TarmacSigning
import TarmacTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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

    // YTK-6, QSP-15, BQ-3, XF-3, XF-4, XF-B11: every method, and those nobody thought of.
    @Test(
        arguments: [
            (.get("/a"), "GET"), (.head("/a"), "HEAD"), (.post("/a"), "POST"), (.put("/a"), "PUT"), (.patch("/a"), "PATCH"),
            (.delete("/a"), "DELETE"), (.options("/a"), "OPTIONS"), (.method("REPORT", "/a"), "REPORT"),
        ] as [(Route, String)])
    func everyMethodFlies(route: Route, name: String) async throws {
        let stub = StubTransport.user
        try await Client(stub).send(InlineEndpoint(route, landing: .void))
        #expect(stub.requests.map(\.method.rawValue) == [name])
    }

    // YTK-6: what is no method is an error of the call, and nothing is sent.
    @Test func whatIsNoMethodIsRefused() async {
        let stub = StubTransport.user
        let error = await #expect(throws: TarmacError.self) { try await Client(stub).send(InlineEndpoint(.method("NO METHOD", "/a"), landing: .void)) }
        #expect(error?.code == .invalidOption && error?.reason.contains("NO METHOD") == true)
        #expect(stub.requests.isEmpty)
    }

    // YTK-7, XF-B11: a form or JSON, as the layer says, and JSON where none says.
    @Test(
        arguments: [
            (nil, #"{"name":"ann","page":2}"#, "application/json"), (.json, #"{"name":"ann","page":2}"#, "application/json"),
            (.form, "name=ann&page=2", FormEncoder.contentType),
        ] as [(BodyFormat?, String, String)])
    func theBodyHasTheFormatOfTheLayer(format: BodyFormat?, body: String, type: String) async throws {
        let stub = StubTransport.user
        try await Client(stub) { $0.bodyFormat = format }.post("/users", ["name": "ann", "page": 2])
        #expect(stub.requests.first?.text == body)
        #expect(stub.requests.first?.headers[.contentType]?.hasPrefix(type) == true)
    }

    // YTK-9: of a client or of one request.
    @Test func userAndPasswordAreBasic() async throws {
        let stub = StubTransport.user
        try await Client(stub) { $0.authenticator = .basic(user: "ann", password: "runway") }.get("/")
        try await Client(stub).get("/") { $0.authenticator = .basic(user: "ann", password: "runway") }
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Basic YW5uOnJ1bndheQ==", "Basic YW5uOnJ1bndheQ=="])
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
        #expect(error?.code == .invalidParameter)
        #expect(error?.reason.contains("X-Name") == true)
        struct Search: Endpoint, Encodable {
            typealias Value = Void
            static let route: Route = .get("/search")
            @Header("X-Page") var page = "a\r\nb"
        }
        let property = await #expect(throws: TarmacError.self) { try await Client(stub).send(Search()) }
        #expect(property?.code == .invalidParameter && property?.reason.contains("X-Page") == true)
        let name = await #expect(throws: TarmacError.self) { try await Client(stub).get("/") { $0.headers["X Name"] = "a" } }
        #expect(name?.code == .invalidParameter && name?.reason.contains("X Name") == true)
        #expect(stub.requests.isEmpty)
    }

    // YTK-11: a request made by hand keeps its method, URL, body and its own fields: neither base, parameters, format nor filters touch it.
    // The fields of every request and of the call are added, on hosts of the service also those of client and service and the credentials.
    @Test(arguments: ["https://s.example/gz", "https://other.example/gz"])
    func aRequestMadeByHandFliesAsItIs(url: String) async throws {
        let transport = KeepingTransport()
        let service = Service("s", host: "https://s.example/v1") { $0.headers["X-Service"] = "s" }
        let client = Client(transport: TransportFactory(name: "keeping") { _ in transport }, services: [service]) {
            $0.urlFilters = [.filter { url, _ in url.adding(query: "v", "3") }]
            $0.parameters = ["token": "t"]
            $0.bodyFormat = .form
            $0.headers["X-App"] = "3.2"
            $0.headers["X-Own"] = "client"
            $0.userAgent = "app"
            $0.authenticator = .basic(user: "ann", password: "runway")
            $0.networkAccess = NetworkAccess(allowsCellular: false, allowsExpensive: false, allowsConstrained: false)
        }
        let own = try #require(HTTPField.Name("X-Own"))
        let request = Request(
            .post, try HTTPURL(url), headers: [.contentEncoding: "gzip", .accept: "text/plain", own: "request"], body: .bytes(Bytes([1, 2, 3])))
        let response = try await client.send(raw: request) { $0.headers["X-Call"] = "1" }
        #expect(response.status == .accepted && response.body.collected == Bytes("raw"))
        let (sent, access) = try #require(transport.kept.withLock { $0.first })
        #expect(sent.method == .post && sent.url.string == url && sent.body.buffered == Bytes([1, 2, 3]))
        var expected = [
            "content-encoding": "gzip", "content-type": "application/octet-stream", "accept": "text/plain", "x-own": "request", "user-agent": "app",
            "x-call": "1",
        ]
        if url.hasPrefix("https://s.example/") {
            expected.merge(["x-app": "3.2", "x-service": "s", "authorization": "Basic YW5uOnJ1bndheQ=="]) { $1 }
        }
        var fields = Dictionary(sent.headers.map { ($0.name.canonicalName, $0.value) }, uniquingKeysWith: { $0 + ", " + $1 })
        #expect(fields.removeValue(forKey: "accept-encoding")?.contains("gzip") == true)
        #expect(fields == expected)
        // The networks of the layers count for it too.
        #expect(!access.allowsCellular && !access.allowsExpensive && !access.allowsConstrained)
        // A request without the field has that of every request.
        _ = try await client.send(raw: Request(.get, try HTTPURL(url)))
        #expect(transport.kept.withLock { $0.last?.0.headers[.accept] } == "*/*")
        // Each field that the request has stays alone, whoever has one of that name.
        let all: HTTPFields = [
            .userAgent: "hand", .accept: "text/plain", .acceptEncoding: "gzip", .contentType: "application/gzip", .authorization: "Bearer hand",
            own: "request",
        ]
        let full = Request(.post, try HTTPURL(url), headers: all, body: .bytes(Bytes([1])))
        _ = try await client.send(raw: full) { $0.headers["X-Own"] = "call" }
        let kept = try #require(transport.kept.withLock { $0.last?.request })
        for field in all { #expect(kept.headers[values: field.name] == [field.value], "\(field.name)") }
    }

    // YTK-11: part of a coded body cannot be decoded, so a request with a Range that names no coding asks for none.
    @Test func aPartIsAskedForWithoutACoding() async throws {
        let stub = StubTransport.user
        var request = Request(.get, try HTTPURL("https://s.example/f"), headers: [.range: "bytes=0-1"])
        _ = try await Client(stub).send(raw: request)
        request.headers[.acceptEncoding] = "gzip"
        _ = try await Client(stub).send(raw: request)
        _ = try await Client(stub).send(raw: request) { $0.headers["Accept-Encoding"] = "br" }
        request.headers[.acceptEncoding] = nil
        _ = try await Client(stub).send(raw: request) { $0.headers["Accept-Encoding"] = "br" }
        // One of the client is for whole answers.
        _ = try await Client(stub) { $0.headers["Accept-Encoding"] = "gzip" }.send(raw: request)
        #expect(stub.requests.map { $0.headers[.acceptEncoding] } == ["identity", "gzip", "gzip", "br", "identity"])
        #expect(stub.requests.map { $0.headers[.range] } == Array(repeating: "bytes=0-1", count: 5))
    }

    // YTK-11: every answer of a request made by hand is a success, whatever client and service accept; the call's own word counts.
    @Test func everyAnswerOfARequestMadeByHandIsASuccess() async throws {
        let stub = StubTransport { _ in .json(#"{"status":0,"message":"sold out"}"#, status: .notFound) }
        let client = Client(stub) {
            ($0.acceptableStatus, $0.acceptableContentTypes) = (.success, .only("text/plain"))
            ($0.envelope, $0.shape) = (.status, ["id": .integer])
        }
        let request = Request(.get, try HTTPURL("https://s.example/gz"))
        let response = try await client.send(raw: request)
        #expect(response.status == .notFound && response.body.collected == Bytes(#"{"status":0,"message":"sold out"}"#))
        let status = await #expect(throws: TarmacError.self) { try await client.send(raw: request) { $0.acceptableStatus = .success } }
        #expect(status?.code == .unacceptableStatus)
        let type = await #expect(throws: TarmacError.self) { try await client.send(raw: request) { $0.acceptableContentTypes = .only("text/plain") } }
        #expect(type?.code == .unacceptableContentType)
        // It is taken as bytes: no envelope and no shape is looked for in it, not even the call's own.
        let unread = try await client.send(raw: request) { ($0.envelope, $0.shape) = (.status, ["id": .integer]) }
        #expect(unread.status == .notFound && unread.body.collected == Bytes(#"{"status":0,"message":"sold out"}"#))
    }

    // YTK-11: credentials that belong in the query are added to the URL, on the service's hosts alone.
    @Test func aKeyInTheQueryIsAddedToARequestMadeByHand() async throws {
        let stub = StubTransport.user
        let client = Client(stub) { $0.authenticator = .apiKey("k1", query: "key") }
        for url in ["https://s.example/gz", "https://s.example/gz?a=1", "https://other.example/gz?a=1"] {
            _ = try await client.send(raw: Request(.get, HTTPURL(url)))
        }
        #expect(stub.requests.map(\.url.string) == ["https://s.example/gz?key=k1", "https://s.example/gz?a=1&key=k1", "https://other.example/gz?a=1"])
    }

    // YTK-11: a request made by hand whose URL is on the host that the call names goes to the next one if that cannot be reached; any other
    // stays where it is.
    @Test func failoverMovesARequestMadeByHand() async throws {
        let stub = StubTransport { request in
            if request.url.host != "s.example" { throw TarmacError(.connectionRefused, phase: .connecting, "down") }
            return .json("{}")
        }
        let client = Client(transport: .stub(stub), services: [Service("app", host: Hosts("https://s.example", cdn: "https://cdn.example"))])
        let request = Request(.get, try HTTPURL("https://cdn.example/f?a=1"))
        // Nobody has named the CDN: the URL stays.
        await #expect(throws: TarmacError.self) { try await client.send(raw: request) }
        await #expect(throws: TarmacError.self) { try await client.send(raw: request) { ($0.host, $0.failover) = (.cdn, .off) } }
        #expect(stub.requests.map(\.url.string) == ["https://cdn.example/f?a=1", "https://cdn.example/f?a=1"])
        _ = try await client.send(raw: request) { $0.host = .cdn }
        #expect(stub.requests.last?.url.string == "https://s.example/f?a=1")
    }

    // YTK-11: the limits of the layers end a request made by hand too, on whichever host.
    @Test(arguments: ["https://s.example/gz", "https://other.example/gz"])
    func theLimitsOfTheLayersEndARequestMadeByHand(url: String) async throws {
        let (stub, time) = (StubTransport.user, ManualTime())
        let client = Client(stub, time: time) { ($0.timeout, $0.connectTimeout, $0.idleTimeout) = (.seconds(7), .unlimited, .unlimited) }
        stub.hold()
        let call = Task { try await client.send(raw: Request(.get, HTTPURL(url))) }
        try await stub.received()
        try await time.hasSleepers()
        #expect(time.nextDeadline == .seconds(7))
        time.advance(by: .seconds(7))
        let error = await #expect(throws: TarmacError.self) { try await call.value }
        #expect(error?.code == .timeout)
    }

    // YTK-11: what a layer turns on counts for a request made by hand too: a key, compression, and a cipher.
    @Test func whatALayerTurnsOnCountsForARequestMadeByHand() async throws {
        struct Turned: PayloadCipher {
            func turned(_ bytes: Bytes) -> Bytes { Bytes(bytes.array.map { $0 ^ 0x5A }) }
            func seal(_ request: Request, at date: Date) throws -> Request {
                var sealed = request
                sealed.body = .bytes(turned(request.body.buffered ?? .empty))
                return sealed
            }
            func open(_ response: Response, to request: Request, at date: Date) throws -> Response {
                var opened = response
                opened.body = .bytes(turned(response.body.collected ?? .empty))
                return opened
            }
        }
        let (plain, key) = (Bytes([UInt8](repeating: 7, count: 5000)), try #require(HTTPField.Name("Idempotency-Key")))
        let stub = StubTransport { _ in .bytes(Bytes("hello".utf8.map { $0 ^ 0x5A })) }
        func request(_ headers: HTTPFields = [:]) throws -> Request {
            Request(.post, try HTTPURL("https://s.example/gz"), headers: headers, body: .bytes(plain))
        }
        // Without them, the body and the fields are the request's own.
        _ = try await Client(stub).send(raw: try request())
        var sent = try #require(stub.requests.last)
        #expect(sent.body.buffered == plain && sent.headers[.contentEncoding] == nil && sent.headers[key] == nil)
        // The key, unless the request has one.
        let keyed = Client(stub) { $0.idempotencyKey = .value("k-1") }
        _ = try await keyed.send(raw: try request())
        #expect(stub.requests.last?.headers[values: key] == ["k-1"])
        _ = try await keyed.send(raw: try request([key: "own"]))
        #expect(stub.requests.last?.headers[values: key] == ["own"])
        // Compression, unless the request names a coding.
        let compressed = Client(stub) { $0.requestCompression = .gzip }
        _ = try await compressed.send(raw: try request())
        sent = try #require(stub.requests.last)
        #expect(sent.headers[.contentEncoding] == "gzip")
        #expect(sent.body.buffered.map { $0.array.starts(with: [0x1F, 0x8B]) && $0.count < plain.count } == true)
        _ = try await compressed.send(raw: try request([.contentEncoding: "br"]))
        sent = try #require(stub.requests.last)
        #expect(sent.headers[.contentEncoding] == "br" && sent.body.buffered == plain)
        // A cipher, both ways.
        let sealing = Client(stub) { $0.encryption = .cipher(Turned()) }
        let response = try await sealing.send(raw: try request())
        #expect(stub.requests.last?.body.buffered == Turned().turned(plain))
        #expect(response.body.collected == Bytes("hello"))
        // On the service's hosts alone: another one gets nothing.
        let count = stub.requests.count
        let error = await #expect(throws: TarmacError.self) {
            try await sealing.send(raw: Request(.post, HTTPURL("https://other.example/gz"), body: .bytes(plain)))
        }
        #expect(error?.code == .unsupported && stub.requests.count == count)
    }

    // YTK-15; YTK-B13: optional members and nulls are said, a null passes nowhere else, and an error names the path.
    @Test(
        arguments: [
            (#"{"id":7}"#, nil), (#"{"id":7,"nick":null,"tags":[null]}"#, nil), (#"{"id":"7"}"#, "$.id"), (#"{"nick":"a"}"#, "$.id"),
            (#"{"id":7,"tags":[1]}"#, "$.tags[0]"), (#"{"id":7,"team":{"name":"red"}}"#, nil), (#"{"id":7,"team":{"name":1}}"#, "$.team.name"),
            (#"{"id":null}"#, "$.id"), ("null", "$"),
        ] as [(String, String?)])
    func aShapeIsCheckedToTheBottom(body: String, path: String?) async {
        let team: Shape = ["name": .string]
        let shape: Shape = ["id": .integer, "nick": .string.optional, "tags": .array(of: .string.nullable).optional, "team": team.optional]
        let result = await Result { try await Client(.enveloped(body)).get("/", as: JSON.self) { $0.shape = shape } }
        #expect((result.error as? TarmacError)?.path == path)
        #expect((result.error as? TarmacError)?.code == path.map { _ in .shapeMismatch })
    }

    // YTK-15: an answer that is taken as bytes or as text is not checked, as it is not read as JSON; one for a model is.
    @Test func aShapeIsForAnswersOfJSON() async throws {
        let client = Client(.enveloped(#"{"id":"7"}"#)) { $0.shape = ["id": .integer] }
        #expect(try await client.get("/", as: String.self) == #"{"id":"7"}"#)
        #expect(try await client.get("/", as: Data.self) == Data(#"{"id":"7"}"#.utf8))
        // One that is not taken at all is not read.
        try await client.get("/")
        let error = await #expect(throws: TarmacError.self) { try await client.get("/", as: JSON.self) }
        #expect(error?.code == .shapeMismatch)
        // Without the shape it would be `.decodingFailed`.
        let decoded = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 7)) }
        #expect(decoded?.code == .shapeMismatch && decoded?.path == "$.id")
        // One for a model that a decoder makes of another format is not checked either.
        let lines = StubTransport { _ in .bytes(Bytes("7,ann"), contentType: "text/csv") }
        let read = try await Client(lines) { $0.shape = ["id": .integer] }.send(GetUser(id: 7)) {
            $0.decoder = BodyDecoder(name: "lines", accepts: .only("text/csv")) { _, payload in
                let parts = try payload.text.split(separator: ",").map(String.init)
                return User(id: Int(parts[0]) ?? 0, name: parts[1])
            }
        }
        #expect(read == User(id: 7, name: "ann"))
    }

    // YTK-38: which types are accepted is a setting of every layer.
    @Test(arguments: [(nil, false), (AcceptableContentTypes.lenientJSON, true), (.any, true)] as [(AcceptableContentTypes?, Bool)])
    func aLayerSaysWhichTypesAreAccepted(acceptable: AcceptableContentTypes?, passes: Bool) async {
        let stub = StubTransport { _ in .bytes(Bytes(#"{"id":7,"name":"ann"}"#), headers: [.contentType: "text/html"]) }
        let result = await Result { try await Client(stub).send(GetUser(id: 7)) { $0.acceptableContentTypes = acceptable } }
        #expect((try? result.get().id) == (passes ? 7 : nil))
        #expect((result.error as? TarmacError)?.code == (passes ? nil : .unacceptableContentType))
    }

    // YTK-16, YTK-38: 200 to 299 unless a layer says which; but a 206 that no Range asked for only where a list names it or any status is
    // taken.
    @Test(
        arguments: [
            (200, nil, true), (204, nil, true), (299, nil, true), (300, nil, false), (304, nil, false), (404, AcceptableStatus([200, 404]), true),
            (201, AcceptableStatus([200]), false), (206, nil, false), (206, AcceptableStatus([206]), true),
            (206, AcceptableStatus(200...299), false), (206, .any, true),
        ] as [(Int, AcceptableStatus?, Bool)])
    func aLayerSaysWhichStatusIsASuccess(status: Int, acceptable: AcceptableStatus?, passes: Bool) async {
        let client = Client(StubTransport { _ in .status(.init(code: status)) })
        let result = await Result { try await client.get("/") { $0.acceptableStatus = acceptable } }
        #expect((result.error == nil) == passes)
    }

    // YTK-16: an answer is read under any status that a layer takes.
    @Test(arguments: [304, 404, 599]) func anAnswerIsReadUnderAnyAcceptableStatus(status: Int) async throws {
        let stub = StubTransport { _ in .json(#"{"id":7,"name":"ann"}"#, status: .init(code: status)) }
        #expect(try await Client(stub).send(GetUser(id: 7)) { $0.acceptableStatus = AcceptableStatus(100...599) }.id == 7)
    }

    // YTK-24
    @Test func textIsReadInTheCharsetOfTheAnswer() async throws {
        let stub = StubTransport { _ in .bytes(Bytes([0xD7, 0xC5, 0xC2, 0xBD]), contentType: "text/plain; charset=GBK") }
        #expect(try await Client(stub).get("/", as: String.self) == "着陆")
        #expect(try await Client(stub).send(InlineEndpoint<String>(.get("/"), landing: .text)) == "着陆")
    }

    // YTK-26: an endpoint is a value and serves any number of times, also at once.
    @Test func oneValueServesAnyNumberOfTimes() async throws {
        let (stub, getUser) = (StubTransport.user, GetUser(id: 7))
        let client = Client(stub)
        _ = try await client.send(Batch(Array(repeating: getUser, count: 10))).map { try $0.get() }
        #expect(stub.requests.count == 10)
    }
}

extension Result where Failure == any Error, Success: Sendable {
    init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
