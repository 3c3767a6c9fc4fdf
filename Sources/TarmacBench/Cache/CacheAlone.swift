#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacCore
import TarmacSQLite

/// Hits, over a transport that answers at once where nothing is stored.
struct CacheAlone {
    let entries: Int
    let hits: Int
    let rounds: Int
    let folder: String

    private struct Item: Decodable, Sendable {
        var id: Int
        var name: String
        var email: String
        var active: Bool
        var score: Double
    }

    /// An array of small objects, 1 KiB.
    private static let document: [UInt8] = {
        var text = "["
        for id in 1... {
            let comma = id > 1 ? "," : ""
            let item = #"\#(comma){"id":\#(id),"name":"user \#(id)","email":"user\#(id)@tarmac.example","active":true,"score":\#(Double(id) / 4)}"#
            if text.utf8.count + item.utf8.count >= 1024 { break }
            text += item
        }
        return Array((text + "]" + String(repeating: " ", count: 1023 - text.utf8.count)).utf8)
    }()

    /// Answers as an API does, good for a day.
    private struct Origin: TarmacCore.Transport {
        let name = "instant"
        let capabilities: TransportCapabilities = [.separateHeaders, .backPressure]
        private static let headers: HTTPFields = [
            .contentType: "application/json", .cacheControl: "private, max-age=86400", .eTag: "\"5f1d\"", .vary: "Accept-Language",
            .server: "origin", .contentLength: "1024",
        ]

        func send(_ request: Request, exchange: Exchange) async throws -> Response {
            exchange.report(.ended)
            return Response(status: .ok, headers: Self.headers, body: .bytes(Bytes(CacheAlone.document)), url: request.url)
        }

        func shutdown() async {}
    }

    private static func client(_ store: CacheStorePlace) -> Client {
        Client(transport: TransportFactory(name: "instant") { _ in Origin() }, services: [Service("s", host: "http://127.0.0.1")]) {
            ($0.cache, $0.cacheStore) = (.http, store)
        }
    }

    // MARK: Memory

    /// The cost of a hit in memory above decoding the same bytes: the median of paired rounds of processor time, in microseconds.
    func memory() async throws -> [Figure] {
        let client = Self.client(.memory), landing = try BodyLanding(Data(Self.document))
        func call(_ count: Int) async throws { for _ in 0..<count { _ = try await client.get("/item", as: [Item].self) } }
        func decode(_ count: Int) throws { for _ in 0..<count { _ = try landing.value(as: [Item].self) } }
        try await call(2_000)
        try decode(2_000)
        var above: [Double] = [], whole: [Double] = []
        let count = max(hits / rounds, 1)
        for _ in 0..<rounds {
            let start = Usage.now()
            try await call(count)
            let middle = Usage.now()
            try decode(count)
            let end = Usage.now()
            whole.append((middle - start).cpu / Double(count) * 1e6)
            above.append(((middle - start).cpu - (end - middle).cpu) / Double(count) * 1e6)
        }
        await client.shutdown()
        return [
            Figure(name: "memory hit, decoded 1 KiB", value: whole.median, unit: "µs", bar: nil),
            Figure(name: "memory hit above decoding", value: above.median, unit: "µs", bar: .atMost(5)),
        ]
    }

    // MARK: SQLite

    /// The file with so many entries; made where it is missing.
    func fill(_ count: Int) async throws -> String {
        let path = "\(folder)/\(count).db"
        if FileManager.default.fileExists(atPath: path) { return path }
        let client = Self.client(.store(try Self.store(path)))
        for number in 0..<count {
            _ = try await client.send(raw: Self.request(number))
            // What waits to be written is bounded, and what finds no room is not stored.
            if number % 1_000 == 999 { try await client.cache.flush() }
        }
        await client.shutdown()
        return path
    }

    private static func store(_ path: String) throws -> SQLiteCacheStore {
        try SQLiteCacheStore(SQLiteDatabase(path: path, durability: .consistent, checksWhole: false), limit: 4 << 30)
    }

    private static func request(_ number: Int) throws -> Request { Request(.get, try HTTPURL("http://127.0.0.1/items/\(number)?page=1")) }

    /// Hits at random places, one after the other.
    private func hit(_ client: Client, _ count: Int) async throws {
        // A full period modulo a power of two: every place once before any comes again.
        var place = 1
        var modulus = 1
        while modulus < entries { modulus *= 2 }
        for _ in 0..<count {
            repeat { place = (place &* 1_664_525 &+ 1_013_904_223) & (modulus - 1) } while place >= entries
            _ = try await client.get("/items/\(place)?page=1", as: [Item].self)
        }
    }

    func sqlite() async throws -> [Figure] {
        let path = try await fill(entries)
        let store = try Self.store(path), client = Self.client(.store(store))
        try await hit(client, 2_000)
        var wall: [Double] = [], cpu: [Double] = []
        let count = max(hits / rounds, 1)
        for _ in 0..<rounds {
            let start = Usage.now()
            try await hit(client, count)
            let used = Usage.now() - start
            wall.append(used.wall / Double(count) * 1e6)
            cpu.append(used.cpu / Double(count) * 1e6)
        }
        let entry = try await store.list(.all, after: nil, limit: 1)[0]
        let start = Usage.now()
        for _ in 0..<count { _ = try await store.lookup(entry.key) }
        let lookup = (Usage.now() - start).cpu / Double(count) * 1e6
        await client.shutdown()
        return [
            Figure(name: "SQLite lookup", value: lookup, unit: "µs", bar: nil),
            Figure(name: "SQLite hit of \(entries), decoded 1 KiB", value: wall.median, unit: "µs", bar: .atMost(60)),
            Figure(name: "SQLite hits of one core", value: 1e6 / cpu.median, unit: "a second", bar: .atLeast(20_000)),
        ]
    }

    // MARK: Memory of the process

    /// The memory of this process after hits all over a file, in bytes.
    func resident() async throws -> Int {
        let client = Self.client(.store(try Self.store("\(folder)/\(entries).db")))
        try await hit(client, 20_000)
        await client.shutdown()
        return Memory.resident
    }
}
#endif
