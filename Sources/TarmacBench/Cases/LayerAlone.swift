#if Tools
import HTTPTypes
import Tarmac
import TarmacCore
import TarmacCallLog
import TarmacJSON
import TarmacTraffic

/// The layer without a network: what one call costs from endpoint to value over a transport that answers at once.
enum LayerAlone {
    private struct GetUser: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .get("/users/{id}{?page}")
        var id: Int
        var page: Int
    }

    enum Work: String, CaseIterable, Codable {
        case inline
        case endpoint
        /// An inline call to a service with presenter, hooks and envelope, of which nothing is presented.
        case dressed
        /// An inline call to a service with everything that heals, and nothing to heal.
        case resilient
        /// The same with tokens.
        case guarded
        /// An inline call that a call log keeps, without bodies and with them.
        case logged, loggedBodies = "logged-bodies"

        var title: String {
            switch self {
            case .inline: "inline call"
            case .endpoint: "encodable endpoint"
            case .dressed: "inline call with presenter, hooks and envelope"
            case .resilient: "inline call with every resilience"
            case .guarded: "inline call with every resilience and tokens"
            case .logged: "inline call in a call log"
            case .loggedBodies: "inline call in a call log with bodies"
            }
        }

        fileprivate func call(_ client: Client) async throws {
            switch self {
            case .inline: try await client.get("/users/7")
            case .endpoint: try await client.send(GetUser(id: 7, page: 2))
            case .dressed: try await client[.dressed].get("/users/7")
            case .resilient: try await client[.resilient].get("/users/7")
            case .guarded: try await client[.guarded].get("/users/7")
            case .logged: try await client[.logged].get("/users/7")
            case .loggedBodies: try await client[.loggedBodies].get("/users/7")
            }
        }
    }

    struct Result: Codable {
        var work: Work
        var calls: Int
        /// Of processor time, per call.
        var nanoseconds: Double
    }

    /// Always as many, so that two runs differ by what is counted alone.
    private static let warmUp = 10_000

    static func measure(_ works: [Work], calls: Int) async throws -> [Result] {
        let client = try await client()
        var results: [Result] = []
        for work in works {
            try await fly(warmUp) { try await work.call(client) }
            results.append(Result(work: work, calls: calls, nanoseconds: try await fly(calls) { try await work.call(client) }))
        }
        await client.shutdown()
        return results
    }

    /// The cost that a work's settings add to an inline call, in nanoseconds of processor time: the median of paired rounds.
    static func added(by dressed: Work, calls: Int, rounds: Int = 15) async throws -> Double {
        let client = try await client()
        for work in [Work.inline, dressed] { try await fly(warmUp) { try await work.call(client) } }
        var added: [Double] = []
        for _ in 0..<rounds {
            let plain = try await fly(calls / rounds) { try await Work.inline.call(client) }
            added.append(try await fly(calls / rounds) { try await dressed.call(client) } - plain)
        }
        await client.shutdown()
        return added.median
    }

    /// The cost that the first reader of a log without bodies pays for a call, in nanoseconds of processor time.
    static func masking() async throws -> Double {
        let client = try await client(), log = CallLog(), rounds = 20
        var total = 0.0
        for _ in 0...rounds {
            log.clear()
            try await fly(log.last) { try await client.get("/users/7") { $0.log = log } }
            let before = Usage.now()
            let count = log.entries.count
            total += (Usage.now() - before).cpu / Double(count)
        }
        await client.shutdown()
        return total / Double(rounds + 1) * 1e9
    }

    private static func client() async throws -> Client {
        let client = Client(
            transport: TransportFactory(name: "instant") { _ in InstantTransport() },
            services: [Service("s", host: "http://127.0.0.1"), .dressed, .resilient, .guarded, .logged, .loggedBodies])
        try await client[.guarded].logIn(AccessToken("token", refreshToken: "refresh"))
        return client
    }

    @discardableResult
    private static func fly(_ calls: Int, _ call: () async throws -> Void) async throws -> Double {
        let before = Usage.now()
        for _ in 0..<calls { try await call() }
        return (Usage.now() - before).cpu / Double(calls) * 1e9
    }
}

/// Has a token, and never needs another.
private struct BenchAuthenticator: Authenticator {
    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
        throw TarmacError(.refreshFailed, "nothing is refused here")
    }
}

extension Options {
    fileprivate mutating func setEveryResilience() {
        retry = .exponential(maxAttempts: 3)
        idempotencyKey = .automatic
        failover = .through([.init("eu"), .origin])
        waitsForConnectivity = true
        hedge = .percentile(0.95)
        circuitBreaker = .standard
        rateLimit = .perSecond(1_000_000, burst: 1_000)
        deadline = .seconds(30)
    }
}

extension Hosts {
    fileprivate static var several: Hosts {
        var hosts = Hosts("http://127.0.0.1", cdn: "http://127.0.0.2")
        hosts[HostKind("eu")] = "http://127.0.0.3"
        return hosts
    }
}

extension Service {
    fileprivate static let resilient = Service("resilient", host: .several) { $0.setEveryResilience() }
    fileprivate static let guarded = Service("guarded", host: .several) {
        $0.setEveryResilience()
        $0.authenticator = .init(BenchAuthenticator())
    }
    fileprivate static let logged = Service("logged", host: "http://127.0.0.1") { $0.log = CallLog() }
    fileprivate static let loggedBodies = Service("logged-bodies", host: "http://127.0.0.1") { $0.log = CallLog(bodies: .first(.kib(64))) }
    fileprivate static let dressed = Service("dressed", host: "http://127.0.0.1") {
        $0.presenter = .closures()
        // An indication takes a turn of the main actor, which is the app's own time.
        $0.showsLoading = false
        $0.hooks = [CallHooks(willStart: { _ in }, willStop: { _, _ in }, didStop: { _, _ in })]
        $0.envelope = Envelope(success: { $0["status"] == 1 }, code: "code", message: "message", payload: "data")
    }
}

/// Answers at once.
private struct InstantTransport: TarmacCore.Transport {
    let name = "instant"
    let capabilities: TransportCapabilities = [.separateHeaders, .backPressure]
    private static let headers: HTTPFields = [.contentType: "application/json", .contentLength: "12"]
    private static let body = Bytes(#"{"status":1}"#)

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        exchange.report(.ended)
        return Response(status: .ok, headers: Self.headers, body: .bytes(Self.body), url: request.url)
    }

    func shutdown() async {}
}
#endif
