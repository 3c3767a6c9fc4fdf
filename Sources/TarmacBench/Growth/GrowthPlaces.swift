#if Tools
import HTTPTypes
import Tarmac
import TarmacTraffic

/// Services, hosts and principals of a client.
enum GrowthPlaces {
    static var rows: [GrowthRow] {
        [
            GrowthRow(work: services("services of a client") { _ in }, bar: 1.8, why: ownMemory),
            GrowthRow(work: services("services with breaker, budget and rate", protect), bar: 1.8, why: ownMemory), GrowthRow(work: hosts, bar: 1.8),
            GrowthRow(work: principals, bar: 1.8),
        ]
    }

    private static let ownMemory =
        "A call reads the settings, stages and counters of its service. Those of 1,000 services are larger than 1 MiB, "
        + "the processor's second cache, so each call reads them from the third one. Nothing is searched, and 100 services cost what one costs."

    private static let sizes = [1, 10, 100, 1_000, 5_000]

    @Sendable private static func protect(_ options: inout Options) {
        options.circuitBreaker = .standard
        options.retry = .exponential(maxAttempts: 3)
        options.rateLimit = .perSecond(1_000_000, burst: 100_000)
    }

    private static func services(_ name: String, _ configure: @escaping @Sendable (inout Options) -> Void) -> GrowthCase {
        GrowthCase(name: name, unit: "call", sizes: sizes, isPerItem: false) { size in
            let services = (0..<size).map { Service("service-\($0)", host: Hosts("https://h\($0).shop.example"), configure: configure) }
            let client = Client(transport: .instant, services: services), next = NextNumber(size)
            for service in services { try await client[service].get("/users/7") }
            return { try await client[services[next.take()]].get("/users/7") }
        }
    }

    private static let hosts = GrowthCase(
        name: "hosts of a service with breaker, budget and rate", unit: "call", sizes: sizes, isPerItem: false
    ) { size in
        let client = Client(transport: .instant, services: [Service("s", host: "https://s.example", configure: protect)])
        let urls = (0..<size).map { "https://h\($0).shop.example/users/7" }, next = NextNumber(size)
        for url in urls { try await client.get(url) }
        return { try await client.get(urls[next.take()]) }
    }

    private static let principals = GrowthCase(
        name: "principals with tokens", unit: "call", sizes: [10, 100, 1_000, 10_000], isPerItem: false
    ) { size in
        let service = Service("s", host: "https://s.example") { $0.authenticator = .init(IdleAuthenticator()) }
        let client = Client(transport: .instant, services: [service]), names = (0..<size).map { "user-\($0)" }, next = NextNumber(size)
        for name in names { try await client[service].logIn(AccessToken("token-of-\(name)"), as: name) }
        return {
            let name = names[next.take()]
            try await client.get("/users/7") { $0.principal = name }
        }
    }
}

/// Has tokens, and never needs another.
struct IdleAuthenticator: Authenticator {
    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
        throw TarmacError(.refreshFailed, "nothing is refused here")
    }
}

/// Counts to a limit in steps that visit all numbers.
// SAFETY: one unit of work runs at a time.
final class NextNumber: @unchecked Sendable {
    private var value = 0
    private let limit: Int
    init(_ limit: Int) { self.limit = limit }

    func take() -> Int {
        value = (value + 7) % limit
        return value
    }
}
#endif
