import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience
import TarmacStreams
@testable import TarmacTransfer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// YTK-3: a CDN that cannot be reached is replaced by the origin, once, for all to see.
@Suite("Failover: CDN to origin", .timeLimit(.minutes(5)))
struct FailoverTests {
    private static let service = Service(
        "s",
        hosts: [
            .production: Hosts("https://s.example/api", cdn: "https://cdn.example"), .test: "https://test.example",
        ]
    ) {
        $0.headers["Authorization"] = "Bearer hunter2"
    }

    /// A stub whose CDN fails.
    private func stub(_ failure: TarmacError = TarmacError(.connectionRefused, phase: .connecting)) -> StubTransport {
        StubTransport { request in
            if request.url.host == "cdn.example" { throw failure }
            return .json("{}")
        }
    }

    private func client(_ stub: StubTransport, _ environment: ServiceEnvironment = .production, configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(transport: .stub(stub), services: [Self.service], environment: environment, configure: configure)
    }

    // YTK-3
    @Test func aCDNThatRefusesIsReplacedByTheOrigin() async throws {
        let stub = stub(), recorder = EventRecorder()
        let client = client(stub) { $0.observers = [recorder] }
        let landed = try await client.landed(for: .get("/a", ["token": "hunter2"], as: JSON.self)) { $0.host = .cdn }
        #expect(stub.requests.map(\.url.string) == ["https://cdn.example/a?token=hunter2", "https://s.example/api/a?token=hunter2"])
        #expect(landed.attempts == 2)
        #expect(landed.url.host == "s.example")
        let told = recorder.events.compactMap { event -> (String, TarmacError.Code)? in
            if case .stage(ResilienceEvent.failedOver(let to, let error)) = event.kind { (to, error.code) } else { nil }
        }
        #expect(told.count == 1 && told[0] == ("https://s.example/api/a?token=‹masked›", .connectionRefused))
        #expect(
            recorder.names.filter { $0 == "attemptStarted" || $0 == "attemptFailed" || $0 == "failedOver" }
                == ["attemptStarted", "attemptFailed", "failedOver", "attemptStarted"])
    }

    @Test func bothHostsAreTheServicesAndGetItsCredentials() async throws {
        let stub = stub()
        _ = try await client(stub).get("/a", as: JSON.self) { $0.host = .cdn }
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer hunter2", "Bearer hunter2"])
    }

    @Test func whereARedirectLedIsNotReplacedAndGetsNoCredentials() async throws {
        let stub = StubTransport { request in
            if request.url.host == "cdn.example" { return .status(.found, headers: [.location: "https://else.example/a"]) }
            throw TarmacError(.connectionRefused, phase: .connecting)
        }
        let error = await failure { _ = try await client(stub).get("/a", as: JSON.self) { $0.host = .cdn } }
        #expect(error?.code == .connectionRefused)
        #expect(stub.requests.map(\.url.host) == ["cdn.example", "else.example"])
        #expect(stub.requests[1].headers[.authorization] == nil)
    }

    @Test func theOriginIsAskedOnce() async throws {
        let stub = StubTransport { _ in throw TarmacError(.connectionRefused, phase: .connecting) }
        let error = await failure { _ = try await client(stub).get("/a", as: JSON.self) { $0.host = .cdn } }
        #expect(error?.code == .connectionRefused && error?.attempts == 2)
        #expect(stub.requests.count == 2)
    }

    @Test(arguments: [TarmacError.Code.untrustedCertificate, .timeout, .malformedResponse])
    func anotherFailureIsTheCalls(code: TarmacError.Code) async throws {
        let stub = stub(TarmacError(code, phase: .connecting))
        let error = await failure { _ = try await client(stub).get("/a", as: JSON.self) { $0.host = .cdn } }
        #expect(error?.code == code && error?.attempts == 1)
    }

    @Test func aPostTheCDNMayHaveActedOnIsNotSentAgain() async throws {
        let stub = stub(TarmacError(.connectionLost, phase: .waiting))
        let error = await failure { _ = try await client(stub).post("/a", ["n": 1], as: JSON.self) { $0.host = .cdn } }
        #expect(error?.code == .connectionLost && stub.requests.count == 1)
    }

    @Test func anAnswerIsAnAnswerWhateverItsStatus() async throws {
        let stub = StubTransport { _ in .status(HTTPResponse.Status(code: 503)) }
        let error = await failure { _ = try await client(stub).get("/a", as: JSON.self) { $0.host = .cdn } }
        #expect(error?.code == .unacceptableStatus && stub.requests.count == 1)
    }

    // YTK-3: `.off`: the CDN alone is asked.
    @Test func offMeansTheCDNOrNothing() async throws {
        let stub = stub()
        let error = await failure {
            _ = try await client(stub).get("/a", as: JSON.self) {
                $0.host = .cdn
                $0.failover = .off
            }
        }
        #expect(error?.code == .connectionRefused && error?.attempts == 1)
    }

    // YTK-3: `.toOrigin`: any other host is replaced by the origin as the CDN is.
    @Test func hostsThatAreNoCopiesFallBackOnlyWhenToldTo() async throws {
        var hosts = Hosts("https://s.example")
        hosts[HostKind("uploads")] = "https://cdn.example"
        let stub = stub()
        let client = Client(transport: .stub(stub), services: [Service("s", host: hosts)]) { $0.host = HostKind("uploads") }
        let error = await failure { _ = try await client.get("/a", as: JSON.self) }
        #expect(error?.attempts == 1)
        _ = try await client.get("/a", as: JSON.self) { $0.failover = .toOrigin }
        #expect(stub.requests.last?.url.host == "s.example")
    }

    @Test func anEnvironmentWithoutACDNIsAskedAtItsOrigin() async throws {
        let stub = stub()
        _ = try await client(stub, .test).get("/a", as: JSON.self) { $0.host = .cdn }
        #expect(stub.requests.map(\.url.string) == ["https://test.example/a"])
        let error = await failure {
            _ = try await client(stub, .test).get("/a", as: JSON.self) {
                $0.host = .cdn
                $0.failover = .off
            }
        }
        #expect(error?.code == .missingHost)
    }

    @Test func streamsAndDownloadsFallBackToo() async throws {
        let stub = StubTransport { request in
            if request.url.host == "cdn.example" { throw TarmacError(.connectionRefused, phase: .connecting) }
            return .text("hello")
        }
        let client = client(stub)
        let count = try await client.stream(.get("/a"), configure: { $0.host = .cdn }) { response in
            try await response.body.reduce(0) { $0 + $1.count }
        }
        #expect(count == 5)
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UInt64.random(in: .min ... .max))").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await client.send(Download(InlineEndpoint<Void>.get("/a"), to: path)) { $0.host = .cdn }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 5)
    }

    @Test func aCancelledCallAsksNobodyElse() async throws {
        let stub = stub()
        stub.hold()
        let client = client(stub)
        let call = Task { try await client.get("/a", as: JSON.self) { $0.host = .cdn } }
        try await stub.received(count: 1)
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(stub.requests.count == 1)
    }

    @Test func aCallPastItsDeadlineAsksNobodyElse() async throws {
        let time = ManualTime()
        let stub = StubTransport { _ in
            time.advance(by: .seconds(10))
            throw TarmacError(.connectionRefused, phase: .connecting)
        }
        let client = Client(transport: .stub(stub), services: [Self.service], time: time) { $0.host = .cdn }
        let error = await failure { _ = try await client.get("/a", as: JSON.self) { $0.deadline = .seconds(5) } }
        #expect(error?.code == .deadlineExceeded && stub.requests.count == 1)
    }

    @Test func aSlotHeldByTheFirstIsGivenBackBeforeTheSecond() async throws {
        let stub = stub()
        let client = Client(transport: .stub(stub), services: [Self.service], concurrency: 1)
        // The second and the third pass the CDN over.
        for _ in 0..<3 { _ = try await client.get("/a", as: JSON.self) { $0.host = .cdn } }
        #expect(stub.requests.count == 4)
    }

    @Test func withoutACDNThereIsNoStageForIt() throws {
        #expect(hasStage(FailoverInterceptor.self) == false)
        #expect(hasStage(FailoverInterceptor.self, configure: { $0.host = .cdn }) == true)
    }

    @Test func aHostThatWasStoredByItsNameFallsBackAsBefore() {
        #expect(hasStage(FailoverInterceptor.self, configure: { $0.host = .named("cdn") }) == true)
        #expect(hasStage(FailoverInterceptor.self, configure: { $0.host = .named("eu") }) == false)
    }

    @Test func aLayerAboveTheCDNsTakesItsFailoverAway() async throws {
        let stub = stub(), client = Client(transport: .stub(stub), services: [Self.service]) { $0.host = .cdn }
        _ = try await client.get("/a", as: JSON.self)
        #expect(stub.requests.count == 2)
        let error = await failure { _ = try await client.get("/b", as: JSON.self) { ($0.host, $0.failover) = (.cdn, .off) } }
        #expect(error?.code == .connectionRefused && stub.requests.count == 3)
        let explained = client.explain(InlineEndpoint<Void>.get("/a"))["failover"]
        #expect(explained.map { "\($0)" } == "failover from the CDN to the origin ← default")
    }
}
