#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacCache
import TarmacCookies
import TarmacJSON
import TarmacOutbox
import TarmacSQLite
import TarmacStreams
import TarmacTesting
import TarmacTraffic

/// A kind of work that is repeated, each time with a new number.
struct LeakRow: Sendable {
    let name: String
    /// The most bytes that a repetition may leave.
    var bar = 4.0
    /// Repetitions before the first measurement, which fill what is bounded.
    var warmUp = 6_000
    var count = 4_000
    let prepare: @Sendable () async throws -> @Sendable (Int) async throws -> Void

    static let all: [LeakRow] = calls + kept + groups + streams
}

extension LeakRow {
    private static let service = Service("s", host: "https://s.example")

    private static func made(_ transport: TransportFactory = .instant, _ configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(transport: transport, services: [service], configure: configure)
    }

    @Sendable private static func protect(_ options: inout Options) {
        options.circuitBreaker = .standard
        options.retry = .exponential(maxAttempts: 3)
        options.rateLimit = .perSecond(1_000_000, burst: 100_000)
    }

    // MARK: Calls

    private static let calls: [LeakRow] = [
        LeakRow(name: "calls to new addresses") {
            let client = made()
            return { try await client.get("/users/\($0)") }
        },
        LeakRow(name: "calls to new hosts with breaker, budget and rate") {
            let client = made { protect(&$0) }
            return { try await client.get("https://h\($0).example/") }
        },
        LeakRow(name: "calls of new owners") {
            let client = made()
            return { _ in await LeakOwner().fly(client) }
        },
        LeakRow(name: "slots of new owners") {
            let client = made()
            return { _ in await LeakOwner().queue(client) }
        },
        LeakRow(name: "calls with new tags and settings") {
            let client = made()
            return { number in
                try await client.get("/") {
                    $0.tags = [CallTag("tag \(number)")]
                    $0.headers["X-Number"] = "\(number)"
                    $0.deadline = .seconds(30)
                }
            }
        },
        LeakRow(name: "cancelled calls") {
            let transport = HeldAnswers(), client = made(.held(transport))
            return { number in
                let call = Task { try await client.get("/\(number)") }
                await transport.holds(1)
                call.cancel()
                _ = await call.result
            }
        },
        LeakRow(name: "calls that fail and are repeated", warmUp: 12_000, count: 4_000) {
            let client = made(.instant { Response(status: .serviceUnavailable, body: .bytes(InstantAnswer.body), url: $0.url) }) {
                $0.retry = .exponential(maxAttempts: 2, base: .milliseconds(1)) { $0.budget = .unlimited }
            }
            return { number in _ = try? await client.get("/\(number)") }
        },
        LeakRow(name: "hedged calls to new addresses") {
            let client = made { $0.hedge = .percentile(0.95) }
            return { try await client.get("/\($0)") }
        },
        LeakRow(name: "shared requests to new addresses") {
            let client = made { $0.coalesces = true }
            return { try await client.get("/\($0)") }
        },
        LeakRow(name: "environments", warmUp: 2_000, count: 2_000) {
            let client = made()
            return { number in
                client.environment = ServiceEnvironment("e\(number)")
                try await client.get("/")
            }
        },
    ]

    // MARK: State

    private static let kept: [LeakRow] = [
        LeakRow(name: "principals that log out", bar: 32) {
            let service = Service("s", host: "https://s.example") { $0.authenticator = .init(IdleAuthenticator()) }
            let client = Client(transport: .instant, services: [service])
            return { number in
                let name = "user-\(number)"
                try await client[service].logIn(AccessToken("token-\(name)"), as: name)
                try await client.get("/") { $0.principal = name }
                try await client[service].logOut(name)
            }
        },
        LeakRow(name: "principals whose tokens a store keeps") {
            let service = Service("s", host: "https://s.example") { $0.authenticator = .init(IdleAuthenticator(), store: SameToken()) }
            let client = Client(transport: .instant, services: [service])
            return { number in try await client.get("/") { $0.principal = "user-\(number)" } }
        },
        LeakRow(name: "cookies of new hosts") {
            let client = made(
                .instant { Response(status: .ok, headers: [.setCookie: "sid=1; Max-Age=99999"], body: .bytes(InstantAnswer.body), url: $0.url) }
            ) { $0.cookies = .jar(CookieJar(limits: CookieLimits(total: 500))) }
            return { try await client.get("https://h\($0).example/") }
        },
        LeakRow(name: "cookies of new principals") {
            let client = made(
                .instant { Response(status: .ok, headers: [.setCookie: "sid=1; Max-Age=99999"], body: .bytes(InstantAnswer.body), url: $0.url) }
            ) { $0.cookies = .jar() }
            return { number in try await client.get("/") { $0.principal = "user-\(number)" } }
        },
        LeakRow(name: "cookies of new principals in SQLite", warmUp: 16_000, count: 2_000) {
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-leaks-\(UUID().uuidString).db").path
            let jar = CookieJar(store: try SQLiteCookieStore(SQLiteDatabase(path: path)), limits: CookieLimits(principals: 100))
            let client = made(
                .instant { Response(status: .ok, headers: [.setCookie: "sid=1; Max-Age=99999"], body: .bytes(InstantAnswer.body), url: $0.url) }
            ) { $0.cookies = .jar(jar) }
            return { number in
                try await client.get("/") { $0.principal = "user-\(number)" }
                if number.isMultiple(of: 100) { try await jar.flush() }
            }
        },
        LeakRow(name: "cached answers of new addresses") {
            let client = made(
                .instant { Response(status: .ok, headers: [.cacheControl: "max-age=9999"], body: .bytes(InstantAnswer.body), url: $0.url) }
            ) {
                $0.cache = .http
                $0.cacheStore = .store(MemoryCacheStore(limit: 1 << 20))
            }
            return { try await client.get("/\($0)") }
        },
        LeakRow(name: "lanes of an outbox", warmUp: 2_000, count: 2_000) {
            let client = made(), outbox = try Outbox(client: client, store: MemoryOutboxStore())
            outbox.start()
            return { number in
                _ = try await outbox.outcome(of: try await outbox.enqueue(.post("/orders"), lane: "lane \(number)"))
                withExtendedLifetime(client) {}
            }
        },
    ]

    // MARK: Groups

    private static let groups: [LeakRow] = [
        LeakRow(name: "batches") {
            let client = made()
            return { number in _ = try await client.send(Batch(allOrNothing: (0..<3).map { .get("/\(number)/\($0)", as: Void.self) })) }
        },
        LeakRow(name: "chains") {
            let client = made()
            return { number in try await client.send(RequestChain(value: number).then { .get("/\($0)", as: Void.self) }) }
        },
        LeakRow(name: "graphs") {
            let client = made()
            return { number in
                var graph = RequestGraph(limit: 4)
                let first = graph.add(.get("/\(number)", as: Void.self))
                graph.add(after: first) { _ in .get("/\(number)/next", as: Void.self) }
                try await client.send(graph).check()
            }
        },
    ]

    // MARK: Streams

    private static let streams: [LeakRow] = [
        LeakRow(name: "event streams") {
            let client = made(
                .instant { Response(status: .ok, headers: [.contentType: "text/event-stream"], body: InstantParts.body("data: a\n\n"), url: $0.url) })
            return { for try await _ in client.events(.get("/\($0)"), configure: { $0.events = .once }) {} }
        },
        LeakRow(name: "streams of lines") {
            let client = made(
                .instant { Response(status: .ok, headers: [.contentType: "text/plain"], body: InstantParts.body("a\nb\n"), url: $0.url) })
            return { for try await _ in client.lines(.get("/\($0)")) {} }
        },
        LeakRow(name: "forms") {
            let client = made()
            return { try await client.post("/\($0)", body: .multipart([.field("a", "\($0)")])) }
        },
        LeakRow(name: "documents with an index") {
            { number in
                let json = try JSON(parsing: "[" + (0..<64).map { "\($0 + number)" }.joined(separator: ",") + "]")
                precondition(json[40].int == 40 + number, "another value was found")
            }
        },
    ]
}

/// Has the same token for every key.
private struct SameToken: TokenStore {
    func token(for key: TokenKey) -> AccessToken? { AccessToken("token") }
    func save(_ token: AccessToken, for key: TokenKey) {}
    func removeToken(for key: TokenKey) {}
}

/// An owner of one call.
@MainActor
private final class LeakOwner: LifetimeOwner {
    let lifetime = Lifetime()
    private var waiter: CheckedContinuation<Void, Never>?

    nonisolated init() {}

    func fly(_ client: Client) async {
        await withCheckedContinuation { waiter in
            self.waiter = waiter
            client.start(.get("/", as: Void.self), owner: self) { owner, _ in owner.waiter?.resume() }
        }
    }

    func queue(_ client: Client) async {
        let slot = CallSlot(.queue)
        await withCheckedContinuation { waiter in
            self.waiter = waiter
            slot.start(.get("/"), on: client, owner: self) { owner, _ in owner.waiter?.resume() }
        }
    }
}
#endif
