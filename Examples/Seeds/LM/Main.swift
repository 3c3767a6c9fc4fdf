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

/// kLMProductionVer and kLMProductionVerDesc: the names that the app has for them.
enum RowKeys {
    static let version = JSONKey<String>("productionVer")
    static let description = JSONKey<String>("productionVerDesc")
}

/// LMProductionAPIManager, with its isCache.
struct ListProducts: Endpoint, Encodable {
    typealias Value = JSON
    static let route: Route = .get("/iosPagingQuery")
    var pageNo: Int
    func configure(_ options: inout Options) { options.cache = .ttl(.seconds(60)) }
}

/// LMProductReformer.
struct ProductReformer: Reformer {
    func reform(_ payload: Payload) throws -> [ReformedRow] {
        try payload.json["list"].elements.map { item in
            var row = ReformedRow()
            row[RowKeys.version] = try item[ProductKeys.version]
            row[RowKeys.description] = try item[ProductKeys.description]
            return row
        }
    }
}
// end of call site

/// Another API whose answers the same reformer serves.
struct ListTools: Endpoint {
    typealias Value = JSON
    static let route: Route = .get("/tools")
}

/// An API whose answer takes longer than its user waits.
struct ListSlowly: Endpoint {
    typealias Value = JSON
    static let route: Route = .get("\(Stage.server)/stream?lines=30&ms=1000")
}

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
    private let list = CallSlot(.replace)
    private var other: AnyCall?
    init(_ stage: Stage) { self.stage = stage }

    // call site: LM products
    func viewDidLoad(_ client: Client, page: Int) {
        list.start(ListProducts(pageNo: page), on: client, delegate: self)
    }

    func callDidLand(_ call: AnyCall) {
        do { products = try call.reformed(by: ProductReformer()) } catch { return stage.say("no list: \((error as? TarmacError)?.userMessage ?? "cancelled")") }
        stage.say("shows \(products.map { $0[RowKeys.version] ?? "" }.joined(separator: ", "))")
    }
    // end of call site

    func loadTools(_ client: Client) {
        other = client.call(ListTools(), delegate: self)
        other?.start()
    }

    func loadSlowly(_ client: Client) {
        other = client.call(ListSlowly(), delegate: self) { [stage] in
            $0.observers = [
                .closure { event in
                    // The head has come: the server has the request and works on its answer.
                    if case .responseStarted = event.kind { Task { @MainActor in stage.say("the server answers") } }
                }
            ]
        }
        other?.start()
    }

    func cancel() { other?.cancel() }
}

@main
struct LM {
    static func main() async { await Stage.run(fly) }

    @MainActor static func fly() async throws {
        let stage = Stage()
        let client = Client(transport: .urlSession, services: [Service("products", host: "\(Stage.server)/seeds")]) {
            $0.presenter = HUDPresenter(stage)
        }
        let screen = ProductScreen(stage)

        // 场景一：获取商品列表，由代理方法接收结果
        screen.viewDidLoad(client, page: 1)
        await stage.heard("shows ")
        try expect(screen.products.count == 2, "two products")
        try expect(stage.lines == ["loading …", "loaded", "shows 1.0, 1.1"], "the HUD is gone before the list is shown")

        // A failure is told as one, and shows nothing of before.
        // 场景二：失败就是失败，不会把上一次的数据当成成功结果
        screen.viewDidLoad(client, page: 0)
        await stage.heard("no list: ")
        try expect(stage.lines.filter { $0.hasPrefix("shows ") }.count == 1, "no list of before for a failure")

        // The same page within a minute comes from the cache.
        // 场景三：一分钟内再次获取同一页，命中缓存
        try expect(try await client.landed(for: ListProducts(pageNo: 1)).source == .cache, "a page that was kept")

        // One reformer for two APIs.
        // 场景四：一个 reformer 用于两个接口
        screen.loadTools(client)
        await stage.heard("shows 2.0")

        // A page that takes its time does not overwrite the one that was asked for after it.
        // 场景五：连续请求两页，先请求的一页不会覆盖后请求的一页
        let pages = stage.lines.count
        screen.viewDidLoad(client, page: 1)
        screen.viewDidLoad(client, page: 2)
        await stage.heard("no list: cancelled", after: pages)
        await stage.heard("shows ", after: pages)

        // One API is cancelled while the server answers, and the delegate hears of it once.
        // 场景六：服务器正在响应时取消单个调用，代理只收到一次取消通知
        let before = stage.lines.count
        screen.loadSlowly(client)
        await stage.heard("the server answers", after: before)
        screen.cancel()
        await stage.heard("no list: cancelled", after: before)
        await client.shutdown()
        for _ in 0..<50 { await Task.yield() }
        let told = stage.lines.dropFirst(before).filter { $0.hasPrefix("no list") || $0.hasPrefix("shows") }
        try expect(told == ["no list: cancelled"], "one landing for one cancellation")
    }
}
