// swift-format-ignore-file
// Laid out as the pages of the reference show it.
// The call sites of the pages of Tarmac, TarmacCore, TarmacNIO and TarmacURLSession: they have to compile.
import Tarmac
import TarmacNIO
import TarmacURLSession

private enum Page {
    struct Order: Decodable, Sendable { let id: Int }

    static func tarmac() async throws -> String {
        struct User: Decodable, Sendable { let login: String }

        let client = Client(transport: .urlSession, services: [Service("github", host: "https://api.github.com")])
        let user = try await client.get("/users/{name}", ["name": "torvalds"], as: User.self)
        return user.login
    }

    static func core() async throws -> Order {
        let client = Client(transport: .urlSession, services: [Service("shop", host: "https://api.shop.example")])
        let order = try await client.get("/orders/{id}", ["id": 7], as: Order.self)
        return order
    }

    static func urlSession(_ shop: Service) -> Client {
        let client = Client(transport: .urlSession, services: [shop])
        return client
    }

    #if NIO
    static func asyncHTTPClient(_ shop: Service) -> Client {
        let client = Client(transport: .asyncHTTPClient, services: [shop])
        return client
    }
    #endif
}
