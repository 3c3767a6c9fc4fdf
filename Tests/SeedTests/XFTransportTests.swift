import Dispatch
import Foundation
import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams
import TarmacTesting
import Testing

/// Holds each caller until as many have come.
private final class Gate: Sendable {
    private let missing: Locked<Int>
    private let count: Int
    private let isOpen = DispatchSemaphore(value: 0)

    init(count: Int) {
        self.count = count
        missing = Locked(count)
    }

    func pass() {
        let isLast = missing.withLock { missing in
            missing -= 1
            return missing == 0
        }
        if isLast { for _ in 0..<count { isOpen.signal() } }
        isOpen.wait()
    }
}

/// Runs each job on a thread of its own, so that one may wait for another.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class OwnQueue: TaskExecutor {
    private let queue = DispatchQueue(label: "own queue")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

@MainActor
@Suite("XFNetwork: a transport for each service", .timeLimit(.minutes(5)))
struct XFTransportTests {
    // XF-6, XF-7, XF-8: each service has a transport of its own settings, made when first needed, however many come at once.
    @Test func aServiceHasOneTransportOfItsOwn() async throws {
        let made = Locked<[(count: Int?, stub: StubTransport)]>([])
        let factory = TransportFactory(name: "counted") { settings in
            let stub = StubTransport.user
            made.withLock { $0.append((settings.connectionsPerHost, stub)) }
            return stub
        }
        // Of transports made at the same moment one is kept: only those that carried a request count.
        func used() -> [[Int]] { made.withLock { $0.map { [$0.count ?? 0, $0.stub.requests.count] }.filter { $0[1] > 0 } } }
        let services = [1, 2].map { (count: Int) in
            Service("s\(count)", host: "https://s.example", connection: ConnectionSettings { $0.connectionsPerHost = count })
        }
        let client = Client(transport: factory, services: services)
        #expect(made.withLock { $0.isEmpty })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { try await client[services[1]].get("/") } }
            try await group.waitForAll()
        }
        #expect(used() == [[2, 100]])
        try await client[services[0]].get("/")
        #expect(used() == [[2, 100], [1, 1]])
    }

    // XF-8, XF-B11, QSP-34; YTK-B14: a call that names no service uses the transport of the first one. Each environment has transports of its own, with
    // the settings of the service.
    @Test func aCallWithoutAServiceUsesTheFirst() async throws {
        let made = Locked<[(count: Int?, stub: StubTransport)]>([])
        let factory = TransportFactory(name: "counted") { settings in
            let stub = StubTransport.user
            made.withLock { $0.append((settings.connectionsPerHost, stub)) }
            return stub
        }
        let first = Service(
            "s1", hosts: [.production: "https://s1.example", .test: "https://test1.example"], connection: ConnectionSettings { $0.connectionsPerHost = 1 })
        let second = Service("s2", host: "https://s2.example", connection: ConnectionSettings { $0.connectionsPerHost = 2 })
        let client = Client(transport: factory, services: [first, second])
        func hosts() -> [[String]] { made.withLock { $0.map { ["\($0.count ?? 0)"] + $0.stub.requests.map(\.url.host) } } }
        try await client.get("/")
        try await client[first].get("/")
        #expect(hosts() == [["1", "s1.example", "s1.example"]])
        try await client[second].get("/")
        #expect(hosts() == [["1", "s1.example", "s1.example"], ["2", "s2.example"]])
        client.environment = .test
        for _ in 0..<2 { try await client.get("/") }
        #expect(hosts() == [["1", "s1.example", "s1.example"], ["2", "s2.example"], ["1", "test1.example", "test1.example"]])
        // Those of the environment that was left are shut down, and made anew when it comes back.
        await eventually { made.withLock({ $0[0].stub.shutdowns + $0[1].stub.shutdowns }) >= 2 }
        client.environment = .production
        for _ in 0..<2 { try await client.get("/") }
        #expect(hosts().count == 4 && hosts().last == ["1", "s1.example", "s1.example"])
    }

    // QSP-34: services of the same settings have a transport each, and an environment may have settings of its own.
    @Test func servicesOfTheSameSettingsHaveATransportEach() async throws {
        let made = Locked<[(count: Int?, stub: StubTransport)]>([])
        let factory = TransportFactory(name: "counted") { settings in
            let stub = StubTransport.user
            made.withLock { $0.append((settings.connectionsPerHost, stub)) }
            return stub
        }
        let (usual, tested) = (ConnectionSettings { $0.connectionsPerHost = 2 }, ConnectionSettings { $0.connectionsPerHost = 3 })
        let services = ["a", "b"].map { name in
            Service(
                name, hosts: [.production: Hosts("https://\(name).example"), .test: Hosts("https://\(name).test.example", connection: tested)],
                connection: usual)
        }
        let client = Client(transport: factory, services: services)
        for environment in [ServiceEnvironment.production, .test] {
            client.environment = environment
            for service in services + services { try await client[service].get("/") }
        }
        let hosts = made.withLock { $0.map { ["\($0.count ?? 0)"] + $0.stub.requests.map(\.url.host) } }
        #expect(
            hosts == [
                ["2", "a.example", "a.example"], ["2", "b.example", "b.example"], ["3", "a.test.example", "a.test.example"],
                ["3", "b.test.example", "b.test.example"],
            ])
    }

    // XF-8, QSP-34, QSP-B13: streams that are read as sequences share one transport more, whatever each sets.
    @Test func streamsShareOneTransportMore() async throws {
        let (made, given) = (Locked<[StubTransport]>([]), Locked<[ConnectionSettings]>([]))
        let factory = TransportFactory(name: "counted") { settings in
            let stub = StubTransport { _ in .text("a\nb\n") }
            made.withLock { $0.append(stub) }
            given.withLock { $0.append(settings) }
            return stub
        }
        let connection = ConnectionSettings {
            $0.connectionsPerHost = 2
            $0.trust = .insecureAcceptAnyCertificate
            $0.insecurelySkipsHostName = true
        }
        let hosts: [ServiceEnvironment: Hosts] = [.production: "https://s.example", .test: "https://test.example"]
        let plain = Service("plain", host: "https://plain.example")
        let client = Client(transport: factory, services: [Service("s", hosts: hosts, connection: connection), plain])
        try await client.get("/call")
        for minutes in 1...2 {
            var lines: [String] = []
            for try await line in client.lines(.get("/lines"), configure: { $0.connectTimeout = .minutes(minutes) }) { lines.append(line) }
            #expect(lines == ["a", "b"])
        }
        try await client.get("/call")
        #expect(made.withLock { $0.map { $0.requests.map(\.url.path) } } == [["/call", "/call"], ["/lines", "/lines"]])
        // Both are made of the settings of the service, and shut down when the environment is left.
        #expect(given.withLock { $0 } == [connection, connection])
        client.environment = .test
        await eventually { made.withLock({ $0.map(\.shutdowns) }) == [1, 1] }
        // Without a number of connections, a service has one for each of its streams.
        try await client[plain].get("/call")
        for try await _ in client.lines(.get("/lines").on(plain)) {}
        #expect(given.withLock { $0[2...].map(\.connectionsPerHost) } == [nil, 4096])
    }

    // YTK-B14: transports that are made anew have the policy of the service, and calls the serializer and the observers of the client.
    @Test func aNewTransportLosesNoSetting() async throws {
        let (made, stubs, measured) = (Locked<[ConnectionSettings]>([]), Locked<[StubTransport]>([]), Locked<Set<String>>([]))
        let factory = TransportFactory(name: "counted") { settings in
            let stub = StubTransport.user
            made.withLock { $0.append(settings) }
            stubs.withLock { $0.append(stub) }
            return stub
        }
        let policy = ConnectionSettings { ($0.trust, $0.insecurelySkipsHostName) = (.insecureAcceptAnyCertificate, true) }
        let service = Service("s", hosts: [.production: "https://s.example", .test: "https://test.example"], connection: policy)
        let client = Client(transport: factory, services: [service]) {
            $0.bodyFormat = .form
            $0.observers = [.closure { event in if case .attemptStarted(let request, _) = event.kind { measured.withLock { _ = $0.insert(request) } } }]
        }
        try await client.post("/", ["a": 1])
        client.environment = .test
        try await client.post("/", ["a": 1])
        #expect(made.withLock { $0 } == [policy, policy])
        #expect(stubs.withLock { $0 }.flatMap(\.requests).map(\.text) == ["a=1", "a=1"])
        #expect(measured.withLock { $0.count } == 2)
    }

    // YTK-B14: a client knows a service by its name: other hosts or settings that come later under that name are refused, those under another
    // name, or of another client, are not.
    @Test func aServiceIsKnownByItsName() async throws {
        let made = Locked<[(count: Int?, stub: StubTransport)]>([])
        let factory = TransportFactory(name: "counted") { settings in
            let stub = StubTransport.user
            made.withLock { $0.append((settings.connectionsPerHost, stub)) }
            return stub
        }
        func service(_ name: String, _ count: Int) -> Service {
            Service(name, host: Hosts("https://\(name)\(count).example"), connection: ConnectionSettings { $0.connectionsPerHost = count })
        }
        let client = Client(transport: factory, services: [])
        for late in [service("a", 1), service("a", 1), service("b", 2)] { try await client[late].get("/") }
        let error = await #expect(throws: TarmacError.self) { try await client[service("a", 2)].get("/") }
        #expect(error?.code == .invalidOption)
        #expect(made.withLock { $0.map(\.count) } == [1, 2])
        #expect(made.withLock { $0.map { $0.stub.requests.map(\.url.host) } } == [["a1.example", "a1.example"], ["b2.example"]])
        try await Client(transport: factory, services: [])[service("a", 2)].get("/")
        #expect(made.withLock { $0.last?.stub.requests.map(\.url.host) } == ["a2.example"])
    }

    // XF-8: without any service a full URL has a transport all the same, one for all such calls.
    @Test func aFullURLNeedsNoService() async throws {
        let made = Locked<[StubTransport]>([])
        let factory = TransportFactory(name: "counted") { _ in
            let stub = StubTransport.user
            made.withLock { $0.append(stub) }
            return stub
        }
        let client = Client(transport: factory, services: [])
        for host in ["a.example", "b.example"] { try await client.get("https://\(host)/f") }
        #expect(made.withLock { $0.map { $0.requests.map(\.url.host) } } == [["a.example", "b.example"]])
    }

    // XF-B6: two streams that find no transport each make one. Both get the same, and the other is shut down unused.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func transportsOfStreamsMadeAtOnceLeaveOne() async throws {
        let gate = Gate(count: 2)
        let made = Locked<[StubTransport]>([])
        let live = LiveTransport {
            let stub = StubTransport.user
            made.withLock { $0.append(stub) }
            gate.pass()
            return stub
        }
        let streams = (0..<2).map { _ in Task.detached(executorPreference: OwnQueue()) { try await live.transport() as? StubTransport } }
        let found = [try await streams[0].value, try await streams[1].value]
        try #require(found[0] != nil && found[0] === found[1])
        let spare = made.withLock { $0.filter { $0 !== found[0] } }
        #expect(spare.map(\.shutdowns) == [1] && found[0]?.shutdowns == 0)
        await live.shutdown()
        #expect(made.withLock { $0.map(\.shutdowns) } == [1, 1])
    }

    // XF-B6: services that nobody listed are registered once, however many calls name them at once.
    @Test func aServiceThatManyCallsNameIsOne() async throws {
        let (made, late) = (Locked<[StubTransport]>([]), Service("late", host: "https://late.example"))
        let factory = TransportFactory(name: "counted") { _ in
            let stub = StubTransport.user
            made.withLock { $0.append(stub) }
            return stub
        }
        let client = Client(transport: factory, services: [])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { try await client[late].get("/") } }
            try await group.waitForAll()
        }
        // Of transports made at the same moment one is kept.
        #expect(made.withLock { $0.map(\.requests.count).filter { $0 > 0 } } == [100])
    }

    // XF-B6: two threads that find no transport each make one. Both get the same, and the other carries nothing and is shut down.
    @Test func transportsMadeAtOnceLeaveOne() async throws {
        let gate = Gate(count: 2)
        let made = Locked<[StubTransport]>([])
        let factory = TransportFactory(name: "gated") { _ in
            let stub = StubTransport.user
            made.withLock { $0.append(stub) }
            gate.pass()
            return stub
        }
        let client = Client(transport: factory, services: [Service("s", host: "https://s.example")])
        let found = Watched<[ServiceRuntime?]>([])
        for _ in 0..<2 {
            Thread.detachNewThread {
                let runtime = try? client.engine.runtime(.clientDefault)
                found.update { $0.append(runtime) }
            }
        }
        let runtimes = try await found.wait { $0.count == 2 }
        #expect(made.withLock { $0.count } == 2)
        try #require(runtimes[0] != nil && runtimes[0] === runtimes[1])
        for _ in 0..<10 { try await client.get("/") }
        #expect(made.withLock { $0.map(\.requests.count).sorted() } == [0, 10])
        let spare = try #require(made.withLock { $0.first { $0.requests.isEmpty } })
        await eventually { spare.shutdowns != 0 }
        #expect(made.withLock { $0.map(\.shutdowns).sorted() } == [0, 1])
    }
}
