import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

/// A client knows a service by its name. Two services of one name with different hosts or settings are refused.
@Suite("Services of one name", .timeLimit(.minutes(5)))
struct ServiceNameTests {
    private static let plain = Service("shop", host: "https://a.example")

    struct Other: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let service: @Sendable () -> Service
    }

    static let different = [
        Other(testDescription: "hosts") { Service("shop", host: "https://b.example") },
        Other(testDescription: "kinds of hosts") { Service("shop", host: Hosts("https://a.example", cdn: "https://b.example")) },
        Other(testDescription: "environments") { Service("shop", hosts: [.production: "https://a.example"]) },
        Other(testDescription: "connection settings") {
            Service("shop", host: "https://a.example", connection: ConnectionSettings { $0.connectionsPerHost = 1 })
        },
        Other(testDescription: "timeout") { Service("shop", host: "https://a.example") { $0.timeout = .seconds(1) } },
        Other(testDescription: "headers") { Service("shop", host: "https://a.example") { $0.headers["X-App"] = "1" } },
    ]

    private func client(_ services: [Service]) -> (Client, StubTransport) {
        let stub = StubTransport { _ in .status(.ok) }
        return (Client(transport: .stub(stub), services: services), stub)
    }

    private func isRefused(_ client: Client, _ service: Service) async {
        let error = await #expect(throws: TarmacError.self) { try await client[service].get("/") }
        #expect(error?.code == .invalidOption)
        #expect(error?.reason.contains("\"shop\"") == true)
    }

    @Test(arguments: different) func aCallToAnotherServiceOfTheNameIsRefused(_ other: Other) async throws {
        // The client lists the first service, or has met it with an earlier call.
        for services in [[Self.plain], []] {
            let (client, stub) = client(services)
            try await client[Self.plain].get("/")
            await isRefused(client, other.service())
            try await client[Self.plain].get("/")
            #expect(stub.requests.count == 2)
        }
    }

    @Test(arguments: different) func aClientWithBothIsRefused(_ other: Other) async {
        let (client, stub) = client([Self.plain, other.service()])
        await isRefused(client, Self.plain)
        await isRefused(client, other.service())
        #expect(stub.requests.isEmpty)
    }

    private final class Mark: Interceptor {
        func intercept(_ request: Request, chain: Chain) async throws -> Response { try await chain.proceed(request) }
    }

    /// As an app writes a computed property: each access makes another service, with closures and objects of its own.
    private static var computed: Service {
        let mark = Mark()
        return Service(
            "shop", hosts: [.production: Hosts("https://a.example/v2", cdn: "https://cdn.example"), .test: "https://b.example"],
            connection: ConnectionSettings { $0.connectionsPerHost = 2 }
        ) {
            $0.timeout = .seconds(5)
            $0.headers["X-App"] = "1"
            $0.tags = ["shop"]
            $0.retry = .exponential(maxAttempts: 3)
            $0.cache = .http
            $0.interceptors = [mark]
            $0.observers = [EventRecorder()]
            $0.authenticator = .bearer("t")
            $0.envelope = Envelope(success: { $0["status"] == 1 }, payload: "data")
        }
    }

    @Test func equalServicesAreOne() async throws {
        for services in [[Self.computed], [Self.computed, Self.computed], []] {
            let (client, stub) = client(services)
            for _ in 0..<3 { try await client[Self.computed].get("/x") }
            #expect(stub.requests.count == 3)
        }
    }

    @Test func aServiceWithoutHostsAndSettingsNamesTheOther() async throws {
        let (client, stub) = client([Self.plain])
        try await client[Service("shop", hosts: [:])].get("/x")
        #expect(stub.requests.map(\.url.host) == ["a.example"])
    }

    /// The name of the placeholder for the client's first service.
    @Test func aServiceNamedDefaultIsNotTheFirst() async throws {
        let named = Service("default", host: "https://d.example"), (client, stub) = client([Self.plain, named])
        try await client.get("/x")
        await #expect(throws: TarmacError.self) { try await client[named].get("/x") }
        #expect(stub.requests.map(\.url.host) == ["a.example"])
        let (other, otherStub) = self.client([named])
        try await other[named].get("/x")
        try await other.get("/x")
        #expect(otherStub.requests.map(\.url.host) == ["d.example", "d.example"])
    }
}
