// Stores responses, shows them at once, and uses them while the server is down.
import Foundation
import Shop
import Tarmac
import TarmacURLSession

let caches = FileManager.default.temporaryDirectory.appendingPathComponent("start-\(UUID().uuidString)").path
try FileManager.default.createDirectory(atPath: caches, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(atPath: caches) }

// page: setting
struct Feed: Endpoint {
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

// page: disk
let store = try FileCacheStore(folder: "\(caches)/answers")
let durable = Client(transport: .urlSession, services: [Service("shop", host: ShopServer.url)]) {
    $0.cacheStore = .store(store)
}
print(try await durable.landed(for: Feed()).source)
// page end

// page: offline
try await ShopServer.goDown()

print(try await client.landed(for: Feed()) { $0.cache = .revalidate }.source)
do {
    _ = try await client.get("/users/7", as: [String].self) { $0.cache = .onlyCached }
} catch let error as TarmacError {
    print(error.code)
}
let reloaded = try? await client.send(Feed()) { $0.cache = .reload }
print(reloaded ?? ["no server"])
// page end

// page: purge
try await client.cache.removeAll()
print(client.cached(Feed()) ?? [])
// page end
