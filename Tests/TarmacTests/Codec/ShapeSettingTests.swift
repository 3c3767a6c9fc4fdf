import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

@testable import TarmacJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("The shape setting")
struct ShapeSettingTests {
    struct Order: Codable, Equatable, Sendable { var id: Int; var state: String }

    struct ListOrders: Endpoint, Encodable {
        typealias Value = [Order]
        static let route: Route = .get("/orders")
        func configure(_ options: inout Options) {
            options.shape = .array(of: ["id": .integer(in: 1...), "state": .oneOf("open", "paid")])
        }
    }

    private static let envelope = Envelope(success: { $0["status"] == 1 }, code: "status", payload: "data")

    private func client(_ body: String, envelope: Envelope? = envelope, type: String = "application/json") -> Client {
        let stub = StubTransport { _ in .json(body, headers: [.contentType: type]) }
        return Client(transport: .stub(stub), services: [Service("shop", host: "http://127.0.0.1") { $0.envelope = envelope }])
    }

    private func failure(_ body: String, envelope: Envelope? = envelope, _ call: Options = Options()) async -> TarmacError? {
        do {
            _ = try await client(body, envelope: envelope).send(ListOrders()) { if let shape = call.shape { $0.shape = shape } }
            return nil
        } catch { return error as? TarmacError }
    }

    // YTK-15: with an envelope its payload is checked.
    @Test func payloadOfTheShapeLands() async throws {
        let orders = try await client(#"{"status":1,"data":[{"id":7,"state":"open"}]}"#).send(ListOrders())
        #expect(orders == [Order(id: 7, state: "open")])
    }

    // YTK-15: its fault is named with its place in the whole answer.
    @Test(arguments: [
        (#"{"status":1,"data":[{"id":7,"state":"open"},{"id":8}]}"#, "$.data[1].state", #""open" | "paid""#, "nothing"),
        (#"{"status":1,"data":[{"id":0,"state":"open"}]}"#, "$.data[0].id", "integer in 1…", "number 0"),
        (#"{"status":1,"data":[{"id":7,"state":"lost"}]}"#, "$.data[0].state", #""open" | "paid""#, #"string "lost""#),
        (#"{"status":1,"data":null}"#, "$.data", "array", "null"),
    ])
    func mismatchNamesPathExpectedAndFound(_ body: String, _ path: String, _ expected: String, _ found: String) async throws {
        let error = try #require(await failure(body))
        #expect(error.code == .shapeMismatch)
        #expect(error.phase == .judging)
        #expect(error.path == path)
        #expect(error.description.contains("expected \(expected), found \(found)"))
        #expect(error.cause(as: JSONError.self)?.code == .shapeMismatch)
        #expect(error.status == .ok)
    }

    // YTK-15: after the envelope.
    @Test func envelopeIsJudgedBeforeTheShape() async {
        #expect(await failure(#"{"status":2,"data":null}"#)?.code == .envelopeFailure)
    }

    @Test func withoutEnvelopeTheWholeAnswerIsChecked() async {
        #expect(await failure(#"[{"id":7}]"#, envelope: nil)?.path == "$[0].state")
        #expect(await failure(#"[{"id":7,"state":"paid"}]"#, envelope: nil) == nil)
    }

    @Test func callMayReplaceOrSwitchOffTheShape() async {
        var call = Options()
        call.shape = .any
        #expect(await failure(#"{"status":1,"data":[{"id":0,"state":"lost"}]}"#, call) == nil)
        call.shape = .array(of: ["id": .integer(in: 8...)])
        #expect(await failure(#"{"status":1,"data":[{"id":7,"state":"open"}]}"#, call)?.path == "$.data[0].id")
    }

    @Test func valuesThatAreNotMadeOfJSONSkipIt() async throws {
        let client = Client(transport: .stub { _ in .json("[]") }) { $0.shape = .string }
        #expect(try await client.get("http://127.0.0.1/a", as: Data.self) == Data("[]".utf8))
        #expect(try await client.get("http://127.0.0.1/a", as: String.self) == "[]")
        try await client.get("http://127.0.0.1/a")
        await #expect(throws: TarmacError.self) { try await client.get("http://127.0.0.1/a", as: JSON.self) }
    }

    @Test func explainShowsItWithItsOrigin() {
        let text = client("[]").explain(ListOrders())["shape"].map { "\($0)" }
        #expect(text == #"shape [{id: integer in 1…, state: "open" | "paid"}] ← endpoint ListOrders, hides default anything"#)
    }
}
