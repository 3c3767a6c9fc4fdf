// swift-format-ignore-file
// Laid out as the READMEs show it.
// swift-format-ignore-file: laid out as the READMEs show it.
// The call sites of reformers and hosts. What stands here compiles; what is behaviour is tested beside it.
import Tarmac
import TarmacReform
import TarmacFormats
import TarmacJSON
import TarmacTesting
import Testing

struct Row: Equatable, Sendable { var title: String; var price: String }

enum ProductKeys {
    static let title = JSONKey<String>("title")
    static let price = JSONKey<Double>("offer", "price")
    static let note = JSONKey<String?>("note")
}

// One reformer serves many endpoints: it sees the payload and the endpoint's name.
struct ProductRows: Reformer {
    func reform(_ payload: Payload) throws -> [Row] {
        try payload.json.elements.map { Row(title: try $0[ProductKeys.title], price: "\(try $0[ProductKeys.price]) €") }
    }
}

struct ProductHeader: Reformer {
    func reform(_ payload: Payload) throws -> String { "\(try payload.json.count) from \(payload.service)" }
}

// A plain function serves too, here with a row of typed keys in place of a type.
func productCells(_ payload: Payload) throws -> [ReformedRow] {
    try payload.json.elements.map { item in
        var row = ReformedRow()
        row[ProductKeys.title] = try item[ProductKeys.title]
        row[ProductKeys.price] = try item[ProductKeys.price] * 2
        return row
    }
}

// 去Model化: no type for the wire at all.
struct SearchProducts: Endpoint, Encodable {
    typealias Value = JSON
    static let service = Service.shop
    static let route: Route = .get("/search")
    var text: String
}

struct SaveOrder: Endpoint {
    typealias Value = String
    static let route: Route = .post("/orders")
    var note: String
    var landing: Landing<String> { .xml }
    func body() throws -> Body? { .xml("<order><note>\(Body.xmlEscaped(note))</note></order>") }
    func configure(_ options: inout Options) { options.host = .origin }
}

let company: [ServiceEnvironment: Hosts] = [
    .production: Hosts("https://api.company.example/v2", cdn: "https://cdn.company.example"), .test: "https://test.company.example",
]

extension Service {
    static let orders = Service("orders", hosts: company) {
        $0.subPath = "/orders"                                     // https://api.company.example/v2/orders/{id}
        $0.urlFilters = [.filter { url, _ in url.adding(query: "v", "3.2") }]
        $0.parameters = ["locale": "de"]
    }
    static let legacy = Service("legacy", host: "http://legacy.company.example") {
        $0.allowsInsecureHTTP = true                               // loud: every request says so in a warning event
        $0.bodyFormat = .form
        $0.decoder = .propertyList()
    }
}

@MainActor
final class SearchVC: LifetimeOwner, CallDelegate {
    nonisolated let lifetime = Lifetime()
    var rows: [Row] = []
    var header = ""
    let search = CallSlot(.replace)

    func rowsLanded(_ result: Result<[Row], any Error>) { rows = (try? result.get()) ?? [] }

    // The delegate pulls what it needs (LMNetwork's way), and as often as it likes.
    func callDidLand(_ call: AnyCall) {
        rows = (try? call.reformed(by: ProductRows())) ?? []
        header = (try? call.reformed(by: ProductHeader())) ?? ""
    }

    func viewDidLoad(_ client: Client) {
        client.start(SearchProducts(text: "cup").reformed(by: ProductRows()), owner: self) { owner, result in owner.rowsLanded(result) }
        client.call(SearchProducts(text: "cup").reformed(by: ProductRows()), owner: self, landed: SearchVC.rowsLanded).start()
        client.call(SearchProducts(text: "cup"), delegate: self).start()
        search.start(SearchProducts(text: "pot").reformed(by: ProductRows()), on: client, owner: self) { $0.rowsLanded($1) }
    }
}

func reformingCallSites(_ client: Client) async throws {
    let rows = try await client.send(SearchProducts(text: "cup").reformed(by: ProductRows()))
    let cells = try await client.send(SearchProducts(text: "cup").reformed(by: productCells))
    let count = try await client[.shop].send(InlineEndpoint.get("/products", as: JSON.self).reformed(by: JSONReformer { $0.count }))
    let names = try await client[.shop].send(InlineEndpoint.get("/products", as: JSON.self).reformed(by: ModelReformer { (products: [Product]) in products.map(\.title) }))
    let landed = try await client.landed(for: SearchProducts(text: "cup"))
    print(rows, cells, count, names, try landed.reformed(by: ProductRows()), try landed.reformed(by: ProductHeader()))
    do { _ = try await client.send(SearchProducts(text: "cup").reformed(by: ProductRows())) } catch let error as TarmacError {
        if error.code == .reformingFailed { print(error.path ?? "", error.cause(as: JSONError.self) ?? "", error.response?.body ?? "") }
    }
    let video = try await client.send(.get("/videos/7", as: JSON.self).on(.orders)) {
        $0.host = .cdn                                             // falls back to the origin, once
        $0.priority = .high
        $0.networkAccess = NetworkAccess(allowsCellular: false)                            // URLSession on Apple platforms
    }
    print(video, try await client.send(SaveOrder(note: "a & b")))
}

@Suite("README: reformers")
struct ReformCallSites {
    @Test func rowsAreMadeOfTheAnswer() async throws {
        let stub = StubTransport { _ in .json(#"{"status":1,"data":[{"title":"cup","offer":{"price":2.5}}]}"#) }
        let client = Client(transport: .stub(stub), services: [.shop], environment: .test)
        #expect(try await client.send(SearchProducts(text: "cup").reformed(by: ProductRows())) == [Row(title: "cup", price: "2.5 €")])
        #expect(try await client.send(SearchProducts(text: "cup").reformed(by: productCells)).first?[ProductKeys.price] == 5)
        let landed = try await client.landed(for: SearchProducts(text: "cup"))
        #expect(try landed.reformed(by: ProductHeader()) == "1 from shop")
    }

    @Test func aSubPathAndAFilterMakeTheURL() throws {
        let client = Client(transport: .stub { _ in .json("{}") }, services: [.orders])
        let url = try client.request(for: .get("/{id}", ["id": 7], as: JSON.self)).url
        #expect(url.string == "https://api.company.example/v2/orders/7?locale=de&v=3.2")
    }
}
