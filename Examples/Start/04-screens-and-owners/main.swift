// Starts calls for a screen, and closes the screen while one is in flight.
import Shop
import Tarmac
import TarmacURLSession

struct User: Decodable, Sendable { var id: Int, name: String }

struct GetUser: Endpoint, Encodable {
    typealias Value = User
    static let route: Route = .get("/users/{id}")
    var id: Int
}

// page: screen
@MainActor
final class ProfileScreen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    private(set) var title = ""

    func appear(_ client: Client) {
        client.start(GetUser(id: 7), owner: self) { owner, result in owner.show(result) }
    }

    func show(_ result: Result<User, any Error>) {
        switch result {
        case .success(let user): title = user.name
        case .failure(let error): title = (error as? TarmacError)?.userMessage ?? ""
        }
        print("the screen shows \(title)")
    }
}
// page end

let client = Client(transport: .urlSession, services: [Service("shop", host: ShopServer.url)])

let profile = ProfileScreen()
profile.appear(client)
while profile.title.isEmpty { await Task.yield() }

// page: closed
@MainActor
final class SlowScreen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()

    func appear(_ client: Client) {
        client.start(.get("/slow", as: User.self), owner: self) { _, result in print("never printed: \(result)") }
    }
}

var screen: SlowScreen? = SlowScreen()
screen?.appear(client)
try await ShopServer.received("/slow")
screen = nil
try await ShopServer.connectionEnded()
print("the screen is gone, and its request has ended")
// page end

// page: work
@MainActor
final class OverviewScreen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    private(set) var names: [String] = []

    func appear(_ client: Client) {
        client.start(Batch(GetUser(id: 7), GetUser(id: 8)), owner: self) { owner, result in
            if let (one, other) = try? result.get() { owner.names = [one.name, other.name] }
        }
    }
}

let overview = OverviewScreen()
overview.appear(client)
while overview.names.isEmpty { await Task.yield() }
print("the overview shows \(overview.names)")
// page end

// page: slot
@MainActor
final class OrderScreen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    private let slot = CallSlot(.ignoreWhileFlying)
    private(set) var landings = 0

    func buttonTapped(_ client: Client) {
        slot.start(.post("/orders"), on: client, owner: self) { owner, _ in owner.landings += 1 }
    }
}

let orderScreen = OrderScreen()
orderScreen.buttonTapped(client)
orderScreen.buttonTapped(client)
while orderScreen.landings == 0 { await Task.yield() }
print("two taps, \(ShopServer.count(of: "/orders")) request")
// page end
