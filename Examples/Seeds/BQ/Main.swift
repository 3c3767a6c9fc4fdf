// BQRequest's own program: login and automatic login share one request, three environments, and a request its screen owns.
import Support
import Tarmac
import TarmacJSON
import TarmacURLSession

/// Where the app keeps its logins. It stands outside the call site, as in the document, which has a comment where a login is kept.
actor SessionStore {
    static let shared = SessionStore()
    private(set) var tokens: [String] = []
    func save(_ token: String) { tokens.append(token) }
}

/// URL, parameters and shared handling in one place.
// call site: BQ login request
struct LoginRequest: Endpoint, Encodable {
    typealias Value = JSON
    static let route: Route = .post("/login")
    var name: String
    @Secret var password: String
    func didLand(_ landed: Landed<JSON>) async throws { await SessionStore.shared.save(try landed.value.get("token")) }
}
// end of call site

@MainActor
final class LoginScreen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    let stage: Stage
    let login = CallSlot(.ignoreWhileFlying)
    init(_ stage: Stage) { self.stage = stage }

    func tapped(_ client: Client, password: String) {
        login.start(LoginRequest(name: "ann", password: password), on: client, owner: self) { screen, result in
            switch result {
            case .success: screen.stage.say("logged in")
            case .failure(let error as TarmacError): screen.stage.say("refused: \(error.problem?.title ?? error.userMessage)")
            case .failure: break
            }
        }
    }
}

@main
struct BQ {
    static func main() async { await Stage.run(fly) }

    @MainActor static func fly() async throws {
        let server = Stage.server
        let service = Service(
            "app",
            hosts: [
                .production: Hosts("\(server)/shop/production"), .test: Hosts("\(server)/shop/test"), .local: Hosts(server),
            ])
        let stage = Stage()
        let client = Client(transport: .urlSession, services: [service], environment: .local) {
            $0.observers = [
                .closure { event in
                    switch event.kind {
                    // Head and body have left over a connection: the server has the login.
                    case .requestSent: Task { @MainActor in stage.say("sent \(event.endpoint)") }
                    case .cancelled: Task { @MainActor in stage.say("ended on the wire") }
                    default: break
                    }
                }
            ]
        }

        // The login screen, tapped twice: one request.
        // 场景一：登录页：先输错一次密码，再连续点击两次，只发一个请求
        let screen = LoginScreen(stage)
        screen.tapped(client, password: "wrong")
        await stage.heard("refused: ")
        screen.tapped(client, password: "runway")
        screen.tapped(client, password: "runway")
        await stage.heard("logged in")

        // The automatic login of the main screen: the same request, the same handling.
        // 场景二：首页自动登录，用同一个请求、同一份公共处理
        _ = try await client.send(LoginRequest(name: "ann", password: "runway"))
        try expect(await SessionStore.shared.tokens == ["demo-ann", "demo-ann"], "two logins saved by one handling")

        // A login screen that is left while the server works on its request.
        // 场景三：服务器收到请求后离开登录页，请求随即断开
        let before = stage.lines.count
        var left: LoginScreen? = LoginScreen(stage)
        left?.tapped(client, password: "runway")
        await stage.heard("sent LoginRequest", after: before)
        left = nil
        await stage.heard("ended on the wire", after: before)
        try expect(!stage.lines.dropFirst(before).contains { $0.hasPrefix("logged in") }, "silence on a screen that was left")

        // The environments.
        // 场景四：切换环境
        for environment in [ServiceEnvironment.production, .test] {
            client.environment = environment
            let place = try await client.get("/where", as: JSON.self)
            stage.say("\(place["service"].string ?? "") in \(place["environment"].string ?? "")")
        }
        try expect(stage.lines.filter { $0.hasPrefix("shop in") } == ["shop in production", "shop in test"], "an answer of each environment")
        await client.shutdown()
    }
}
