#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import Tarmac
import TarmacJSON
import TarmacTesting
import Testing

/// Every verb takes the fields of a value where it takes a list of parameters.
@Suite struct EncodableVerbTests {
    struct Order: Encodable, Sendable {
        struct Address: Encodable, Sendable { var city: String }

        var id = 7
        var at = Date(timeIntervalSince1970: 0)
        var items = ["cup", "plate"]
        var address = Address(city: "Bern")
        var note: String?
    }

    struct Broken: Encodable, Sendable {
        func encode(to encoder: any Encoder) throws { throw CancellationError() }
    }

    private let stub = StubTransport { _ in .json("{}") }
    private var client: Client { Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) }

    private static let json = #"{"at":"1970-01-01T00:00:00Z","items":["cup","plate"],"address":{"city":"Bern"}}"#

    /// What an endpoint with the same fields sends.
    struct Twin: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .get("/orders/{id}")
        var route: Route
        private enum CodingKeys: CodingKey { case id, at, items, address, note }
        var id = 7
        var at = Date(timeIntervalSince1970: 0)
        var items = ["cup", "plate"]
        var address = Order.Address(city: "Bern")
        var note: String?
    }

    private func text(_ request: Request) -> String? { request.body.buffered.map { String(decoding: $0, as: UTF8.self) } }

    @Test func theFieldsOfAValueAreSentAsThoseOfAnEndpoint() async throws {
        let order = Order(), path = "/orders/{id}"
        _ = try await client.get(path, order, as: JSON.self)
        _ = try await client.send(.get(path, order, as: JSON.self))
        try await client.send(Twin(route: .get(path)))
        let twin = try #require(stub.requests.last?.url)
        #expect(twin.path == "/orders/7" && stub.requests.count == 3)
        #expect(stub.requests.allSatisfy { $0.url == twin && $0.body.isNone })
    }

    @Test func aValueIsTheBodyOfWhatIsPosted() async throws {
        let order = Order(), path = "/orders/{id}"
        _ = try await client.post(path, order, as: JSON.self)
        _ = try await client.put(path, order, as: JSON.self)
        _ = try await client.patch(path, order, as: JSON.self)
        try await client.post(path, order)
        try await client.put(path, order)
        try await client.patch(path, order)
        for call: InlineEndpoint<Void> in [.post(path, order), .put(path, order), .patch(path, order)] { try await client.send(call) }
        _ = try await client.send(.post(path, order, as: JSON.self))
        _ = try await client.send(.put(path, order, as: JSON.self))
        _ = try await client.send(.patch(path, order, as: JSON.self))
        try await client.send(Twin(route: .post(path)))
        let twin = try #require(stub.requests.last.flatMap(text))
        #expect(twin == Self.json && stub.requests.count == 13)
        #expect(stub.requests.allSatisfy { $0.url.string == "https://s.example/orders/7" && text($0) == twin })
    }

    @Test func anArrayIsTheWholeBody() async throws {
        try await client.post("/numbers", [1, 2])
        _ = try await client.put("/orders", [Order.Address(city: "Bern")], as: JSON.self)
        #expect(stub.requests.compactMap(text) == ["[1,2]", #"[{"city":"Bern"}]"#])
    }

    @Test func anArrayInAQueryIsRefusedBeforeAnythingIsSent() async throws {
        let error = await #expect(throws: TarmacError.self) { try await client.get("/numbers", [1, 2], as: JSON.self) }
        #expect(error?.code == .invalidParameter && error?.phase == .building)
        #expect(error?.reason.contains("named fields") == true)
        #expect(stub.requests.isEmpty)
    }

    @Test func aValueThatCannotBeEncodedIsTheErrorOfTheCall() async throws {
        let post = await #expect(throws: TarmacError.self) { try await client.post("/orders", Broken()) }
        let get = await #expect(throws: TarmacError.self) { try await client.get("/orders", Broken(), as: JSON.self) }
        for error in [post, get] { #expect(error?.code == .invalidParameter && error?.phase == .building) }
        #expect(stub.requests.isEmpty)
    }

    /// A dictionary would be sorted, and have `nil` as a value.
    @Test func aLiteralIsAListAndKeepsItsOrder() async throws {
        let none: Int? = nil
        try await client.get("/a", ["b": 1, "a": 2, "c": none])
        try await client.send(.get("/a", ["b": 1, "a": 2, "c": none]))
        #expect(stub.requests.map(\.url.query) == ["b=1&a=2", "b=1&a=2"])
    }
}
