import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams

@Suite("Law 7: nothing is global", .timeLimit(.minutes(5)))
struct Law7Tests {
    private static let service = Service(
        "s", hosts: [.production: "https://live.example", .test: "https://test.example", .local: "http://127.0.0.1:1"])

    @Test func twoClientsNeverAffectEachOther() async throws {
        let (left, right) = (StubTransport { _ in .status(.ok) }, StubTransport { _ in .status(.ok) })
        let recorder = EventRecorder()
        let one = Client(transport: .stub(left), services: [Self.service], environment: .test, concurrency: 1) {
            $0.headers["X-One"] = "1"
            $0.userAgent = "one"
            $0.secretNames = ["one"]
            $0.observers.append(recorder)
        }
        let two = Client(transport: .stub(right), services: [Self.service], environment: .production)
        left.hold()
        let held = Task { try await one.get("/held", ["one": 1]) }
        try await left.received(count: 1)
        // A full lane, a switch and the end of one are nothing to the other.
        try await two.get("/a", ["one": 1])
        one.environment = .local
        try await two.get("/b")
        await one.shutdown()
        await #expect(throws: TarmacError.self) { try await held.value }
        try await two.get("/c")
        #expect(two.environment == .production)
        #expect(right.requests.map(\.url.host) == ["live.example", "live.example", "live.example"])
        #expect(right.requests.allSatisfy { $0.headers[.userAgent] == UserAgent.standard.text })
        #expect(right.requests.allSatisfy { !$0.headers.contains(HTTPField.Name("X-One")!) })
        #expect(two.explain(InlineEndpoint<Void>.get("/", ["one": 1])).request == "GET https://live.example/?one=1")
        #expect(recorder.events.allSatisfy { $0.endpoint == "GET /held" })
    }

    @Test func servicesOfOneClientKeepTheirSettingsTransportsAndLanesApart() async throws {
        let stub = StubTransport { _ in .status(.ok) }
        let made = Watched<[ConnectionSettings]>([])
        let factory = TransportFactory(name: "counting") { settings in
            made.update { $0.append(settings) }
            return try TransportFactory.stub(stub).makeTransport(settings)
        }
        let one = Service("one", host: "https://one.example", connection: .init { $0.connectionsPerHost = 1 }) { $0.headers["X-A"] = "1" }
        let two = Service("two", host: "https://two.example", connection: .init { $0.connectionsPerHost = 2 })
        let client = Client(transport: factory, services: [one, two], concurrency: 1)
        stub.hold()
        let held = Task { try await client[one].get("/") }
        try await stub.received(count: 1)
        let second = Task { try await client[two].get("/") }
        try await stub.received(count: 2)
        stub.release()
        _ = try await (held.value, second.value)
        #expect(made.value.map(\.connectionsPerHost) == [1, 2])
        #expect(stub.requests.map { $0.headers[HTTPField.Name("X-A")!] } == ["1", nil])
    }

    @Test func aSwitchIsSeenByTheNextCallAndDisturbsNoneInFlight() async throws {
        let stub = StubTransport { .text($0.url.host) }
        let client = Client(transport: .stub(stub), services: [Self.service], environment: .production)
        stub.hold()
        let inFlight = Task { try await client.get("/", as: String.self) }
        try await stub.received(count: 1)
        client.environment = .test
        let next = Task { try await client.get("/", as: String.self) }
        try await stub.received(count: 2)
        #expect(stub.shutdowns == 0)
        stub.release()
        #expect(try await inFlight.value == "live.example")
        #expect(try await next.value == "test.example")
        await eventually { stub.shutdowns == 1 }
    }

    @Test func theOldPoolRetiresAfterItsLastBody() async throws {
        let stub = StubTransport { _ in .chunks(["a", "b", "c"]) }
        let client = Client(transport: .stub(stub), services: [Self.service], environment: .production)
        try await client.stream(.get("/stream")) { response in
            var chunks = response.body.makeAsyncIterator()
            _ = try await chunks.next()
            client.environment = .test
            try await client.get("/other")
            #expect(stub.shutdowns == 0)
            var rest = 0
            while let chunk = try await chunks.next() { rest += chunk.count }
            #expect(rest == 2)
        }
        await eventually { stub.shutdowns == 1 }
    }

    @Test func aCallQueuedBeforeASwitchStillGoesWhereItWasMade() async throws {
        let stub = StubTransport { .text($0.url.host) }
        let recorder = EventRecorder()
        let client = Client(transport: .stub(stub), services: [Self.service], concurrency: 1) { $0.observers.append(recorder) }
        stub.hold()
        let calls = (0..<2).map { _ in Task { try await client.get("/", as: String.self) } }
        try await recorder.received { if case .queued = $0.kind { true } else { false } }
        client.environment = .test
        stub.release()
        for call in calls { #expect(try await call.value == "live.example") }
        #expect(try await client.get("/", as: String.self) == "test.example")
    }
}
