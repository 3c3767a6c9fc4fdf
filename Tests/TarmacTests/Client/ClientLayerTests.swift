import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// State that a room keeps for a service.
private final class Kept: ServiceState {
    init(_ service: ServiceScope) {}
}

// QSP-28: the defaults of all calls can change while the app runs.
@Suite("The client's layer", .timeLimit(.minutes(5)))
struct ClientLayerTests {
    private static func header(_ request: Request) -> String? { request.headers[HeaderName.edition] }
    private enum HeaderName { static let edition = HTTPField.Name("X-Edition") ?? .accept }

    @Test func isReplacedForTheNextCall() async throws {
        let stub = StubTransport { _ in .json(#"{"n":1}"#) }
        let client = Client(stub) { $0.headers["X-Edition"] = "1" }
        try await client.get("/")
        client.options.headers["X-Edition"] = "2"
        try await client.get("/")
        client.options = Options()
        try await client.get("/")
        #expect(stub.requests.map(Self.header) == ["1", "2", nil])
        #expect(client.options.isEmpty)
    }

    @Test func layersAboveStayAboveAndExplainNamesTheNewValue() async throws {
        let service = Service("s", host: "https://s.example") { $0.headers["X-Service"] = "s" }
        let client = Client(transport: .stub { _ in .status(.ok) }, services: [service]) { $0.timeout = .seconds(5) }
        func explained() -> String? { client.explain(.get("/", as: Number.self))["timeout"]?.description }
        #expect(explained()?.hasPrefix("timeout 5 s ← client") == true)
        client.options.timeout = .seconds(7)
        #expect(explained()?.hasPrefix("timeout 7 s ← client") == true)
        #expect(client.explain(.get("/", as: Number.self)) { $0.timeout = .seconds(1) }["timeout"]?.value == "1 s")
        #expect(client.explain(.get("/", as: Number.self))["timeout"]?.origin == .client)
    }

    /// Calls in flight keep their settings, and the pool, the slots and the state of rooms stay.
    @Test func disturbsNothingInFlight() async throws {
        let made = Locked(0), stub = StubTransport { _ in .json(#"{"n":1}"#) }
        let factory = TransportFactory(name: "counted") { _ in
            made.withLock { $0 += 1 }
            return stub
        }
        let client = Client(transport: factory, services: [Service("s", host: "https://s.example")]) { $0.headers["X-Edition"] = "1" }
        stub.hold()
        async let flying = client.get("/old", as: Number.self)
        try await stub.received(count: 1)
        let runtime = try client.engine.runtime(.clientDefault), state = runtime.scope.state(Kept.self)
        client.options.headers["X-Edition"] = "2"
        #expect(try client.engine.runtime(.clientDefault) === runtime && runtime.scope.state(Kept.self) === state)
        #expect(client.engine.callsInFlight.count == 1)
        stub.release()
        _ = try await flying
        try await client.get("/new")
        #expect(stub.requests.map(Self.header) == ["1", "2"] && made.withLock { $0 } == 1)
    }

    /// The service that a call uses first, and that of another environment, get the layer of the time.
    @Test func countsForServicesThatAreMadeLater() async throws {
        let stub = StubTransport { _ in .status(.ok) }
        let service = Service("s", hosts: [.production: "https://s.example", .test: "https://test.example"])
        let client = Client(transport: .stub(stub), services: [service])
        client.options.headers["X-Edition"] = "2"
        try await client.get("/")
        client.environment = .test
        try await client.get("/")
        try await client[Service("late", host: "https://late.example")].get("/")
        #expect(stub.requests.map(Self.header) == ["2", "2", "2"])
    }

    /// Whoever comes last wins, for every service, also for one that was being made meanwhile.
    @Test func theLastValueWinsForEveryService() async throws {
        let stub = StubTransport { _ in .status(.ok) }
        let client = Client(transport: .stub(stub), services: [])
        let services = (0..<8).map { Service("s\($0)", host: "https://s\($0).example") }
        for round in 0..<20 {
            await withTaskGroup(of: Void.self) { group in
                for service in services { group.addTask { _ = try? await client[service].get("/") } }
                for edition in 0..<4 { group.addTask { client.options.headers["X-Edition"] = "\(round).\(edition)" } }
            }
            let last = client.options.headers["X-Edition"], before = stub.requests.count
            for service in services { try await client[service].get("/") }
            #expect(stub.requests.dropFirst(before).allSatisfy { Self.header($0) == last })
        }
    }

    @Test func aBadValueIsReportedByTheNextCallAndCanBeMended() async throws {
        let client = Client(StubTransport { _ in .status(.ok) })
        client.options.maximumBodySize = -1
        #expect(await failure { try await client.get("/") }?.code == .invalidOption)
        client.options.maximumBodySize = nil
        try await client.get("/")
    }
}
