#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacCache
import TarmacCookies
import TarmacOutbox
import TarmacSQLite

/// Hits and stored misses of a cache in memory, and the opening of stores on disk.
enum GrowthStores {
    private static let sizes = [10, 100, 1_000, 10_000]

    static var rows: [GrowthRow] {
        [
            GrowthRow(
                work: hits, bar: 1.5,
                why: "10,000 entries are larger than the processor's second cache, and each hit reads another entry with its node and fields. Parsed "
                    + "fields in the entry instead of a table of 2,048 brought 1.9 to 1.7."),
            GrowthRow(work: stored, bar: 1.5),
            GrowthRow(
                work: storedAbove, bar: nil, last: 12,
                why: "A call with its miss took 72 µs with a task of its own for the request, and takes 28. The rest is spread over the key, "
                    + "the entry with its fields, dates and directives, its place in the index, the table of calls in flight and the entry "
                    + "that must go for it."),
            GrowthRow(work: sqliteCache, bar: nil), GrowthRow(work: cookieFile, bar: nil), GrowthRow(work: cookieDatabase, bar: nil),
            GrowthRow(work: outbox, bar: nil), GrowthRow(work: tokens, bar: nil),
        ]
    }

    private static func cached(_ rule: CacheRule = .http) -> Client {
        let fields: HTTPFields = [.cacheControl: "max-age=100000", .contentType: "text/plain"]
        return Client(
            transport: .instant { Response(status: .ok, headers: fields, body: .bytes(InstantAnswer.body), url: $0.url) },
            services: [Service("s", host: "https://s.example")]
        ) { $0.cache = rule }
    }

    private static let hits = GrowthCase(name: "entries of a cache in memory, a hit", unit: "call", sizes: sizes, isPerItem: false) { size in
        let client = cached(), next = NextNumber(size)
        for number in 0..<size { try await client.get("/\(number)") }
        return { try await client.get("/\(next.take())") }
    }

    private static let stored = GrowthCase(
        name: "entries of a cache in memory, a miss that is stored", unit: "call", sizes: sizes, isPerItem: false
    ) { size in
        let client = cached(), number = UpCounter()
        for _ in 0..<size { try await client.get("/\(number.next())") }
        return { try await client.get("/\(number.next())") }
    }

    /// The cost that storing adds to a call: the median of paired rounds.
    private static let storedAbove = GrowthMeasure(
        name: "callers at once, added to a call by a miss that is stored in memory", unit: "µs a call", sizes: [1, 64]
    ) { size in
        let with = cached(), without = cached(.off), number = UpCounter()
        return try await PairedCost.added {
            try await cost(with, number, callers: size)
        } to: {
            try await cost(without, number, callers: size)
        }
    }

    private static func cost(_ client: Client, _ number: UpCounter, callers: Int) async throws -> Double {
        let each = 2_048 / callers
        return try await PairedCost.cost(of: each * callers) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<callers {
                    group.addTask { for _ in 0..<each { try await client.get("/\(number.next())") } }
                }
                try await group.waitForAll()
            }
        }
    }

    // MARK: Opening

    private static let openingSizes = [100, 1_000, 10_000]
    private static var path: String { FileManager.default.temporaryDirectory.path + "/growth-\(UUID().uuidString)" }

    private static func opening(
        name: String, unit: String, make: @escaping @Sendable (Int) async throws -> @Sendable () async throws -> Void
    ) -> GrowthCase { GrowthCase(name: name, unit: unit, sizes: openingSizes, isPerItem: false, make: make) }

    private static let sqliteCache = opening(name: "entries of a SQLiteCacheStore, opening it", unit: "the first answer") { size in
        let path = path
        let keys = (0..<size).map { CacheKey(service: "shop", environment: "production", url: "https://shop.example/\($0)") }
        do {
            let store = try SQLiteCacheStore(SQLiteDatabase(path: path, durability: .consistent))
            for key in keys { _ = try await store.publish(GrowthFileCache.entry(key), body: Bytes("answer")) }
            try await store.flush()
        }
        return {
            let store = try SQLiteCacheStore(SQLiteDatabase(path: path))
            let found = try await store.lookup(keys[size / 2]).records.count
            precondition(found == 1, "an entry is missing")
        }
    }

    private static func jar(_ size: Int, _ store: any CookieStore) async throws -> @Sendable (any CookieStore) throws -> Void {
        let client = Client(transport: .instant, services: [Service("s", host: "https://s.example")])
        let scope = try await client.cookieScope(for: .get("/", as: Void.self)), date = Date(), limits = CookieLimits(total: 20_000)
        let jar = CookieJar(store: store, limits: limits), url = try HTTPURL("https://h0.example/")
        for number in 0..<size {
            try jar.keep(["sid=0123456789abcdef; Path=/; Max-Age=86400"], from: HTTPURL("https://h\(number).example/"), scope: scope, at: date)
        }
        try await jar.flush()
        return { store in
            let field = try CookieJar(store: store, limits: limits).cookieField(for: url, scope: scope, at: date)
            precondition(field != nil, "a cookie is missing")
        }
    }

    private static let cookieFile = opening(name: "cookies of a FileCookieStore, opening it", unit: "the first answer") { size in
        let path = path, open = try await jar(size, FileCookieStore(path: path))
        return { try open(FileCookieStore(path: path)) }
    }

    private static let cookieDatabase = opening(name: "cookies of a SQLiteCookieStore, opening it", unit: "the first answer") { size in
        let path = path, open = try await jar(size, SQLiteCookieStore(SQLiteDatabase(path: path)))
        return { try open(SQLiteCookieStore(SQLiteDatabase(path: path))) }
    }

    private static let outbox = opening(name: "entries of a SQLiteOutboxStore, opening it", unit: "an outbox made") { size in
        let path = path, shop = Service("shop", host: "https://shop.example")
        let records = (0..<size).map { GrowthOutboxLanes.waiting($0, of: shop) }
        _ = try await SQLiteOutboxStore(SQLiteDatabase(path: path)).append(records, limit: .max)
        let client = Client(transport: .instant, services: [shop])
        return {
            let outbox = try Outbox(client: client, store: SQLiteOutboxStore(SQLiteDatabase(path: path)))
            outbox.start()
            await outbox.shutdown()
        }
    }

    private static let tokens = opening(name: "tokens of a FileTokenStore, opening it", unit: "the first token") { size in
        let folder = path, store = FileTokenStore(folder: folder)
        for number in 0..<size { try store.save(AccessToken("t"), for: TokenKey(service: "s", environment: "production", principal: "\(number)")) }
        return {
            let key = TokenKey(service: "s", environment: "production", principal: "7")
            let token = try FileTokenStore(folder: folder).token(for: key)
            precondition(token != nil, "a token is missing")
        }
    }
}

/// Counts, one after another.
// SAFETY: one unit of work runs at a time.
final class UpCounter: @unchecked Sendable {
    private var value: Int
    init(_ value: Int = 0) { self.value = value }
    func next() -> Int {
        value += 1
        return value
    }
}
#endif
