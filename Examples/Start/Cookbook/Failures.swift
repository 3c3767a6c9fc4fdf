import Tarmac
import TarmacURLSession

// page: retry
let retrying = Client(transport: .urlSession, services: [.shop]) {
    $0.retry = .exponential(maxAttempts: 3, base: .milliseconds(500)) { $0.statuses = [429, 503] }
    $0.deadline = .seconds(30)
}
// page end

func slowReport(_ client: Client) async throws -> [Product] {
    try await client.send(Feed()) {
        $0.timeout = .seconds(10)  // one attempt
        $0.idleTimeout = .seconds(5)  // a gap between bytes
        $0.deadline = .minutes(1)  // the whole call, with retries and redirects
    }
}

// page: offline
func patient(_ client: Client) async throws -> [Product] {
    try await client.send(Feed()) {
        $0.waitsForConnectivity = true
        $0.deadline = .minutes(2)
    }
}

func text(for error: TarmacError) -> String {
    switch error.code.category {
    case .connection: "No connection to the server."
    case .timeout: "The server is slow."
    default: error.userMessage
    }
}
// page end

// page: resolver
let vendor = Client(transport: .urlSession)
let reachable = Service(
    "shop", host: "https://api.shop.example",
    connection: ConnectionSettings {
        $0.resolver = .first([
            .custom { name in try await vendor.get("https://203.0.113.9/d", ["dn": name, "ttl": 1], as: String.self) },
            .https("https://dns.example/dns-query{?dns}", at: ["192.0.2.53"]),
            .system,
        ])
    })
// page end

// page: servererror
struct ShopError: Decodable, Sendable { var reason: String }

func save(_ client: Client) async throws {
    do {
        try await client.post("/orders", ["product": "cup"])
    } catch let error as TarmacError {
        print(error.status?.code ?? 0, (try? error.serverError(as: ShopError.self))?.reason ?? error.userMessage)
        print(error.problem?.detail ?? "")  // application/problem+json, RFC 9457
        throw error
    }
}
// page end
