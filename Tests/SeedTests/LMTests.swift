import HTTPTypes
import Tarmac
import TarmacReform
@_spi(TarmacRooms) import TarmacCore
import TarmacJSON
import TarmacTesting
import Testing

private enum Keys {
    static let version = JSONKey<String>("ver")
    static let description = JSONKey<String>("verDesc")
}

/// The names that the app has for them.
private enum RowKeys {
    static let version = JSONKey<String>("productionVer")
    static let description = JSONKey<String>("productionVerDesc")
}

private struct ListProducts: Endpoint, Encodable {
    typealias Value = JSON
    static let route: Route = .get("/apk/iosPagingQuery")
    var pageNo: Int
}

/// One reformer for the list, made of typed keys.
private struct ProductRows: Reformer {
    func reform(_ payload: Payload) throws -> [ReformedRow] {
        try payload.json["list"].elements.map { item in
            var row = ReformedRow()
            row[RowKeys.version] = try item[Keys.version]
            row[RowKeys.description] = try item[Keys.description]
            return row
        }
    }
}

@MainActor
private final class ProductList: LifetimeOwner, CallDelegate {
    nonisolated let lifetime = Lifetime()
    var rows: [ReformedRow] = []
    var errors: [any Error] = []
    var landings = 0

    func callDidLand(_ call: AnyCall) {
        landings += 1
        do { rows = try call.reformed(by: ProductRows()) } catch { errors.append(error) }
    }
}

@MainActor
@Suite("LMNetwork", .timeLimit(.minutes(5)))
struct LMTests {
    private nonisolated static let page = #"{"list":[{"ver":"1.0","verDesc":"first"},{"ver":"1.1","verDesc":"second"}]}"#

    // LM-1, LM-2, LM-6, LM-9, LM-B6: an API is a type, the delegate pulls rows with typed keys; LM-11: a reformer renames what the server
    // sends; LM-B4: the path alone is said here.
    @Test func aDelegatePullsRows() async throws {
        let (stub, list) = (StubTransport.enveloped(Self.page), ProductList())
        let client = Client(stub)
        let call = client.call(ListProducts(pageNo: 1), delegate: list)
        call.start()
        await eventually { list.landings != 0 }
        #expect(list.rows.map { $0[RowKeys.version] } == ["1.0", "1.1"])
        #expect(list.rows.last?[RowKeys.description] == "second")
        #expect(list.rows.first?[Keys.version] == nil)
        #expect(stub.requests.first?.url.string == "https://s.example/v1/apk/iosPagingQuery?pageNo=1")
        // Without a reformer the answer is there as it came.
        #expect(try call.result?.get() == JSON(parsing: Self.page))
        #expect(try call.landed?.json["list"][0]["ver"].string == "1.0")
        // LM-6: the landing reforms as the call does.
        let landed = try #require(call.landed)
        let again = try landed.reformed(by: ProductRows())
        #expect(again.map { $0[RowKeys.version] } == ["1.0", "1.1"])
        // The same by the aggregated exit.
        #expect(try await client.get("/apk/iosPagingQuery", ["pageNo": 1], as: JSON.self)["list"].count == 2)
    }

    // LM-2: the aggregated exit has a function for each method, with a value and without; what it is given goes out with it.
    @Test func theAggregatedExitHasEveryMethod() async throws {
        let stub = StubTransport.enveloped(Self.page)
        let client = Client(stub)
        let values = [
            try await client.get("/a", ["n": 1], as: JSON.self), try await client.post("/a", ["n": 1], as: JSON.self),
            try await client.put("/a", ["n": 1], as: JSON.self), try await client.patch("/a", ["n": 1], as: JSON.self),
            try await client.delete("/a", ["n": 1], as: JSON.self),
        ]
        #expect(values.map { $0["list"].count } == [2, 2, 2, 2, 2])
        try await client.get("/a", ["n": 1])
        try await client.post("/a", ["n": 1])
        try await client.put("/a", ["n": 1])
        try await client.patch("/a", ["n": 1])
        try await client.delete("/a", ["n": 1])
        try await client.head("/a", ["n": 1])
        let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]
        #expect(stub.requests.map(\.method.rawValue) == methods)
        for request in stub.requests {
            let hasBody = ["POST", "PUT", "PATCH"].contains(request.method.rawValue)
            #expect(request.text == (hasBody ? #"{"n":1}"# : ""), "\(request.method)")
            #expect(request.url.query == (hasBody ? nil : "n=1"), "\(request.method)")
        }
    }

    // LM-7, LM-B3: one reformer serves two APIs, and a table tells them apart by their names.
    @Test func oneReformerServesSeveralAPIs() async throws {
        struct ListTools: Endpoint {
            typealias Value = JSON
            static let route: Route = .get("/tools")
        }
        let client = Client(.enveloped(Self.page))
        let lists = [
            try await client.send(ListProducts(pageNo: 1).reformed(by: ProductRows())), try await client.send(ListTools().reformed(by: ProductRows())),
        ]
        #expect(lists.map { $0.map { $0[RowKeys.version] } } == [["1.0", "1.1"], ["1.0", "1.1"]])
        let table = ReformerTable<[ReformedRow]>().serving(ListProducts.self, by: ProductRows())
        #expect(try await client.send(ListProducts(pageNo: 1).reformed(by: table)).count == 2)
        let error = await #expect(throws: TarmacError.self) { try await client.send(ListTools().reformed(by: table)) }
        #expect(error?.code == .reformingFailed && error?.reason.contains("ListTools") == true)
        let all = table.otherwise(FunctionReformer { _ in [ReformedRow]() })
        #expect(try await client.send(ListTools().reformed(by: all)).isEmpty)
        // A line goes before `otherwise`, and each API has its own.
        #expect(try await client.send(ListProducts(pageNo: 1).reformed(by: all)).count == 2)
        let both = table.serving(ListTools.self) { _ in [ReformedRow]() }
        #expect(try await client.send(ListTools().reformed(by: both)).isEmpty)
        #expect(try await client.send(ListProducts(pageNo: 1).reformed(by: both)).count == 2)
    }

    private enum Shop {
        struct List: Endpoint {
            typealias Value = JSON
            static let route: Route = .get("/shop")
            static let endpointName = "Shop.List"
        }
    }

    private enum Blog {
        struct List: Endpoint {
            typealias Value = JSON
            static let route: Route = .get("/blog")
            static let endpointName = "Blog.List"
        }
    }

    // LM-B3: a table goes by the names of its endpoints: types of one name say another, and then neither gets the other's reformer.
    @Test func typesOfOneNameAreToldApartByTheirEndpointNames() async throws {
        let client = Client(.enveloped(Self.page))
        let table = ReformerTable<[ReformedRow]>().serving(Shop.List.self, by: ProductRows())
        #expect(try await client.send(Shop.List().reformed(by: table)).count == 2)
        let error = await #expect(throws: TarmacError.self) { try await client.send(Blog.List().reformed(by: table)) }
        #expect(error?.code == .reformingFailed && error?.reason.contains("Blog.List") == true)
        let both = table.serving(Blog.List.self) { _ in [ReformedRow]() }
        #expect(try await client.send(Shop.List().reformed(by: both)).count == 2)
        #expect(try await client.send(Blog.List().reformed(by: both)).isEmpty)
    }

    // LM-10: the delegate's method comes when the loading has ended, as a table is reloaded where no HUD is above it; of a failure too.
    @Test(arguments: [200, 500]) func theLoadingIsOverWhereTheDelegateIsTold(status: Int) async throws {
        @MainActor final class List: LifetimeOwner, CallDelegate {
            nonisolated let lifetime = Lifetime()
            let board: Board
            init(_ board: Board) { self.board = board }
            func callDidLand(_ call: AnyCall) { board.note(call.hasSucceeded ? "reloads" : "no list") }
        }
        let (board, stub) = (Board(), StubTransport { _ in .json(Self.page, status: .init(code: status)) })
        let (client, list) = (Client(stub) { ($0.presenter, $0.presentsErrors) = (board, false) }, List(board))
        let call = client.call(ListProducts(pageNo: 1), delegate: list)
        call.start()
        await eventually { board.lines.count >= 3 }
        #expect(board.lines == ["began", "ended", status == 200 ? "reloads" : "no list"])
    }

    // LM-5; LM-B1: a failure after a success delivers an error and none of the old data.
    @Test func aFailureAfterASuccessIsNoOldData() async throws {
        let statuses = Locked([200, 500, 200])
        let stub = StubTransport { _ in .json(Self.page, status: .init(code: statuses.withLock { $0.removeFirst() })) }
        let (client, list) = (Client(stub), ProductList())
        let call = client.call(ListProducts(pageNo: 1), delegate: list)
        for landing in 1...2 {
            call.start()
            await eventually { list.landings >= landing }
            #expect(call.hasSucceeded == (landing == 1) && (call.error == nil) == (landing == 1))
        }
        #expect(list.errors.count == 1 && !call.hasSucceeded)
        #expect((call.error as? TarmacError)?.code == .unacceptableStatus)
        #expect(call.landed == nil && call.result?.error != nil)
        // The error is gone at the start as a value is.
        call.start()
        #expect(call.error == nil && call.result == nil)
        await eventually { list.landings >= 3 }
        #expect(call.hasSucceeded && call.error == nil && list.errors.count == 1)
    }

    // LM-B3: a missing key is an error with its path.
    @Test func aMissingKeyIsAnErrorThatNamesIt() async {
        let client = Client(.enveloped(#"{"list":[{"ver":"1.0"}]}"#))
        let error = await #expect(throws: TarmacError.self) { try await client.send(ListProducts(pageNo: 1).reformed(by: ProductRows())) }
        #expect(error?.code == .reformingFailed)
        #expect(error?.path == "$.list[0].verDesc")
    }

    // LM-3, LM-B5, BQ-6: a type without route or value is no Endpoint, so such a call does not compile (Tests/Consumers/Refused). A call
    // without a host is an error with a code, awaited or delivered, and never nothing.
    @Test func aCallThatCannotBeMadeSaysSo() async {
        let stub = StubTransport.user
        let client = Client(transport: .stub(stub), services: [])
        let error = await #expect(throws: TarmacError.self) { try await client.send(ListProducts(pageNo: 1)) }
        #expect(error?.code == .missingHost)
        let screen = Screen()
        let landed: Result<JSON, any Error> = await landing { done in client.start(ListProducts(pageNo: 1), owner: screen) { done($1) } }
        #expect((landed.error as? TarmacError)?.code == .missingHost)
        // So is one whose service has no host in this environment, or none of the kind that the call asks for.
        let test = Client(transport: .stub(stub), services: [Service("s", hosts: [.test: "https://s.example"])])
        let elsewhere = await #expect(throws: TarmacError.self) { try await test.send(ListProducts(pageNo: 1)) }
        #expect(elsewhere?.code == .missingHost)
        let plain = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")])
        let kind = await #expect(throws: TarmacError.self) { try await plain.send(ListProducts(pageNo: 1)) { $0.host = .cdn } }
        #expect(kind?.code == .missingHost)
        #expect(stub.requests.isEmpty)
    }

    // LM-B6: retry, batch and validation are settings and verbs; the client is no singleton.
    @Test func whatWasMissingIsThere() async throws {
        let failures = Locked(1), page = Self.page
        let stub = StubTransport { _ in
            let fails = failures.withLock { left in
                defer { left = max(0, left - 1) }
                return left > 0
            }
            return fails ? .status(.serviceUnavailable) : .json(page)
        }
        let client = Client(stub) { $0.retry = .exponential(maxAttempts: 2, base: .milliseconds(1)) }
        let outcomes = try await client.send(Batch([ListProducts(pageNo: 1), ListProducts(pageNo: 2)])) { $0.shape = ["list": .array] }
        #expect(outcomes.allSatisfy { $0.error == nil })
        #expect(stub.requests.count == 3)
        let wrong = try await client.send(Batch([ListProducts(pageNo: 1)])) { $0.shape = ["list": .string] }
        #expect((wrong.first?.error as? TarmacError)?.code == .shapeMismatch)
        let other = Client(.enveloped("{}"))
        let empty = try await other.send(Batch([ListProducts(pageNo: 1)])) { $0.shape = ["list": .array] }
        #expect((empty.first?.error as? TarmacError)?.code == .shapeMismatch)
    }
}
