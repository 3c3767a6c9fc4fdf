import HTTPTypes
import Tarmac
import TarmacReform
@_spi(TarmacRooms) import TarmacCore
import TarmacJSON
import TarmacTesting
import TarmacXML
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a transport is told of a call besides its request.
private final class ListeningTransport: Transport {
    let name = "listening"
    let capabilities: TransportCapabilities = [.networkAccess]
    let told = Locked<[(CallPriority, NetworkAccess)]>([])

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        told.withLock { $0.append((exchange.priority, exchange.networkAccess)) }
        return .json("{}")
    }

    func shutdown() async {}
}

@Suite("YTKNetwork: what it configures", .timeLimit(.minutes(5)))
struct YTKSettingsTests {
    private let stub = StubTransport.user

    private func url(_ route: String, below base: String = "https://s.example/v1/", _ configure: (inout Options) -> Void = { _ in }) throws -> String {
        let base = Service("app", hosts: [.production: Hosts(base, cdn: "https://cdn.example")])
        let client = Client(transport: .stub(stub), services: [base]) { $0.urlFilters = [.filter { url, _ in url.adding(query: "v", "3") }] }
        return try client.request(for: .get(route, as: JSON.self), configure: configure).url.string
    }

    // YTK-2: a path goes below the base with one slash between them, whichever of them has one, and a full URL takes the place of the
    // base.
    @Test(
        arguments: [
            ("/users", "https://s.example/v1/users?v=3"), ("users", "https://s.example/v1/users?v=3"),
            ("https://cdn.example/f", "https://cdn.example/f?v=3"), ("https://other.example/f", "https://other.example/f"),
        ], ["https://s.example/v1", "https://s.example/v1/"])
    func aPathIsBelowTheBaseAndAFullURLStandsAlone(route: (String, String), base: String) throws {
        #expect(try url(route.0, below: base) == route.1)
    }

    // YTK-2: a sub-path goes between the base and the path of the request, and not into a full URL.
    @Test(arguments: ["/x", "x"])
    func aSubPathIsBelowTheBaseToo(subPath: String) throws {
        #expect(try url("/users") { $0.subPath = subPath } == "https://s.example/v1/x/users?v=3")
        #expect(try url("https://s.example/f") { $0.subPath = subPath } == "https://s.example/f?v=3")
    }

    // YTK-2, XF-4: a request has a base of its own by naming another service.
    @Test func aRequestMayNameAnotherBase() async throws {
        struct Elsewhere: Endpoint {
            typealias Value = Void
            static let service = Service("other", host: "https://other.example")
            static let route: Route = .get("/f")
        }
        let client = Client(transport: .stub(stub), services: [Service("app", host: "https://s.example"), Elsewhere.service])
        try await client.send(Elsewhere())
        try await client.get("/f")
        #expect(stub.requests.map(\.url.host) == ["other.example", "s.example"])
    }

    // YTK-3: the origin unless a request or the client says the CDN, which is replaced by the origin where it cannot be reached and
    // `failover` does not say otherwise.
    @Test func theCDNIsForThoseThatSaySo() async throws {
        #expect(try url("/f") == "https://s.example/v1/f?v=3")
        #expect(try url("/f") { $0.host = .cdn } == "https://cdn.example/f?v=3")
        let stub = StubTransport { request in
            if request.url.host == "cdn.example" { throw TarmacError(.connectionRefused, phase: .connecting) }
            return .json("{}")
        }
        let client = Client(transport: .stub(stub), services: [Service("app", host: Hosts("https://s.example", cdn: "https://cdn.example"))]) { $0.host = .cdn }
        try await client.get("/f")
        #expect(stub.requests.map(\.url.host) == ["cdn.example", "s.example"])
        // A call may do without the origin, or without the CDN.
        await #expect(throws: TarmacError.self) { try await client.get("/f") { ($0.host, $0.failover) = (.cdn, .off) } }
        try await client.get("/f") { $0.host = .origin }
        #expect(stub.requests.dropFirst(2).map(\.url.host) == ["cdn.example", "s.example"])
        // A request with another CDN names the service that has it.
        let other = Service("other", host: Hosts("https://o.example", cdn: "https://cdn.other.example"))
        try await client[other].get("/f")
        #expect(stub.requests.last?.url.string == "https://cdn.other.example/f")
    }

    // YTK-4, QSP-1, QSP-B2: a request without a limit of its own ends after 60 s, and one with its own after that.
    @Test(arguments: [(nil, 60), (.seconds(5), 5)] as [(TimeLimit?, Int)])
    func aRequestEndsAfterItsLimit(limit: TimeLimit?, seconds: Int) async throws {
        let time = ManualTime()
        let client = Client(stub, time: time) { ($0.connectTimeout, $0.idleTimeout) = (.unlimited, .unlimited) }
        stub.hold()
        let call = Task { try await client.get("/slow") { $0.timeout = limit } }
        try await stub.received()
        try await time.hasSleepers()
        #expect(time.nextDeadline == .seconds(seconds))
        time.advance(by: .seconds(120))
        let error = await #expect(throws: TarmacError.self) { try await call.value }
        #expect(error?.code == .timeout)
    }

    // YTK-8: an answer as its bytes, as text, as JSON, as a model, or as XML.
    @Test func theAnswerIsWhatTheCallAsksFor() async throws {
        #expect(try await Client(stub).get("/", as: Data.self) == Data(#"{"id":7,"name":"ann"}"#.utf8))
        #expect(try await Client(stub).get("/", as: String.self) == #"{"id":7,"name":"ann"}"#)
        #expect(try await Client(stub).get("/", as: JSON.self) == ["id": 7, "name": "ann"])
        #expect(try await Client(stub).get("/", as: User.self).name == "ann")
        let xml = StubTransport { _ in .bytes(Bytes("<user id=\"7\"><name>ann</name></user>"), contentType: "application/xml") }
        let tree = try await Client(xml).send(InlineEndpoint(.get("/"), landing: .xmlTree))
        #expect(tree[attribute: "id"] == "7" && tree.child("name")?.text == "ann")
    }

    // YTK-13, YTK-14: cellular access is allowed and priority is normal unless a layer says otherwise; the transport is told both.
    @Test func networkAndPriorityReachTheTransport() async throws {
        let transport = ListeningTransport()
        let client = Client(transport: TransportFactory(name: "listening") { _ in transport }, services: [Service("s", host: "https://s.example")])
        try await client.get("/")
        for priority in [CallPriority.low, .high] {
            try await client.get("/") {
                $0.priority = priority
                $0.networkAccess = NetworkAccess(allowsCellular: false)
            }
        }
        let told = transport.told.withLock { $0 }
        #expect(told.map(\.0) == [.normal, .low, .high])
        #expect(told.map(\.1.allowsCellular) == [true, false, false])
    }

    // YTK-18: tag and user info come back with the landing, and the answer gives its parts.
    @Test func aCallIsLabelledAndItsAnswerHasParts() async throws {
        enum Origin: UserInfoKey { typealias Value = String }
        let stub = StubTransport { _ in .json(#"{"id":7,"name":"ann"}"#, headers: [.eTag: "\"1\""]) }
        let labels = Locked<[String]>([])
        let client = Client(stub) {
            $0.hooks = [CallHooks(didStop: { call, _ in labels.withLock { $0 = call.tags.map(\.description) + [call.userInfo[Origin.self] ?? ""] } })]
        }
        let landed = try await client.landed(for: GetUser(id: 7)) {
            $0.tags = ["profile"]
            $0.userInfo[Origin.self] = "home"
        }
        #expect(labels.withLock { $0 } == ["profile", "home"])
        #expect(landed.status == .ok && landed.headers[.eTag] == "\"1\"" && landed.value.id == 7)
        #expect(try landed.json["name"].string == "ann")
        #expect(try landed.reformed(by: FunctionReformer { try $0.text }) == #"{"id":7,"name":"ann"}"#)
        #expect(landed.response.body.collected == Bytes(#"{"id":7,"name":"ann"}"#))
        // A failure has them too.
        let refused = StubTransport { _ in .text("no such user", status: .notFound) }
        let error = await #expect(throws: TarmacError.self) { try await Client(refused).send(GetUser(id: 7)) }
        #expect(error?.status == .notFound && error?.response?.body == Bytes("no such user"))
    }

    // YTK-18, LM-4: a delegate is held weakly, and the call tells whether it flies and how it ended.
    @MainActor @Test func aDelegateIsWeakAndTheCallKnowsItsState() async throws {
        @MainActor final class Delegate: LifetimeOwner, CallDelegate {
            nonisolated let lifetime = Lifetime()
            var landings = 0
            func callDidLand(_ call: AnyCall) { landings += 1 }
        }
        let client = Client(stub)
        stub.hold()
        var delegate: Delegate? = Delegate()
        weak let left = delegate
        let call = client.call(GetUser(id: 7), delegate: delegate!)
        call.start()
        try await stub.received()
        #expect(call.isFlying && call.error == nil)
        call.cancel()
        await eventually { delegate?.landings != 0 }
        #expect(!call.isFlying && call.error is CancellationError)
        delegate = nil
        #expect(left == nil)
        // A delegate that goes while the call flies is not kept either: it goes at once, and ends the call with it.
        var second: Delegate? = Delegate()
        weak let gone = second
        let flying = client.call(GetUser(id: 8), delegate: second!)
        flying.start()
        try await stub.received(count: 2)
        #expect(flying.isFlying)
        second = nil
        #expect(gone == nil)
        try await stub.isIdle()
        #expect(flying.result == nil)
    }

    // YTK-18: a call has one listener: a delegate, or a closure. What YTKNetwork's block did after the delegate, a hook does.
    @MainActor @Test func aHookComesAfterTheDelegate() async throws {
        @MainActor final class Delegate: LifetimeOwner, CallDelegate {
            nonisolated let lifetime = Lifetime()
            let told: Locked<[String]>
            init(_ told: Locked<[String]>) { self.told = told }
            func callDidLand(_ call: AnyCall) { told.withLock { $0.append("delegate \(call.hasSucceeded)") } }
        }
        let stub = StubTransport { request in request.url.path.hasSuffix("7") ? .json(#"{"id":7,"name":"ann"}"#) : .status(.notFound) }
        let (client, told) = (Client(stub), Locked<[String]>([]))
        let delegate = Delegate(told)
        for id in [7, 8] {
            let call = client.call(GetUser(id: id), delegate: delegate) {
                $0.hooks = [
                    .onMainActor(didStop: { [told] _, outcome in
                        MainActor.assertIsolated()
                        told.withLock { $0.append("block \(outcome.word)") }
                    })
                ]
            }
            call.start()
            let count = 2 * (id - 6)
            await eventually { told.withLock({ $0.count }) >= count }
        }
        #expect(told.withLock { $0 } == ["delegate true", "block success", "delegate false", "block failure"])
    }

    // YTK-20, YTK-21, BQ-8: a class of requests has hooks for success and failure, in the background and on the main actor, after those of
    // the layers below; a failure brings its code and the answer. An interceptor of the class sees the answer of either before them.
    @MainActor @Test func aTypeOfRequestsHasHooks() async throws {
        struct Hooked: Endpoint, Encodable {
            typealias Value = User
            static let route: Route = .get("/users/{id}")
            var id: Int
            let told: Locked<[String]>
            enum CodingKeys: String, CodingKey { case id }
            func configure(_ options: inout Options) {
                options.hooks = [
                    CallHooks(willStop: { [told] _, outcome in told.withLock { $0.append("background \(outcome.word)\(outcome.detail)") } }),
                    .onMainActor(willStop: { [told] _, outcome in
                        MainActor.assertIsolated()
                        told.withLock { $0.append("main \(outcome.word)") }
                    }),
                ]
                options.interceptors = [
                    Intercepting { [told] request, chain in
                        let response = try await chain.proceed(request)
                        told.withLock { $0.append("intercepted \(response.status.code)") }
                        return response
                    }
                ]
            }
            func didLand(_ landed: Landed<User>) async throws { told.withLock { $0.append("landed") } }
        }
        let (stub, told) = (
            StubTransport { request in request.url.path.hasSuffix("7") ? .json(#"{"id":7,"name":"ann"}"#) : .text("no such user", status: .notFound) },
            Locked<[String]>([])
        )
        let client = Client(stub) { $0.hooks = [CallHooks("all", willStop: { [told] _, outcome in told.withLock { $0.append("all \(outcome.word)") } })] }
        _ = try await client.send(Hooked(id: 7, told: told))
        #expect(told.withLock { $0 } == ["intercepted 200", "landed", "all success", "background success 200", "main success"])
        _ = try? await client.send(Hooked(id: 8, told: told))
        let failed = ["intercepted 404", "all failure", "background failure unacceptableStatus no such user", "main failure"]
        #expect(Array(told.withLock { $0 }.dropFirst(5)) == failed)
    }

    // YTK-23: one is cancelled or all are; each hears of it once, as a cancellation and never as a success or a failure.
    @MainActor @Test func oneOrAllAreCancelled() async throws {
        let (client, screen) = (Client(stub), Screen())
        stub.hold()
        let handles = (1...3).map { client.start(GetUser(id: $0), owner: screen) { $0.userLanded($1) } }
        try await stub.received(count: 3)
        handles[0].cancel()
        await eventually { !screen.landings.isEmpty }
        #expect(stub.inFlight == 2)
        client.cancelAll()
        await eventually { screen.landings.count >= 3 }
        try await stub.isIdle()
        stub.release()
        for _ in 0..<50 { await Task.yield() }
        #expect(screen.landings.count == 3 && screen.landings.allSatisfy { $0.error is CancellationError })
    }

    // YTK-23: a delegate stays after a stop, and hears of it once, as a cancellation: it is not cut off as YTKNetwork's is.
    @MainActor @Test func aDelegateHearsOfAStopOnce() async throws {
        @MainActor final class Delegate: LifetimeOwner, CallDelegate {
            nonisolated let lifetime = Lifetime()
            var landings: [String] = []
            func callDidLand(_ call: AnyCall) {
                landings.append(call.hasSucceeded ? "success" : call.error is CancellationError ? "cancelled" : "failure")
            }
        }
        let (client, delegate) = (Client(stub), Delegate())
        stub.hold()
        let call = client.call(GetUser(id: 7), delegate: delegate)
        call.start()
        try await stub.received()
        call.cancel()
        await eventually { !delegate.landings.isEmpty }
        // Its answer is still held.
        try await stub.isIdle()
        stub.release()
        for _ in 0..<50 { await Task.yield() }
        #expect(delegate.landings == ["cancelled"])
        // It is still the delegate of the next start.
        call.start()
        await eventually { delegate.landings.count >= 2 }
        #expect(delegate.landings == ["cancelled", "success"])
    }

    // YTK-27: addresses, a chain of filters, connection, cache folder, log and measures belong to a client; nothing is logged unasked.
    @Test func theWholeConfigurationBelongsToAClient() async throws {
        let (made, lines, kinds, folder) = (Locked<[ConnectionSettings]>([]), Locked<[String]>([]), Locked<[String]>([]), try TemporaryFolder())
        let stub = stub
        let factory = TransportFactory(name: "counted") { settings in
            made.withLock { $0.append(settings) }
            return stub
        }
        let connection = ConnectionSettings {
            $0.connectionsPerHost = 3
            $0.insecurelySkipsHostName = true
        }
        let service = Service("app", host: Hosts("https://s.example", cdn: "https://cdn.example"), connection: connection)
        let store = try FileCacheStore(folder: folder.path("cache"))
        let client = Client(transport: factory, services: [service]) {
            $0.urlFilters = [.filter { url, _ in url.adding(query: "v", "3") }, .filter { url, _ in url.adding(query: "lang", "zh") }]
            ($0.cacheStore, $0.cache) = (.store(store), .ttl(.seconds(60)))
            $0.observers = [
                ConsoleLogger { line in lines.withLock { $0.append(line) } }, .closure { event in kinds.withLock { $0.append("\(event.kind)") } },
            ]
        }
        try await client.get("/a")
        try await client.get("/a") { $0.host = .cdn }
        #expect(stub.requests.map(\.url.string) == ["https://s.example/a?v=3&lang=zh", "https://cdn.example/a?v=3&lang=zh"])
        #expect(made.withLock { $0 } == [connection])
        #expect(lines.withLock { $0 }.contains { $0.contains("← 200") })
        #expect(kinds.withLock { $0 }.contains { $0.hasPrefix("landed") })
        try await client.cache.flush()
        #expect(try await store.statistics().entries == 2 && folder.names == ["cache"])
    }

    // YTK-27: filters are an array: a layer empties its own, and leaves those of the layers below.
    @Test func aLayerEmptiesItsOwnFilters() throws {
        let client = Client(stub) {
            $0.urlFilters = [.filter { url, _ in url.adding(query: "v", "3") }]
            $0.urlFilters = []
        }
        #expect(try client.request(for: GetUser(id: 7)).url.string == "https://s.example/v1/users/7")
        let filtered = Client(stub) { $0.urlFilters = [.filter { url, _ in url.adding(query: "v", "3") }] }
        #expect(try filtered.request(for: GetUser(id: 7)) { $0.urlFilters = [] }.url.string == "https://s.example/v1/users/7?v=3")
        let longer = try filtered.request(for: GetUser(id: 7)) { $0.urlFilters.append(.filter { url, _ in url.adding(query: "lang", "zh") }) }
        #expect(longer.url.string == "https://s.example/v1/users/7?v=3&lang=zh")
    }

    // YTK-27: measures come with the events: how long the whole call took. Nobody observes a call unasked, and a log says nothing once it is
    // taken out.
    @Test func measuresAreEventsAndNothingIsLoggedUnasked() async throws {
        let (time, spans, lines) = (ManualTime(), Locked<[Duration]>([]), Locked<[String]>([]))
        let stub = StubTransport { _ in
            time.advance(by: .seconds(2))
            return .json("{}")
        }
        func client(logs: Bool) -> Client {
            Client(stub, time: time) {
                $0.observers = [.closure { event in if case .landed(_, let duration) = event.kind { spans.withLock { $0.append(duration) } } }]
                if logs { $0.observers.append(ConsoleLogger { line in lines.withLock { $0.append(line) } }) }
            }
        }
        try await client(logs: false).get("/")
        #expect(spans.withLock { $0 } == [.seconds(2)] && lines.withLock { $0.isEmpty })
        try await client(logs: true).get("/")
        #expect(!lines.withLock { $0.isEmpty })
        let observers = Client(stub).explain(GetUser(id: 7))["observers"]
        #expect(observers?.origin == .default && observers?.value == "none")
    }

    // YTK-33: one URL has an answer that is kept by the app's rule and another by the server's, side by side; neither disturbs the other.
    @Test func theAppsCacheAndTheServersStandSideBySide() async throws {
        let (count, time) = (Locked(0), ManualTime())
        let stub = StubTransport { _ in .json(#"{"id":\#(count.withLock { $0 += 1; return $0 }),"name":"ann"}"#, headers: [.cacheControl: "max-age=10"]) }
        let client = Client(stub, time: time)
        func id(_ rule: CacheRule) async throws -> Int { try await client.get("/users/7", as: User.self) { $0.cache = rule }.id }
        let long = CacheRule.ttl(.seconds(180)) { $0.overridesServer = true }
        #expect(try await [id(long), id(.http)] == [1, 2])
        #expect(try await [id(long), id(.http)] == [1, 2])
        time.advance(by: .seconds(11))
        // The server's term is over, that of the app is not.
        #expect(try await [id(long), id(.http)] == [1, 3])
        #expect(try await [id(long), id(.http)] == [1, 3])
        #expect(stub.requests.count == 3)
    }
}

extension CallOutcome {
    fileprivate var word: String { if case .landed = self { "success" } else { "failure" } }

    /// The status of a success; code and answer of a failure.
    fileprivate var detail: String {
        switch self {
        case .landed(_, let response): response.map { " \($0.status.code)" } ?? ""
        case .failed(let error): " \(error.code) \(error.response.map { String(decoding: $0.body.array, as: UTF8.self) } ?? "")"
        case .cancelled: ""
        }
    }
}
