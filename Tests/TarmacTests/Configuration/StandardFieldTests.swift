import HTTPTypes
import TarmacStreams
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// The fields that every request has, against those that a layer sets by name.
@Suite("Standard header fields", .timeLimit(.minutes(5)))
struct StandardFieldTests {
    private let stub = StubTransport { _ in .status(.noContent) }
    private static let names: [HTTPField.Name] = [.accept, .userAgent, .acceptEncoding]

    private func client() -> Client {
        Client(transport: .stub(stub), services: [Service("s", host: "https://s.example") { $0.headers["Accept-Encoding"] = "br" }]) {
            $0.headers["Accept"] = "application/vnd.api+json"
            $0.headers["User-Agent"] = "client"
        }
    }

    private func sent() -> [[String]] { Self.names.map { stub.requests.last?.headers[values: $0] ?? [] } }

    @Test func thoseOfClientAndServiceTakeTheirPlace() async throws {
        try await client().get("/a")
        #expect(sent() == [["application/vnd.api+json"], ["client"], ["br"]])
    }

    @Test func thoseOfACallTakeThePlaceOfBoth() async throws {
        try await client().get("/a") { ($0.headers["Accept"], $0.headers["User-Agent"], $0.headers["Accept-Encoding"]) = ("text/plain", "call", "gzip") }
        #expect(sent() == [["text/plain"], ["call"], ["gzip"]])
        try await client().get("/a") { ($0.userAgent, $0.acceptsCompression) = ("setting", false) }
        #expect(sent() == [["application/vnd.api+json"], ["setting"], ["identity"]])
    }

    @Test func anotherHostReceivesTheStandardOnes() async throws {
        _ = try await client().send(raw: Request(.get, HTTPURL("https://other.example/a")))
        let headers = try #require(stub.requests.last?.headers)
        #expect(headers[values: .accept] == ["*/*"] && headers[.userAgent]?.contains("client") == false)
    }

    @Test func aPartAndAStreamAreAskedForWithoutACoding() async throws {
        try await client().get("/a") { $0.headers["Range"] = "bytes=0-1" }
        #expect(sent()[2] == ["identity"])
        try await client().stream(.get("/a")) { response in for try await _ in response.body {} }
        #expect(sent() == [["application/vnd.api+json"], ["client"], ["identity"]])
    }

    /// Whoever names a field may give it the standard value.
    @Test func theStandardValueIsKeptWhereItIsNamed() async throws {
        struct Picture: Endpoint, Encodable {
            typealias Value = Void
            static let route: Route = .get("/picture")
            @Header("Accept") var accept = "*/*"
        }
        try await client().send(Picture())
        #expect(sent()[0] == ["*/*"])
        _ = try await client().send(raw: Request(.get, HTTPURL("https://s.example/a"), headers: [.accept: "*/*"]))
        #expect(sent()[0] == ["*/*"])
        struct AcceptsAll: Interceptor {
            func intercept(_ request: Request, chain: Chain) async throws -> Response {
                var request = request
                request.headers[.accept] = "*/*"
                return try await chain.proceed(request)
            }
        }
        try await client().get("/a") { $0.interceptors = [AcceptsAll()] }
        #expect(sent()[0] == ["*/*"])
    }

    /// An upper layer's setting beats a lower layer's field, and the field of its own layer beats it.
    @Test func settingsAndFieldsCountByLayer() async throws {
        let service = Service("s", host: "https://s.example") { ($0.userAgent, $0.acceptsCompression) = ("service", false) }
        let client = Client(transport: .stub(stub), services: [service]) {
            ($0.headers["User-Agent"], $0.headers["Accept-Encoding"]) = ("client", "br")
        }
        try await client.get("/a")
        #expect(sent()[1...] == [["service"], ["identity"]])
        try await client.get("/a") { $0.userAgent = UserAgent.none }
        #expect(sent()[1] == [])
        try await client.get("/a") { ($0.userAgent, $0.headers["User-Agent"]) = ("setting", "field") }
        #expect(sent()[1] == ["field"])
    }

    @Test func aFieldWithTwoValuesIsSentWithBoth() async throws {
        let name = try #require(HTTPField.Name("X-A"))
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
            $0.headers.append("X-A", "1")
            $0.headers.append("X-A", "2")
        }
        try await client.get("/a")
        #expect(stub.requests.last?.headers[values: name] == ["1", "2"])
    }

    @Test func aRequestThatNamesThemKeepsThem() async throws {
        let headers: HTTPFields = [.accept: "text/csv", .userAgent: "hand", .acceptEncoding: "gzip"]
        _ = try await client().send(raw: Request(.get, HTTPURL("https://s.example/a"), headers: headers))
        #expect(sent() == [["text/csv"], ["hand"], ["gzip"]])
    }
}
