import HTTPTypes
import TarmacTesting

import Tarmac
@testable import TarmacCallLog

/// A client with a log over a server that redirects, fails once, refuses old tokens and lets responses be stored.
struct LogRig: Sendable {
    let log: CallLog
    let client: Client
    let stub: StubTransport

    struct Refreshing: Authenticator {
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            AccessToken("fresh-4f9c21ab77", refreshToken: "again-1d5e88c0aa", expiry: nil)
        }
    }

    init(_ log: CallLog = CallLog(bodies: .first(.kib(64))), configure: @escaping @Sendable (inout Options) -> Void = { _ in }) {
        let seen = Watched<[String: Int]>([:])
        let stub = StubTransport { request in
            let count = seen.update { seen in
                seen[request.url.path, default: 0] += 1
                return seen[request.url.path] ?? 0
            }
            return try Self.answer(request, count)
        }
        (self.log, self.stub) = (log, stub)
        client = Client(transport: .stub(stub), services: [.logged, .guarded]) {
            $0.log = log
            $0.retry = .exponential(maxAttempts: 3, base: .milliseconds(1))
            $0.timeout = .unlimited
            $0.idleTimeout = .unlimited
            configure(&$0)
        }
    }

    private static func answer(_ request: Request, _ count: Int) throws -> Response {
        switch request.url.path {
        case "/old": return .redirect(to: "/new?page=2")
        case "/flaky": return count == 1 ? .json(#"{"error":"busy"}"#, status: .serviceUnavailable) : .json(#"{"n":1}"#)
        case "/guarded":
            let isFresh = request.headers[.authorization] == "Bearer fresh-4f9c21ab77"
            return isFresh ? .json(#"{"n":1}"#) : .json(#"{"error":"expired"}"#, status: .unauthorized)
        case "/stored": return .json(#"{"n":1}"#, headers: [.cacheControl: "max-age=600"])
        case "/down": throw TarmacError(.connectionRefused, phase: .connecting, "nothing listens here")
        case "/missing": return .json(#"{"error":"no such thing"}"#, status: .notFound)
        case "/stream": return .chunks(["one,", "two,", "three"], headers: [.contentType: "text/plain"])
        default: return .json(#"{"n":1}"#)
        }
    }

    func get(_ path: String, configure: (inout Options) -> Void = { _ in }) async throws { try await client.get(path, configure: configure) }

    /// A redirect, a retry, a refresh, a response from the cache and two failures.
    func fly() async throws {
        for path in ["/old", "/flaky"] { try await get(path) }
        try await client[.guarded].logIn(AccessToken("stale-7aa1c09e55", refreshToken: "once-33b9de21f0"))
        try await client[.guarded].get("/guarded")
        for _ in 0..<2 { _ = try await client.send(.get("/stored", as: String.self)) { $0.cache = .http } }
        for path in ["/down", "/missing"] { _ = try? await get(path) { $0.retry = .never } }
    }

    /// The last entry whose request goes to a path.
    func entry(_ path: String) -> CallLog.Entry? { log.entries.last { $0.request?.url.contains(path) == true } }
}

extension Service {
    static let logged = Service("logged", host: "https://api.example.com")
    static let guarded = Service("guarded", host: "https://api.example.com") { $0.authenticator = .init(LogRig.Refreshing()) }
}
