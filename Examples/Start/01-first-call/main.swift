// Makes the first call.
import Shop
// page: call
import Tarmac
import TarmacURLSession

struct User: Decodable, Sendable {
    var id: Int
    var name: String
}

let client = Client(transport: .urlSession, services: [Service("shop", host: ShopServer.url)])

let user = try await client.get("/users/{id}", ["id": 7], as: User.self)
print("\(user.id) is \(user.name)")
// page end

// page: landed
let landed = try await client.landed(for: .get("/users/{id}", ["id": 8], as: User.self))
print(landed.value.name, landed.status.code, landed.headers[.contentType] ?? "", landed.attempts)
// page end

// page: post
struct NewOrder: Encodable, Sendable {
    var product: String
    var count: Int
}

struct Order: Decodable, Sendable {
    var id: Int
    var state: String
}

let order = try await client.post("/orders", NewOrder(product: "cup", count: 2), as: Order.self)
print("order \(order.id) is \(order.state)")
// page end

// page: shutdown
await client.shutdown()
// page end
