// LMNetwork's own program: a list of products, told to a delegate, reformed with typed keys.
import Support
import Tarmac
import TarmacJSON
import TarmacURLSession

/// LMProductReformKeys: a name and a type for each.
// call site: LM products
enum ProductKeys {
    static let version = JSONKey<String>("ver")
    static let description = JSONKey<String>("verDesc")
}

/// LMProductionAPIManager.
struct ListProducts: Endpoint, Encodable {
    typealias Value = JSON
    static let route: Route = .get("/iosPagingQuery")
    var pageNo: Int
}

/// LMProductReformer.
struct ProductReformer: Reformer {
    func reform(_ payload: Payload) throws -> [ReformedRow] {
        try payload.json["list"].elements.map { item in
            var row = ReformedRow()
            row[ProductKeys.version] = try item[ProductKeys.version]
            row[ProductKeys.description] = try item[ProductKeys.description]
            return row
        }
    }
}
// end of call site

/// MBProgressHUD, shown and hidden in one place.
final class HUDPresenter: Presenter {
    let stage: Stage
    init(_ stage: Stage) { self.stage = stage }
    func loadingBegan(_ loading: Loading) { stage.say("loading …") }
    func loadingEnded(_ loading: Loading) { stage.say("loaded") }
}

@MainActor
final class ProductScreen: LifetimeOwner, CallDelegate {
    nonisolated let lifetime = Lifetime()
    let stage: Stage
    private(set) var products: [ReformedRow] = []
    private var list: Call<JSON>?
    init(_ stage: Stage) { self.stage = stage }

    // call site: LM products
    func viewDidLoad(_ client: Client, page: Int) {
        list = client.call(ListProducts(pageNo: page), delegate: self)
        list?.start()
    }

    func callDidLand(_ call: AnyCall) {
        guard call.hasSucceeded else { return stage.say("no list: \((call.error as? TarmacError)?.userMessage ?? "cancelled")") }
        products = (try? call.reformed(by: ProductReformer())) ?? []
        stage.say("shows \(products.compactMap { $0[ProductKeys.version] }.joined(separator: ", "))")
    }
    // end of call site
}

@main
struct LM {
    static func main() async { await Stage.run(fly) }

    @MainActor static func fly() async throws {
        let stage = Stage()
        let client = Client(transport: .urlSession, services: [Service("products", host: Hosts("\(Stage.server)/seeds"))]) {
            $0.presenter = HUDPresenter(stage)
        }
        let screen = ProductScreen(stage)

        // 场景一：商品列表，由代理方法接收
        screen.viewDidLoad(client, page: 1)
        await stage.heard("shows ")
        try expect(screen.products.count == 2, "two products")
        try expect(stage.lines == ["loading …", "loaded", "shows 1.0, 1.1"], "the HUD is gone before the list is shown")

        // A failure is told as one, and shows nothing of before.
        // 场景二：失败就是失败，不会带出上一次的数据
        screen.viewDidLoad(client, page: 0)
        await stage.heard("no list: ")
        await client.shutdown()
    }
}
