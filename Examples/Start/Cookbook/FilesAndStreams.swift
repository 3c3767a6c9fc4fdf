import Tarmac
import TarmacOutbox
import TarmacStreams
import TarmacURLSession

struct Uploaded: Decodable, Sendable { var id: Int }

func upload(_ client: Client, photo: String, show: @escaping @Sendable (Double) -> Void) async throws -> Int {
    let form = try Body.multipart([.field("title", "Sunrise"), .file("photo", photo)])
    return try await client.send(Upload(form, to: .post("/photos", as: Uploaded.self)), progress: { show($0.fraction ?? 0) }).id
}

func video(_ client: Client, to file: String, ledger: String) async throws {
    try await client.send(Download(.get("/videos/1"), to: file)) { $0.transferLedger = .folder(ledger) }
}

@MainActor
final class VideoScreen: LifetimeOwner {
    nonisolated let lifetime = Lifetime()
    private(set) var video: Call<Download>?

    func load(_ client: Client, to file: String) {
        video = client.call(Download(.get("/videos/1"), to: file), owner: self, landed: VideoScreen.videoLanded)
        video?.start()  // video?.pause() and video?.start() from a button
    }

    func videoLanded(_ result: Result<DownloadedFile, any Error>) { print(result) }
}

// page: pages
struct ProductPage: Decodable, Sendable { var items: [Product], cursor: String? }

func allProducts(_ client: Client) async throws -> [Product] {
    var products: [Product] = []
    let pages = client.pages(of: .get("/products", as: ProductPage.self), by: .cursor("after", \.cursor))
    for try await product in pages.elements(\.items) { products.append(product) }
    return products
}
// page end

// page: events
struct Delta: Decodable, Sendable { var text: String }

func chat(_ client: Client, prompt: String) async throws {
    let endpoint = InlineEndpoint<Void>.post("/chat", ["prompt": prompt]).with { $0.events = .once { $0.endMarker = "[DONE]" } }
    for try await delta in client.events(endpoint, as: Delta.self) { print(delta.text) }
}
// page end

@MainActor
func pullToRefresh(_ client: Client, show: ([Product]) -> Void) async throws {
    if let known = client.cached(Feed()) { show(known) }
    show(try await client.send(Feed()) { $0.cache = .reload })
}

// page: logout
func logOut(_ client: Client, user: String) async throws {
    client.cancelAll()
    try await client[.shop].logOut()
    try await client.cache.remove(.principal(user))
}
// page end

// page: offlinelist
struct Note: Codable, Sendable { var text: String }

struct ListNotes: Endpoint {
    typealias Value = [Note]
    static let route: Route = .get("/notes")
    func configure(_ options: inout Options) { options.cache = .http }
}

struct AddNote: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .post("/notes")
    var text: String
    func configure(_ options: inout Options) { options.makesStale = [.endpoint(ListNotes.self)] }
}

@MainActor
final class NoteList {
    private(set) var notes: [Note] = []
    private let client: Client
    private let outbox: Outbox

    init(client: Client, store: any OutboxStore) throws {
        self.client = client
        outbox = try Outbox(client: client, store: store)
        outbox.start()  // sends what is left from the last launch
    }

    func load() async throws {
        for try await update in client.updates(ListNotes()) { notes = update.value }  // stored, then the server's
    }

    func add(_ text: String) async throws {
        try await outbox.enqueue(AddNote(text: text))  // stored, and sent once there is a network
        notes.append(Note(text: text))
    }

    func sent() async { await outbox.waitUntilIdle() }
}
// page end
