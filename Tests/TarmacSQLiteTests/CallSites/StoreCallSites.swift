// swift-format-ignore-file
// Laid out as the pages of the reference show it.
// The call sites of the pages of TarmacSQLite, TarmacOutbox and TarmacCookies: they have to compile.
import Tarmac
import TarmacCookies
import TarmacOutbox
import TarmacSQLite

private enum Page {
    struct CreateOrder: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .post("/orders")
        var items: [String]
    }
    struct Cart { var items: [String] }

    static func outbox(_ client: Client, _ folder: String, _ cart: Cart) async throws -> OutboxEntry.ID {
        let database = try SQLiteDatabase(path: folder + "/shop.db")
        let outbox = try Outbox(client: client, store: SQLiteOutboxStore(database))
        outbox.start()
        let id = try await outbox.enqueue(CreateOrder(items: cart.items), lane: "orders")
        return id
    }

    static func cache(_ folder: String) throws -> Service {
        let database = try SQLiteDatabase(path: folder + "/shop.db")
        let responses = try SQLiteCacheStore(database)
        let shop = Service("shop", host: "https://api.shop.example") {
            $0.cache = .http
            $0.cacheStore = .store(responses)
        }
        return shop
    }

    static func cookies(_ path: String) -> Service {
        let jar = CookieJar(store: FileCookieStore(path: path))
        let shop = Service("shop", host: "https://api.shop.example") { $0.cookies = .jar(jar) }
        return shop
    }
}
