// Stores responses, shows them at once, and uses them while the server is down.
import Shop
import Tarmac
import TarmacURLSession

// page: setting
struct Feed: Endpoint, Encodable {
    typealias Value = [String]
    static let route: Route = .get("/feed")
    func configure(_ options: inout Options) { options.cache = .http }
}

let client = Client(transport: .urlSession, services: [Service("shop", host: ShopServer.url)])
// page end

// page: source
for _ in 1...2 {
    let landed = try await client.landed(for: Feed())
    print(landed.value, "from the \(landed.source)")
}
print("\(ShopServer.count(of: "/feed")) request")
// page end

// page: updates
if let known = client.cached(Feed()) { print("at once:", known) }
for try await update in client.updates(Feed()) {
    print(update.source, update.value)
}
// page end

// page: use
print(try await client.landed(for: Feed()) { $0.cache = .revalidate }.source)
print(try await client.landed(for: Feed()) { $0.cache = .reload }.source)
// page end

try await ShopServer.goDown()

// page: offline
print(try await client.landed(for: Feed()) { $0.cache = .revalidate }.source)
do {
    _ = try await client.get("/users/7", as: [String].self) { $0.cache = .onlyCached }
} catch let error as TarmacError {
    print(error.code)
}
// page end

// page: purge
try await client.cache.removeAll()
print(client.cached(Feed()) ?? [])
// page end
