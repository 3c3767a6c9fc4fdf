import Tarmac
import TarmacURLSession

@MainActor
final class ProfileScreen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    private(set) var name = ""

    func appear(_ client: Client) {
        client.start(GetUser(id: 7), owner: self) { owner, result in owner.name = (try? result.get().name) ?? "" }
    }
}

// page: search
@MainActor
final class SearchScreen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    private let slot = CallSlot(.debounce(.milliseconds(300)))
    private(set) var titles: [String] = []

    func textChanged(_ text: String, _ client: Client) {
        slot.start(Search(text: text), on: client, owner: self) { owner, result in
            if let products = try? result.get() { owner.titles = products.map(\.title) }
        }
    }
}
// page end

// page: loading
@MainActor
final class Spinner: Presenter {
    private(set) var isVisible = false
    private(set) var message = ""
    nonisolated init() {}

    func loadingBegan(_ loading: Loading) { isVisible = true }
    func loadingEnded(_ loading: Loading) { isVisible = false }
    func present(_ error: PresentedError) { message = error.message }
}

let presenting = Client(transport: .urlSession, services: [.shop]) { $0.presenter = Spinner() }

func refreshQuietly(_ client: Client) async throws -> [Product] {
    try await client.send(Feed()) {
        $0.showsLoading = false
        $0.presentsErrors = false
    }
}
// page end

func several(_ client: Client) async throws {
    let (user, feed) = try await client.send(Batch(GetUser(id: 7), Feed()))  // both, or an error
    let results = try await client.send(Batch((1...100).map { GetUser(id: $0) }, limit: 8))  // a Result for each
    let friend = try await client.send(RequestChain(GetUser(id: 7)).then { GetUser(id: $0.id + 1) })  // one after another
    print(user.name, feed.count, results.count, friend.name)
}

// page: swiftui
@MainActor
final class ProfileModel {
    private let client: Client
    private(set) var user: User?
    private(set) var message: String?

    init(client: Client) { self.client = client }

    func load(_ cache: CacheRule = .http) async {  // in `.refreshable`: load(.reload)
        do {
            user = try await client.send(GetUser(id: 7)) { $0.cache = cache }
        } catch let error as TarmacError {
            message = error.userMessage
        } catch {}  // the view is gone
    }
}
// page end
