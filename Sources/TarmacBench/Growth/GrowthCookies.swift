#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacCore
import TarmacCookies

/// The works about cookies.
enum GrowthCookies {
    static var rows: [GrowthRow] {
        let inMemory = ["http", "https"].flatMap { [JarInMemory(scheme: $0), FullJar(scheme: $0)] as [any GrowthWork] }
        return inMemory.map { GrowthRow(work: $0, bar: 1.5) } + [
            GrowthRow(work: JarInFile(path: .call), bar: nil, last: 40), GrowthRow(work: JarInFile(path: .keep), bar: nil, last: 5),
            GrowthRow(
                work: otherHost, bar: nil, last: 1,
                why: "Four locks and three look-ups: the principal of the call, its table, the domain; and the time of day."),
        ]
    }

    fileprivate static let start = Date()

    /// A client whose calls set the cookie `sid` again if they go to `/renew`.
    fileprivate static func client(_ jar: CookieJar?, scheme: String = "https") -> Client {
        Client(
            transport: TransportFactory(name: "renewing") { _ in RenewingTransport() },
            services: [Service("s", host: Hosts("\(scheme)://h0.example"))]
        ) {
            $0.allowsInsecureHTTP = true
            if let jar { $0.cookies = .jar(jar) }
        }
    }

    fileprivate static func scope(_ client: Client) async throws -> CookieScope {
        try await client.cookieScope(for: .get("/", as: Void.self))
    }

    /// Gives each of `domains` domains as many cookies, until there are `count`.
    fileprivate static func fill(_ jar: CookieJar, _ scope: CookieScope, count: Int, perDomain: Int = 1, scheme: String = "https") throws {
        for first in stride(from: 0, to: count, by: perDomain) {
            let names = (first..<min(first + perDomain, count)).map { $0 == 0 ? "sid" : "sid\($0 % perDomain)" }
            let fields = names.map { "\($0)=0123456789abcdef; Path=/; Max-Age=86400" }
            try jar.keep(fields, from: HTTPURL("\(scheme)://h\(first / perDomain).example/"), scope: scope, at: start)
        }
    }

    /// Calls whose answer sets a cookie, with a jar in memory that has cookies of many domains.
    private struct JarInMemory: GrowthWork {
        let scheme: String
        var name: String { "domains in a jar in memory, an answer over \(scheme) sets a cookie" }
        let sizes = [10, 100, 1_000, 10_000]
        let unit = "call"

        func prepare(size: Int) async throws -> @Sendable () async throws -> Void {
            let jar = CookieJar(limits: CookieLimits(total: 20_000)), client = client(jar, scheme: scheme)
            try fill(jar, await scope(client), count: size, scheme: scheme)
            return { try await client.get("/renew") }
        }
    }

    /// Answers of new domains for a full jar, which removes a cookie for each.
    private struct FullJar: GrowthWork {
        let scheme: String
        var name: String { "cookies in a full jar in memory, a new domain over \(scheme) sets one" }
        let sizes = [10, 100, 1_000, 3_000]
        let unit = "answer"

        func prepare(size: Int) async throws -> @Sendable () async throws -> Void {
            let jar = CookieJar(limits: CookieLimits(total: size)), scope = try await scope(client(jar)), number = UpCounter(size)
            try fill(jar, scope, count: size, scheme: scheme)
            return { [scheme] in
                let url = try HTTPURL("\(scheme)://h\(number.next()).example/")
                try jar.keep(["sid=0123456789abcdef; Max-Age=86400"], from: url, scope: scope, at: start)
            }
        }
    }

    /// Answers that renew one cookie of a jar with a file. A write follows every hundred calls and is part of their cost. The other row is
    /// about the call's path, which writes nothing: a write begins a second after the first change.
    private struct JarInFile: GrowthWork {
        enum Path: String { case call = "a call's answer renews one", keep = "one is renewed on the call's path" }
        let path: Path
        var name: String { "cookies in a jar in a file, \(path.rawValue)" }
        let sizes = [10, 100, 1_000, 3_000]
        let unit = "answer"
        private static let calls = 100

        func units(size: Int) -> Int { path == .call ? Self.calls : 1 }

        func prepare(size: Int) async throws -> @Sendable () async throws -> Void {
            let file = "\(NSTemporaryDirectory())/tarmac-growth-\(UInt64.random(in: .min ... .max)).json"
            let jar = CookieJar(store: FileCookieStore(path: file)), client = client(jar), scope = try await scope(client)
            try fill(jar, scope, count: size, perDomain: 50)
            let remover = FileRemover(file), url = try HTTPURL("https://h0.example/renew"), field = RenewingTransport.field
            switch path {
            case .call:
                return {
                    _ = remover
                    for _ in 0..<Self.calls { try await client.get("/renew") }
                    try await jar.flush()
                }
            case .keep:
                return {
                    _ = remover
                    try jar.keep([field], from: url, scope: scope, at: Date())
                }
            }
        }
    }

    /// The cost that a jar without cookies of the host adds to a call: the median of paired rounds.
    private static let otherHost = GrowthMeasure(
        name: "cookies of other hosts in a jar, added to a call", unit: "µs a call", sizes: [10, 1_000, 10_000]
    ) { size in
        let jar = CookieJar(limits: CookieLimits(total: 20_000)), with = otherClient(jar), without = otherClient(nil)
        try fill(jar, await scope(with), count: size)
        return try await PairedCost.added {
            try await cost(with)
        } to: {
            try await cost(without)
        }
    }

    private static func otherClient(_ jar: CookieJar?) -> Client {
        let transport = TransportFactory(name: "renewing") { _ in RenewingTransport() }
        return Client(transport: transport, services: [Service("s", host: "https://other.test")]) { if let jar { $0.cookies = .jar(jar) } }
    }

    private static func cost(_ client: Client) async throws -> Double {
        let calls = 2_000
        return try await PairedCost.cost(of: calls) { for _ in 0..<calls { try await client.get("/plain") } }
    }
}

/// Removes a file with its lock and journal at the end of its life.
private final class FileRemover: Sendable {
    private let path: String
    init(_ path: String) { self.path = path }
    deinit { for suffix in ["", ".lock", ".journal"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
}

/// Answers at once, and sets a cookie where the path is `/renew`.
private struct RenewingTransport: TarmacCore.Transport {
    let name = "renewing"
    let capabilities: TransportCapabilities = [.separateHeaders, .backPressure]
    static let field = "sid=0123456789abcdef; Path=/; Max-Age=86400"
    private static let plain: HTTPFields = [.contentType: "application/json", .contentLength: "12"]
    private static let renewing: HTTPFields = [.contentType: "application/json", .contentLength: "12", .setCookie: field]
    private static let body = Bytes(#"{"status":1}"#)

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        exchange.report(.ended)
        return Response(
            status: .ok, headers: request.url.path == "/renew" ? Self.renewing : Self.plain, body: .bytes(Self.body), url: request.url)
    }

    func shutdown() async {}
}
#endif
