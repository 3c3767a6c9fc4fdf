import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacJSON
import TarmacTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Sending")
struct SendTests {
    struct User: Codable, Equatable, Sendable {
        var id: Int
        var name: String
    }

    struct GetUser: Endpoint, Encodable {
        typealias Value = User
        static let route: Route = .get("/users/{id}{?fields*}")
        var id: Int
        var fields: [String] = []
    }

    struct AddUser: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .post("/users")
        var name: String
        @Query var dryRun: Bool = false
        @Secret var password: String = "hunter2"
    }

    private static let shop = Service("shop", host: "https://api.shop.example/v1") {
        $0.headers["X-App-Version"] = "3.2.0"
    }

    private var shop: Service { Self.shop }

    @Test func endpointLandsAsValue() async throws {
        let stub = StubTransport { _ in try .json(encoding: User(id: 7, name: "ann")) }
        let client = Client(transport: .stub(stub), services: [shop])
        let user = try await client.send(GetUser(id: 7, fields: ["id", "name"]))
        #expect(user == User(id: 7, name: "ann"))
        let request = try #require(stub.requests.first)
        #expect(request.method == .get)
        #expect(request.url.string == "https://api.shop.example/v1/users/7?fields=id&fields=name")
        #expect(request.headers[HTTPField.Name("X-App-Version")!] == "3.2.0")
        #expect(request.headers[.userAgent]?.contains("Tarmac/") == true)
    }

    @Test func aClientWithoutServicesSaysThatItHasNone() async throws {
        let client = Client(transport: .stub { _ in .json("{}") }, services: [])
        let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 7)) }
        #expect(error?.code == .missingHost)
        #expect(error?.reason.contains("the client has no services") == true)
        try await client.get("https://api.shop.example/users/7")
        let elsewhere = Client(transport: .stub { _ in .json("{}") }, services: [Service("default", hosts: [.test: "https://t.example"])])
        let other = await #expect(throws: TarmacError.self) { try await elsewhere.send(GetUser(id: 7)) }
        #expect(other?.reason.contains("has no host in the environment production") == true)
    }

    @Test func parametersGoWhereTheyBelong() async throws {
        let stub = StubTransport { _ in .status(.created) }
        let client = Client(transport: .stub(stub), services: [shop])
        try await client.send(AddUser(name: "ann"))
        let request = try #require(stub.requests.first)
        #expect(request.url.string == "https://api.shop.example/v1/users?dryRun=false")
        #expect(request.headers[.contentType] == "application/json")
        guard case .bytes(let body) = request.body.content else { Issue.record("no bytes"); return }
        #expect(String(decoding: body.array, as: UTF8.self) == #"{"name":"ann","password":"hunter2"}"#)
    }

    @Test func inlineCallsLandAsWhatTheyAskFor() async throws {
        let stub = StubTransport { _ in try .json(encoding: ["a": 1]) }
        let client = Client(transport: .stub(stub), services: [shop])
        let text = try await client[shop].get("/x/{id}", ["id": 7, "page": 2], as: String.self)
        #expect(text == #"{"a":1}"#)
        let json = try await client.get("/x", as: JSON.self)
        #expect(json["a"] == 1)
        let data = try await client.get("/x", as: Data.self)
        #expect(data.count == 7)
        let decoded = try await client.get("/x", as: [String: Int].self)
        #expect(decoded == ["a": 1])
        try await client.get("/x")
        #expect(stub.requests[0].url.string == "https://api.shop.example/v1/x/7?page=2")
    }

    @Test func aFailureStatusIsAnErrorThatCarriesTheServersOwn() async throws {
        struct Problem: Decodable { var code: String }
        let stub = StubTransport { _ in try .json(encoding: ["code": "E1"], status: .notFound) }
        let client = Client(transport: .stub(stub), services: [shop])
        let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 1)) }
        #expect(error?.code == .unacceptableStatus)
        #expect(error?.status == .notFound)
        #expect(error?.endpoint == "GetUser")
        #expect(error?.attempts == 1)
        #expect(try error?.serverError(as: Problem.self)?.code == "E1")
    }

    @Test func aModelThatDoesNotFitNamesTheJSONPath() async throws {
        let stub = StubTransport { _ in try .json(encoding: ["id": "seven", "name": "ann"]) }
        let client = Client(transport: .stub(stub), services: [shop])
        let error = await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 1)) }
        #expect(error?.code == .decodingFailed)
        #expect(error?.path == "$.id")
        #expect(error?.cause(as: DecodingError.self) != nil)
    }

    @Test func explainNamesTheLayerOfEverySetting() {
        let client = Client(transport: .stub { _ in .status(.ok) }, services: [shop]) { $0.timeout = .seconds(9) }
        let explanation = client.explain(GetUser(id: 7)) { $0.deadline = .seconds(3) }
        #expect(explanation["timeout"]?.description == "timeout 9 s ← client, hides default 60 s")
        #expect(explanation["deadline"]?.origin == .call)
        #expect(explanation["headers"]?.origin == .service("shop"))
        #expect(client.explain(GetUser(id: 7))["timeout"]?.origin == .client)
    }
}
