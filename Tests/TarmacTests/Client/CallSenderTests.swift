import HTTPTypes
import Tarmac
import TarmacReform
import TarmacJSON
import TarmacTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type of an app's own that has a client.
private struct ShopAPI: CallSender {
    let client: Client
    var service: Service? = .market
}

/// One that leaves the service to the endpoint.
private struct Everything: CallSender {
    let client: Client
    var service: Service? { nil }
}

private struct GetOrder: Endpoint {
    typealias Value = JSON
    static let service = Service.depot
    static let route: Route = .get("/orders/7")
}

extension Service {
    fileprivate static let market = Service("market", host: "https://market.example")
    fileprivate static let depot = Service("depot", host: "https://depot.example")
}

private func latin() -> Response { .bytes(Bytes([0x63, 0x61, 0x66, 0xE9]), contentType: "text/plain; charset=iso-8859-1") }

@Suite("Calls by method")
struct CallSenderTests {
    private func clients(_ stub: StubTransport) -> [(name: String, sender: any CallSender)] {
        let client = Client(transport: .stub(stub), services: [.market, .depot])
        return [("a client", client), ("a service", client[.market]), ("an app's own type", ShopAPI(client: client))]
    }

    @Test func everySenderHasEveryMethod() async throws {
        let stub = StubTransport { _ in .json(#"{"n":1}"#) }
        for (name, sender) in clients(stub) {
            let before = stub.requests.count
            let sent = try await [
                sender.get("/a/{id}", ["id": 7, "n": 1], as: [String: Int].self), sender.delete("/a/{id}", ["id": 7, "n": 1], as: [String: Int].self),
                sender.post("/a/{id}", ["id": 7, "n": 1], as: [String: Int].self), sender.put("/a/{id}", ["id": 7, "n": 1], as: [String: Int].self),
                sender.patch("/a/{id}", ["id": 7, "n": 1], as: [String: Int].self),
            ]
            #expect(sent == Array(repeating: ["n": 1], count: 5), "\(name)")
            try await sender.get("/a", ["n": 1])
            try await sender.head("/a", ["n": 1])
            try await sender.delete("/a", ["n": 1])
            try await sender.post("/a", ["n": 1])
            try await sender.put("/a", ["n": 1])
            try await sender.patch("/a", body: .text("n"))
            let requests = stub.requests.dropFirst(before)
            let lines = requests.map { "\($0.method.rawValue) \($0.url.string) \($0.headers[.contentType] ?? "-")" }
            #expect(
                lines == [
                    "GET https://market.example/a/7?n=1 -", "DELETE https://market.example/a/7?n=1 -",
                    "POST https://market.example/a/7 application/json",
                    "PUT https://market.example/a/7 application/json", "PATCH https://market.example/a/7 application/json",
                    "GET https://market.example/a?n=1 -", "HEAD https://market.example/a?n=1 -", "DELETE https://market.example/a?n=1 -",
                    "POST https://market.example/a application/json",
                    "PUT https://market.example/a application/json", "PATCH https://market.example/a text/plain; charset=utf-8",
                ], "\(name)")
        }
    }

    // MARK: How a type lands

    @Test func dataAndTextAreTheBodyWhateverItsType() async throws {
        for (name, sender) in clients(StubTransport { _ in latin() }) {
            #expect(try await sender.get("/a", as: Data.self) == Data([0x63, 0x61, 0x66, 0xE9]), "\(name)")
            #expect(try await sender.get("/a", as: String.self) == "café", "\(name)")
            #expect(try await sender.send(.get("/a", as: Data.self)) == Data([0x63, 0x61, 0x66, 0xE9]), "\(name)")
            #expect(try await sender.send(.get("/a", as: String.self)) == "café", "\(name)")
        }
    }

    @Test func jsonAndModelsAreThePayloadOfAnAnswerThatIsJSON() async throws {
        let envelope = Envelope(success: { $0["ok"] == true }, payload: "data")
        for (name, sender) in clients(StubTransport { _ in .json(#"{"ok":true,"data":["a"]}"#) }) {
            #expect(try await sender.get("/a", as: JSON.self) { $0.envelope = envelope }[0] == "a", "\(name)")
            #expect(try await sender.get("/a", as: [String].self) { $0.envelope = envelope } == ["a"], "\(name)")
            #expect(try await sender.send(.get("/a", as: JSON.self)) { $0.envelope = envelope }[0] == "a", "\(name)")
            #expect(try await sender.send(.get("/a", as: [String].self)) { $0.envelope = envelope } == ["a"], "\(name)")
        }
        for (name, sender) in clients(StubTransport { _ in .text("[]") }) {
            let codes = await [
                code { _ = try await sender.get("/a", as: JSON.self) }, code { _ = try await sender.get("/a", as: [String].self) },
                code { _ = try await sender.send(.get("/a", as: JSON.self)) }, code { _ = try await sender.send(.get("/a", as: [String].self)) },
            ]
            #expect(codes == Array(repeating: .unacceptableContentType, count: 4), "\(name)")
        }
    }

    @Test func theDecoderOfTheCallDecidesWhatAModelIsMadeOf() async throws {
        let lines = BodyDecoder(name: "lines", accepts: .only("text/plain")) { _, payload in try payload.text.split(separator: ",").map(String.init) }
        let client = Client(transport: .stub { _ in .text("a,b") }, services: [.market]) { $0.decoder = lines }
        #expect(try await client.get("/a", as: [String].self) == ["a", "b"])
        #expect(try await client.send(.get("/a", as: [String].self)) == ["a", "b"])
        #expect(await code { _ = try await client.get("/a", as: JSON.self) } == .unacceptableContentType)
    }

    @Test func aTypeThatIsKnownAtRunTimeAloneLandsTheSame() async throws {
        func fetch<Value: Decodable & Sendable>(_ type: Value.Type, _ sender: some CallSender) async throws -> Value {
            try await sender.get("/a", as: type)
        }
        let client = Client(transport: .stub { _ in .json("[1]") }, services: [.market])
        #expect(try await fetch(String.self, client) == "[1]")
        #expect(try await fetch(Data.self, client[.market]) == Data("[1]".utf8))
        #expect(try await fetch(JSON.self, client)[0] == 1)
        #expect(try await fetch([Int].self, client) == [1])
    }

    @Test func anErrorOfTheLandingHoldsTheAnswer() async throws {
        let client = Client(transport: .stub { _ in .json(#"{"id":"seven"}"#) }, services: [.market])
        let error = await #expect(throws: TarmacError.self) { try await client.get("/a", as: [String: Int].self) }
        #expect(error?.code == .decodingFailed && error?.path == "$.id" && error?.response != nil)
        #expect(error?.endpoint == "GET /a")
    }

    // MARK: Where it goes

    @Test func theServiceOfTheSenderWins() async throws {
        let stub = StubTransport { _ in .json("{}") }
        let client = Client(transport: .stub(stub), services: [.market, .depot])
        _ = try await client.send(GetOrder())
        _ = try await Everything(client: client).send(GetOrder())
        _ = try await client[.market].send(GetOrder())
        _ = try await ShopAPI(client: client).landed(for: GetOrder())
        _ = try await client[.market].send(GetOrder().reformed(by: JSONReformer { $0.count }))
        try await client[.depot].get("/b")
        #expect(
            stub.requests.map(\.url.string) == [
                "https://depot.example/orders/7", "https://depot.example/orders/7", "https://market.example/orders/7", "https://market.example/orders/7",
                "https://market.example/orders/7", "https://depot.example/b",
            ])
    }

    private func code(_ call: () async throws -> Void) async -> TarmacError.Code? {
        do { try await call() } catch { return (error as? TarmacError)?.code }
        return nil
    }
}
