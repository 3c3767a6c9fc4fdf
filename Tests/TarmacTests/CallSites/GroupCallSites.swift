// swift-format-ignore-file
// Laid out as the READMEs show it.
// The call sites of groups, presenters, hooks and authentication. What stands here compiles; what is behaviour is tested beside it.
import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

struct Image: Codable, Sendable { var url: String }

struct GetImage: Endpoint, Encodable {
    typealias Value = Image
    static let service = Service.shop
    static let route: Route = .get("/images/{name}")
    var name: String
}

@MainActor
final class HUDPresenter: Presenter {
    private(set) var lines: [String] = []
    nonisolated init() {}

    func loadingBegan(_ loading: Loading) { lines.append("loading") }
    func loadingEnded(_ loading: Loading) { lines.append("loaded") }
    func present(_ error: PresentedError) { lines.append("\(error.kind): \(error.message)") }
}

struct Refresh: Endpoint, Encodable {
    typealias Value = Session
    static let service = Service.shop
    static let route: Route = .post("/refresh")
    @Secret var refreshToken: String
}

struct ShopAuthenticator: Authenticator {
    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
        let session = try await context.client.send(Refresh(refreshToken: token?.refreshToken ?? ""))
        return AccessToken(session.token, refreshToken: session.refreshToken)
    }
}

func groups(_ client: Client, ids: [Int], file: String) async throws -> [String] {
    let (film, user) = try await client.send(Batch(Download(Video(id: 1), to: file), GetUser(id: 7)))  // all or nothing
    let outcomes = try await client.send(Batch(ids.map { GetUser(id: $0) }, limit: 8))  // a Result each, nothing hidden
    let last = try await client.send(RequestChain(GetUser(id: 7)).then { GetUser(id: $0.id + 1) })
    var graph = RequestGraph(limit: 4)
    let me = graph.add(GetUser(id: 7))
    let avatar = graph.add(after: me) { GetImage(name: "\($0.name).jpg") }
    let flown = try await client.send(graph)
    print(try flown[avatar].url, flown.mermaid)
    return [film.path, user.name, "\(outcomes.count)", last.name]
}

func presented(_ presenter: HUDPresenter, _ authenticator: ShopAuthenticator) -> Options {
    var options = Options()
    options.presenter = presenter
    options.hooks = [CallHooks("log", didStop: { call, outcome in print(call.name, outcome) })]
    options.authenticator = Authentication(authenticator)
    options.retry = .exponential(maxAttempts: 3)
    options.idempotencyKey = .automatic
    options.coalesces = true
    return options
}

@Suite("README: groups and presenters", .timeLimit(.minutes(5)))
struct GroupCallSiteTests {
    @Test func groupsFly() async throws {
        let stub = StubTransport { request in
            request.url.path.hasPrefix("/images")
                ? .json(#"{"status":1,"data":{"url":"u"}}"#) : .json(#"{"status":1,"data":{"id":7,"name":"ann"}}"#)
        }
        let client = Client(transport: .stub(stub), services: [.shop], environment: .test)
        try await withFolder { folder in
            let shown = try await groups(client, ids: [1, 2], file: "\(folder)/1.mp4")
            #expect(shown == ["\(folder)/1.mp4", "ann", "2", "ann"])
        }
    }

    @Test @MainActor func aPresenterIsTold() async throws {
        let presenter = HUDPresenter()
        let client = Client(transport: .stub(StubTransport { _ in .json(#"{"status":2,"message":"sold out"}"#) }), services: [.shop], environment: .test) {
            $0.presenter = presenter
        }
        await #expect(throws: TarmacError.self) { try await client.send(GetUser(id: 7)) }
        #expect(presenter.lines == ["loading", "loaded", "data: sold out"])
        #expect(!presented(presenter, ShopAuthenticator()).isEmpty)
    }

    @Test func anExpiredTokenIsRefreshedOnce() async throws {
        let stub = StubTransport { request in
            if request.url.path == "/login" {
                #expect(request.headers[.authorization] == nil)
                return .json(#"{"status":1,"data":{"token":"old","refreshToken":"r"}}"#)
            }
            if request.url.path == "/refresh" { return .json(#"{"status":1,"data":{"token":"new","refreshToken":"r2"}}"#) }
            let isNew = request.headers[.authorization] == "Bearer new"
            return isNew ? .json(#"{"status":1,"data":{"id":7,"name":"ann"}}"#) : .json(#"{"status":0,"code":40101}"#)
        }
        let client = Client(transport: .stub(stub), services: [.shop], environment: .test) {
            $0.authenticator = Authentication(ShopAuthenticator())
        }
        let session = try await client.send(LogIn(name: "ann", password: "runway"))
        try await client[.shop].logIn(AccessToken(session.token, refreshToken: session.refreshToken))
        #expect(try await client.send(GetUser(id: 7)).name == "ann")
        #expect(stub.requests.filter { $0.url.path == "/refresh" }.count == 1)
    }
}
