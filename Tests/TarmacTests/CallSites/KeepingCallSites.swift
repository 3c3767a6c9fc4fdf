// swift-format-ignore-file
// Laid out as the READMEs show it.
// The call sites of the cache, of transfers and of calls that fail: they have to compile.
import Tarmac
import TarmacResumableUpload
import TarmacTraffic

struct Feed: Endpoint, Encodable {
    typealias Value = [String]
    static let service = Service.shop
    static let route: Route = .get("/feed")
}

struct PostPhoto: Endpoint, Encodable {
    typealias Value = Void
    static let service = Service.shop
    static let route: Route = .post("/photos")
}

func whenThingsFail(_ options: inout Options) {
    options.failover = .through([.init("eu"), .origin])   // host after host; one that was down is passed over for a while
    options.waitsForConnectivity = true                   // a train in a tunnel is no error
    options.hedge = .percentile(0.95)                     // a slow GET is asked once more beside; the faster lands
    options.circuitBreaker = .standard
    options.rateLimit = .perSecond(50, burst: 10)
}

func cached(_ client: Client, _ options: inout Options, show: ([String]) -> Void) async throws {
    options.cache = .ttl(.seconds(180), version: 2)       // or .http: as the server allows (RFC 9111)
    if let known = client.cached(Feed()) { show(known) }  // at once, from memory
    for try await update in client.updates(Feed()) { show(update.value) }   // what is stored, then what the server says
    _ = try await client.send(Feed()) { $0.cache = .reload }
}

func transfers(_ client: Client, ledger: TransferLedger, video: String, photo: String) async throws {
    try await client.send(Download(Video(id: 1), to: video)) { $0.transferLedger = ledger }
    try await client.send(Upload(.multipart([.field("title", "Sunrise"), .file("photo", photo)]), to: PostPhoto()))
    _ = try await client.send(Upload(.file(video), to: PostPhoto(), by: .tus)) { $0.transferLedger = ledger }
}
