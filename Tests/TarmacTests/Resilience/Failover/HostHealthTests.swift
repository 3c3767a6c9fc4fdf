import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience

/// YTK-3, and field.md §3: a host that failed is passed over for a while, and asked again.
@Suite("Failover: the memory", .timeLimit(.minutes(5)))
struct HostHealthTests {
    private let time = ManualTime()
    private let recorder = EventRecorder()
    private let down = Watched<Set<String>>([])

    private func client(_ stub: StubTransport) -> Client {
        var hosts = Hosts("https://origin.example", cdn: "https://cdn.example")
        hosts[HostKind("eu")] = "https://eu.example"
        return Client(transport: .stub(stub), services: [Service("s", host: hosts)], time: time) {
            $0.host = .cdn
            $0.failover = .through([HostKind("eu"), .origin])
            $0.observers = [recorder]
        }
    }

    private var stub: StubTransport {
        StubTransport { [down] request in
            if down.value.contains(request.url.host) { throw TarmacError(.connectionRefused, phase: .connecting) }
            return .json("{}")
        }
    }

    /// The hosts one call asks.
    private func ask(_ client: Client, _ stub: StubTransport) async -> [String] {
        let before = stub.requests.count
        _ = try? await client.get("/a", as: JSON.self)
        return stub.requests.dropFirst(before).map { String($0.url.host.prefix { $0 != "." }) }
    }

    @Test func aHostIsSkippedLongerWithEachFailure() {
        var health = HostHealth(), now = Moment.now
        var seen: [Bool] = []
        for seconds in [5, 10, 20, 40, 60, 60] {
            health.failed(now)
            seen.append(health.isSkipped(now + .seconds(seconds) - .nanoseconds(1)))
            now = now + .seconds(seconds)
            // One call sees whether it is back, no other.
            seen += [health.isSkipped(now), health.isSkipped(now)]
        }
        #expect(seen == Array(repeating: [true, false, true], count: 6).flatMap(\.self))
        health.answered()
        let isSkipped = health.isSkipped(now)
        #expect(!isSkipped)
    }

    @Test func callsThatFailedTogetherCountOnce() {
        var health = HostHealth(), now = Moment.now
        for _ in 0..<20 { health.failed(now) }
        #expect(health.downUntil == now + .seconds(5))
        now = now + .seconds(5)
        let isSkipped = health.isSkipped(now)
        for _ in 0..<20 { health.failed(now + .seconds(1)) }
        #expect(!isSkipped && health.downUntil == now + .seconds(11))
    }

    @Test(arguments: [([], "abc"), (["a"], "bca"), (["a", "b"], "cab"), (["b"], "abc"), (["a", "b", "c"], "abc")] as [(Set<String>, String)])
    func theFirstThatIsWellGoesFirstAndNoneIsGivenUp(skipped: Set<String>, order: String) throws {
        let bases = try ["a", "b", "c"].map { try HTTPURL("https://\($0)") }
        #expect(HostHealth.order(bases) { skipped.contains($0.host) }.map(\.host).joined() == order)
    }

    @Test func hostsAreAskedInOrderAndThoseThatFailedArePassedOver() async {
        let stub = stub, client = client(stub)
        down.update { $0 = ["cdn.example", "eu.example"] }
        #expect(await ask(client, stub) == ["cdn", "eu", "origin"])
        #expect(await ask(client, stub) == ["origin"])
        #expect(recorder.names.filter { $0 == "hostSkipped" }.count == 1)
        down.update { $0 = [] }
        time.advance(by: .seconds(5))
        #expect(await ask(client, stub) == ["cdn"])
        #expect(await ask(client, stub) == ["cdn"])
    }

    @Test func theMemoryEndsToTheInstantAndIsLongerAfterASecondFailure() async {
        let stub = stub, client = client(stub)
        down.update { $0 = ["cdn.example"] }
        #expect(await ask(client, stub) == ["cdn", "eu"])
        time.advance(by: .milliseconds(4_999))
        #expect(await ask(client, stub) == ["eu"])
        time.advance(by: .milliseconds(1))
        // One call looks, and finds it down still.
        #expect(await ask(client, stub) == ["cdn", "eu"])
        #expect(await ask(client, stub) == ["eu"])
        time.advance(by: .milliseconds(9_999))
        #expect(await ask(client, stub) == ["eu"])
        down.update { $0 = [] }
        time.advance(by: .milliseconds(1))
        #expect(await ask(client, stub) == ["cdn"])
        // It has answered: the next failure is a first one.
        down.update { $0 = ["cdn.example"] }
        #expect(await ask(client, stub) == ["cdn", "eu"])
        time.advance(by: .seconds(5))
        #expect(await ask(client, stub) == ["cdn", "eu"])
    }

    @Test func thereIsSomethingToRememberUntilTheLastHasAnswered() throws {
        let client = client(stub)
        // A client nobody holds shuts its engine down.
        defer { withExtendedLifetime(client) {} }
        let hosts = try client.engine.runtime(.clientDefault).scope.state(HostAvailability.self)
        let origins = try ["https://a.example", "https://b.example"].map { try HTTPURL($0).origin }
        #expect(!hosts.knowsFailures)
        for origin in origins { hosts.noteFailure(of: origin, now: time.moment) }
        hosts.noteAnswer(of: origins[0])
        #expect(hosts.knowsFailures)
        hosts.noteAnswer(of: origins[1])
        #expect(!hosts.knowsFailures)
    }

    @Test func whereAllAreDownEachIsAskedOnceAndNoneForgotten() async {
        let stub = stub, client = client(stub)
        down.update { $0 = ["cdn.example", "eu.example", "origin.example"] }
        #expect(await ask(client, stub) == ["cdn", "eu", "origin"])
        #expect(await ask(client, stub) == ["cdn", "eu", "origin"])
    }

    @Test func aHostWithTLSIsNotPassedOverForOneWithout() async {
        let stub = StubTransport { request in
            if request.url.isSecure { throw TarmacError(.connectionRefused, phase: .connecting) }
            return .json("{}")
        }
        let client = Client(transport: .stub(stub), services: [Service("s", host: Hosts("http://127.0.0.1", cdn: "https://cdn.example"))]) {
            $0.host = .cdn
        }
        for _ in 0..<2 { #expect(await ask(client, stub) == ["cdn"]) }
    }

    @Test func aPostThatMayHaveArrivedStaysButIsRememberedForTheNext() async throws {
        let stub = StubTransport { request in
            if request.url.host == "cdn.example" { throw TarmacError(.connectionLost, phase: .waiting) }
            return .json("{}")
        }
        let client = client(stub)
        _ = await failure { try await client.post("/a", ["n": 1]) }
        try await client.post("/a", ["n": 1])
        #expect(stub.requests.map(\.url.host) == ["cdn.example", "eu.example"])
    }
}
