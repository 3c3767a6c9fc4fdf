import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacReform

private struct Cell: Equatable, Sendable { var title: String }

private struct ListGoods: Endpoint {
    typealias Value = [Product]
    static let route: Route = .get("/products")
    struct Product: Decodable, Sendable { var title: String }
    var hook: @Sendable ([Product]) throws -> Void = { _ in }
    func didLand(_ landed: Landed<[Product]>) async throws { try hook(landed.value) }
}

private struct ListBills: Endpoint {
    typealias Value = JSON
    static let route: Route = .get("/orders")
}

/// One for many endpoints: it looks at the payload.
private struct Cells: Reformer {
    func reform(_ payload: Payload) throws -> [Cell] {
        let name = payload.endpoint == ListBills.endpointName ? "number" : "title"
        return try payload.json.elements.map { Cell(title: try $0.get(.key(name))) }
    }
}

private struct Failing: Reformer {
    func reform(_ payload: Payload) throws -> String { throw Foreign(number: 5) }
}

private func titles(_ payload: Payload) throws -> [String] { try payload.json.elements.map { try $0.get("title") } }

private let products = #"[{"title":"cup"},{"title":"pot"}]"#
private let orders = #"[{"number":"A1"}]"#

private func answer(_ request: Request) -> Response {
    switch request.url.path {
    case "/orders": .json(orders)
    case "/text": .text("a,b")
    default: .json(products)
    }
}

private func client(_ configure: (inout Options) -> Void = { _ in }) -> Client { Client(StubTransport(answer: answer), configure: configure) }

/// XF-3, XF-11, LM-6, LM-7.
@Suite("Reformers", .timeLimit(.minutes(5)))
struct ReformerTests {
    // MARK: What is made

    // LM-7: one reformer tells them apart by the endpoint.
    @Test func oneReformerServesManyEndpoints() async throws {
        let client = client()
        #expect(try await client.send(ListGoods().reformed(by: Cells())) == [Cell(title: "cup"), Cell(title: "pot")])
        #expect(try await client.send(ListBills().reformed(by: Cells())) == [Cell(title: "A1")])
    }

    @Test func severalReformersServeOneLanding() async throws {
        let landed = try await client().landed(for: ListGoods())
        #expect(try landed.reformed(by: Cells()).count == 2)
        #expect(try landed.reformed(by: titles) == ["cup", "pot"])
        #expect(try landed.reformed { $0.endpoint + " of " + $0.service } == "ListGoods of s")
        #expect(landed.value.count == 2)
    }

    @Test func aPlainFunctionServes() async throws {
        let client = client()
        #expect(try await client.send(ListGoods().reformed(by: FunctionReformer(titles))) == ["cup", "pot"])
        #expect(try await client.send(ListGoods().reformed(by: JSONReformer { $0.count })) == 2)
        #expect(try await client.send(ListGoods().reformed(by: ModelReformer { (goods: [ListGoods.Product]) in goods[1].title })) == "pot")
    }

    @Test func inlineEndpointsAndOneLinersAreReformed() async throws {
        let client = client()
        #expect(try await client.send(InlineEndpoint.get("/products", as: JSON.self).reformed(by: Cells())).count == 2)
        #expect(try await client.send(InlineEndpoint.post("/products", ["a": 1], as: JSON.self).reformed(by: FunctionReformer(titles))).count == 2)
        #expect(try await client[Service("s", hosts: [:])].send(InlineEndpoint.put("/products", as: JSON.self).reformed(by: Cells())).count == 2)
        #expect(try await client.send(InlineEndpoint.get("/orders", as: JSON.self).reformed(by: JSONReformer { $0[0]["number"].string })) == "A1")
        #expect(
            try await client.send(InlineEndpoint.get("/text", as: String.self).reformed(by: FunctionReformer { try $0.text.split(separator: ",").count })) == 2)
    }

    @Test func whatCameAlongComesAlong() async throws {
        let landed = try await client().landed(for: ListGoods().reformed(by: Cells()))
        #expect(landed.value.count == 2 && landed.status == .ok && landed.attempts == 1)
        #expect(try landed.json[0]["title"] == "cup")
    }

    @Test func theEndpointsOwnLayerNameAndHookHold() async throws {
        let seen = Watched<[String]>([])
        let endpoint = ListGoods { products in seen.update { $0 += products.map(\.title) } }
        let recorder = EventRecorder()
        _ = try await client { $0.observers = [recorder] }.send(endpoint.reformed(by: Cells()))
        #expect(seen.value == ["cup", "pot"])
        #expect(recorder.events.allSatisfy { $0.endpoint == "ListGoods" })
    }

    @Test func theJSONIsParsedOnceForAll() async throws {
        let landed = try await client().landed(for: ListBills())
        let document = try #require(landed.response.document)
        let seen = try landed.reformed { payload in payload.response.document?.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }
        #expect(seen == document.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) })
    }

    @Test func anEndpointMayAlwaysReform() async throws {
        struct Always: Endpoint {
            typealias Value = [Cell]
            static let route: Route = .get("/products")
            var landing: Landing<[Cell]> { .reformed(by: Cells()) }
        }
        #expect(try await client().send(Always()).count == 2)
    }

    // MARK: What is judged

    @Test func theEnvelopeIsOpenedAndJudgedBeforeReforming() async throws {
        let client = Client(StubTransport { _ in .json(#"{"ok":true,"data":[{"title":"cup"}]}"#) }) {
            $0.envelope = Envelope(success: { $0["ok"] == true }, payload: "data")
        }
        #expect(try await client.send(ListGoods().reformed(by: Cells())) == [Cell(title: "cup")])
        let failing = Client(StubTransport { _ in .json(#"{"ok":false}"#) }) { $0.envelope = Envelope(success: { $0["ok"] == true }) }
        let error = await failure { _ = try await failing.send(ListGoods().reformed(by: Cells())) }
        #expect(error?.code == .envelopeFailure)
    }

    @Test func aReformerThatNeedsJSONHasTheAnswerJudgedAsJSON() async throws {
        let client = client()
        let error = await failure { _ = try await client.send(InlineEndpoint.get("/text", as: String.self).reformed(by: JSONReformer { $0.isMissing })) }
        #expect(error?.code == .unacceptableContentType)
        #expect(try await client.send(InlineEndpoint.get("/text", as: String.self).reformed(by: FunctionReformer { try $0.text })) == "a,b")
    }

    // MARK: What fails

    @Test func itsOwnErrorComesThroughWithTheAnswerAtHand() async throws {
        let recorder = EventRecorder()
        let error = try #require(await failure { _ = try await client { $0.observers = [recorder] }.send(ListGoods().reformed(by: Failing())) })
        #expect(error.code == .reformingFailed && error.phase == .decoding)
        #expect(error.cause(as: Foreign.self) == Foreign(number: 5))
        #expect(error.reason.contains("Failing") && error.endpoint == "ListGoods")
        #expect(error.response?.status == .ok)
        #expect(try error.serverError(as: JSON.self)?[1]["title"] == "pot")
        #expect(!error.description.contains("hunter2"))
        #expect(recorder.names.last == "failed")
    }

    @Test func aMissingMemberIsNamedByItsPath() async throws {
        let error = await failure { _ = try await client().send(ListGoods().reformed(by: JSONReformer { try $0[1].get("price", as: Int.self) })) }
        #expect(error?.code == .reformingFailed)
        #expect(error?.path == "$[1].price")
        #expect(error?.cause(as: JSONError.self)?.code == .missing)
    }

    @Test func anErrorAfterLandingNamesTheCallToo() async throws {
        let landed = try await client().landed(for: .get("/products", ["token": "hunter2"], as: JSON.self))
        let error = #expect(throws: TarmacError.self) { try landed.reformed(by: Failing()) }
        #expect(error?.code == .reformingFailed)
        #expect(error?.context?.request == "GET https://s.example/products?token=‹masked›")
        #expect(error?.attempts == 1)
    }

    @Test func payloadsOwnErrorsStayWhatTheyAre() async throws {
        let error = await failure { _ = try await client().send(ListGoods().reformed(by: ModelReformer { (number: Int) in number })) }
        #expect(error?.code == .decodingFailed)
        #expect(error?.response != nil)
    }

    @Test func mapErrorSeesWhatAReformerThrew() async throws {
        let client = client { $0.mapError = [{ $0.with(userMessage: "\($0.code)") }] }
        let error = await failure { _ = try await client.send(ListGoods().reformed(by: Failing())) }
        #expect(error?.userMessage == "reformingFailed")
    }

    @Test func aHookThatFailsFailsTheReformedCall() async throws {
        let endpoint = ListGoods { _ in throw Foreign(number: 6) }
        let error = await failure { _ = try await client().send(endpoint.reformed(by: Cells())) }
        #expect(error?.code == .callerFailed)
    }

    /// LM-B3: what nobody serves is an error that names the endpoint, not nil.
    @Test func aTableServesByEndpointAndNamesWhatItDoesNotServe() async throws {
        let table = ReformerTable<[String]>()
            .serving(ListGoods.self, by: titles)
            .serving(ListBills.self) { try $0.json.elements.map { try $0.get("number") } }
        let client = client()
        #expect(try await client.send(ListGoods().reformed(by: table)) == ["cup", "pot"])
        #expect(try await client.send(ListBills().reformed(by: table)) == ["A1"])
        let error = await failure { _ = try await client.send(InlineEndpoint.get("/text", as: String.self).reformed(by: table)) }
        #expect(error?.code == .reformingFailed)
        #expect(error?.reason.contains("GET /text") == true)
        let all = table.otherwise(FunctionReformer { _ in ["other"] })
        #expect(try await client.send(InlineEndpoint.get("/text", as: String.self).reformed(by: all)) == ["other"])
    }

    private static let table = ReformerTable<Int>()
        .serving(named: "GET /a", by: JSONReformer { $0.count })
        .serving(ShowText.self, by: JSONReformer { $0.count })
        .serving(AlwaysByTable.self, by: JSONReformer { $0.count })
        .otherwise(FunctionReformer { try $0.text.count })

    private struct ShowText: Endpoint {
        typealias Value = String
        static let route: Route = .get("/b")
    }

    private struct AlwaysByTable: Endpoint {
        typealias Value = Int
        static let route: Route = .get("/c")
        var landing: Landing<Int> { Landing<Int>.reformed(by: ReformerTests.table).map { $0 } }
    }

    /// A line that needs JSON has envelope and shape judged, as it does by itself.
    @Test func aTableHasAnAnswerJudgedAsItsLineNeedsIt() async throws {
        let envelope = Envelope(success: { $0["ok"] == true }, payload: "data"), table = Self.table
        let failing = Client(StubTransport { _ in .json(#"{"ok":false,"data":[]}"#) }) { $0.envelope = envelope }
        let calls: [(String, (Client) async throws -> Int)] = [
            ("an endpoint", { try await $0.send(ShowText().reformed(by: table)) }),
            ("a configured one", { try await $0.send(ShowText().with { $0.timeout = .seconds(60) }.reformed(by: table)) }),
            ("an inline call", { try await $0.send(InlineEndpoint.get("/a", as: String.self).reformed(by: table)) }),
            ("by its landing", { try await $0.send(AlwaysByTable()) }),
            ("a table in a table", { try await $0.send(ShowText().reformed(by: ReformerTable<Int>().otherwise(table))) }),
        ]
        for (name, call) in calls {
            #expect(await failure(name) { _ = try await call(failing) }?.code == .envelopeFailure, "\(name)")
            let text = Client(StubTransport { _ in .text("[1,2]") })
            #expect(await failure(name) { _ = try await call(text) }?.code == .unacceptableContentType, "\(name)")
            let shaped = Client(StubTransport { _ in .json("[1,2]") }) { $0.shape = ["id": .integer] }
            #expect(await failure(name) { _ = try await call(shaped) }?.code == .shapeMismatch, "\(name)")
            #expect(try await call(Client(StubTransport { _ in .json("[1,2]") })) == 2, "\(name)")
        }
        #expect(try await Client(StubTransport { _ in .text("abc") }).send(InlineEndpoint.get("/other", as: String.self).reformed(by: table)) == 3)
    }
}
