import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCache
@testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams

/// RFC 9111 §4.4: what a change on the server makes doubtful is not used any more, whatever the changing call's own settings.
@Suite("Changes and purging", .timeLimit(.minutes(5)))
struct CacheChangeTests {
    private static let fresh: HTTPFields = [.cacheControl: "max-age=60"]

    /// GET counts; anything else answers as told.
    private func stub(_ status: Int = 200, _ headers: HTTPFields = [:]) -> StubTransport {
        let count = Watched(0)
        return StubTransport { request in
            guard request.method == .get else { return .status(.init(code: status), headers: headers) }
            let n = count.update {
                $0 += 1
                return $0
            }
            return .json(#"{"n":\#(n)}"#, headers: Self.fresh)
        }
    }

    private func client(_ stub: StubTransport, _ configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(stub) {
            ($0.cache, $0.redirects) = (.http, .off)
            ($0.timeout, $0.idleTimeout) = (.seconds(120), .seconds(120))
            configure(&$0)
        }
    }

    private func change(_ client: Client, _ method: String, _ path: String = "/n", _ configure: (inout Options) -> Void = { _ in }) async throws {
        let request = Request(HTTPRequest.Method(method) ?? .post, try HTTPURL("https://s.example\(path)"), body: .text("x"))
        _ = try? await client.send(raw: request) { configure(&$0) }
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "FROBNICATE"], [CacheRule.off, .http, .ttl(.seconds(60)), .reload, .onlyCached])
    func aChangeCountsWhateverItsOwnSetting(method: String, rule: CacheRule) async throws {
        let stub = stub(), client = client(stub)
        #expect(try await client.get("/n", as: Number.self).n == 1)
        // A POST under the app's own terms is a question; one that may not be sent changes nothing.
        try await change(client, method) { $0.cache = rule }
        let isSent = stub.requests.count == 2
        #expect(try await client.get("/n", as: Number.self).n == (isSent ? 2 : 1))
    }

    @Test(arguments: [(200, 2), (201, 2), (204, 2), (303, 2), (400, 1), (404, 1), (409, 1), (500, 1), (503, 1)])
    func onlyOneThatSucceeds(status: Int, expected: Int) async throws {
        let client = client(stub(status))
        _ = try await client.get("/n", as: Number.self)
        try await change(client, "PUT") { $0.cache = .off }
        #expect(try await client.get("/n", as: Number.self).n == expected)
    }

    @Test(arguments: [HTTPField.Name.location, .contentLocation], [CacheRule.off, .http])
    func whatItNamesToo(field: HTTPField.Name, rule: CacheRule) async throws {
        let client = client(stub(201, [field: "/n"]))
        _ = try await client.get("/n", as: Number.self)
        try await change(client, "POST", "/others") { $0.cache = rule }
        #expect(try await client.get("/n", as: Number.self).n == 2)
    }

    @Test func notElsewhere() async throws {
        let client = client(stub(201, [.location: "https://other.example/n"]))
        _ = try await client.get("/n", as: Number.self)
        try await change(client, "POST", "/others") { $0.cache = .off }
        #expect(try await client.get("/n", as: Number.self).n == 1)
    }

    /// One user's change makes another's answer doubtful, and what stands in another store.
    @Test func whosever() async throws {
        let store = GatedStore(), client = client(stub())
        _ = try await client.get("/n", as: Number.self) { $0.principal = "ann" }
        _ = try await client.get("/n", as: Number.self) { $0.cacheStore = .store(store) }
        try await change(client, "DELETE") { ($0.principal, $0.cache) = ("bob", .off) }
        #expect(try await client.get("/n", as: Number.self) { $0.principal = "ann" }.n == 3)
        #expect(try await client.get("/n", as: Number.self) { $0.cacheStore = .store(store) }.n == 4)
    }

    /// What was asked for before a change, or a purge, and arrives behind it is delivered, not stored.
    @Test(arguments: [true, false])
    func aStreamThatIsOvertakenIsNotStored(purges: Bool) async throws {
        let client = client(StubTransport { _ in .chunks(["one ", "two"], headers: Self.fresh) })
        let text = try await client.stream(.get("/n", as: String.self)) { response in
            var text = ""
            for try await chunk in response.body {
                text += String(decoding: chunk.array, as: UTF8.self)
                if text == "one " { try await overtake(client, purges) }
            }
            return text
        }
        #expect(text == "one two")
        #expect(try await client.cache.statistics().entries == 0)
    }

    /// Whoever logs out while an answer is on its way, with nothing stored yet, leaves none behind.
    @Test(arguments: Purge.allCases)
    func anAnswerThatIsOvertakenByAPurgeIsNotStored(purge: Purge) async throws {
        let stub = stub(), client = client(stub)
        stub.hold()
        func get() async throws -> Int { try await client.get("/n", as: Number.self) { $0.principal = "ann" }.n }
        let call = Task { try await get() }
        try await stub.received(count: 1)
        #expect(try await purge.run(client.cache) == 0)
        stub.release()
        #expect(try await call.value == 1)
        #expect(try await get() == 2)
        #expect(try await get() == 2)
    }

    private func overtake(_ client: Client, _ purges: Bool) async throws {
        if purges { try await client.cache.removeAll() } else { try await change(client, "PUT") { $0.cache = .off } }
    }

    @Test func changesAreRemembered() {
        var changes = RecentChanges()
        let before = changes.latest
        changes.note(["a"])
        #expect(changes.isChanged("a", since: before) && !changes.isChanged("b", since: before) && !changes.isChanged("a", since: changes.latest))
        let between = changes.latest
        changes.noteAll()
        #expect(changes.isChanged("b", since: between) && !changes.isChanged("b", since: changes.latest))
        let mark = changes.latest
        for index in 0..<5000 { changes.note(["\(index)"]) }
        // More than is remembered: rather too much than too little.
        #expect(changes.isChanged("0", since: mark) && changes.isChanged("4999", since: mark))
    }

    // MARK: The app's own terms

    /// What replaces, patches or deletes is sent each time.
    @Test(arguments: ["PUT", "PATCH", "DELETE", "FROBNICATE"])
    func whatChangesIsNeverAnsweredFromTheCache(method: String) async throws {
        let stub = stub(), client = client(stub) { $0.cache = .ttl(.seconds(60)) }
        for _ in 1...2 { try await change(client, method) }
        #expect(stub.requests.count == 2)
    }

    @Test func concurrentQuestionsMakeOneRequest() async throws {
        let recorder = EventRecorder()
        let stub = StubTransport { _ in .json(#"{"n":1}"#) }
        stub.hold()
        let client = client(stub) {
            ($0.cache, $0.observers) = (.ttl(.seconds(3600)) { $0.ignoredArguments = ["nonce"] }, [recorder])
            $0.idempotencyKey = .automatic
        }
        @Sendable func ask(_ nonce: Int, _ query: String) async throws -> String? {
            let request = Request(
                .post, try HTTPURL("https://s.example/search?nonce=\(nonce)"), headers: [.contentType: "application/json"],
                body: .text(#"{"q":"\#(query)","nonce":\#(nonce)}"#))
            return try await client.send(raw: request).headers[.cacheStatus]
        }
        let calls = (0..<20).map { nonce in Task { try await ask(nonce, "a") } }
        let other = Task { try await ask(0, "b") }
        await eventually { recorder.names.filter { $0 == "coalesced" }.count == 19 }
        try await stub.received(count: 2)
        stub.release()
        for call in calls + [other] { _ = try await call.value }
        #expect(stub.requests.count == 2)
        #expect(try await ask(99, "a")?.contains("hit") == true)
    }

    /// A condition on a POST would be refused with 412 (RFC 9110 §13.1.2).
    @Test func aQuestionIsAskedWithoutConditions() async throws {
        let time = ManualTime()
        let stub = StubTransport { _ in .json(#"{"n":1}"#, headers: [.eTag: "\"e\""]) }
        let client = Client(stub, time: time) { $0.cache = .ttl(.seconds(60)) }
        for _ in 1...2 {
            try await change(client, "POST")
            time.advance(by: .seconds(61))
        }
        #expect(stub.requests.count == 2)
        #expect(stub.requests.allSatisfy { $0.headers[.ifNoneMatch] == nil })
    }

    @Test func aQuestionMayChangeWhatGetBrings() async throws {
        let client = client(stub()) { $0.cache = .ttl(.seconds(60)) }
        _ = try await client.get("/n", as: Number.self)
        try await change(client, "POST")
        #expect(try await client.get("/n", as: Number.self).n == 2)
    }

    // MARK: Purging

    enum Purge: CaseIterable {
        case url, prefix, tag, service, serviceValue, principal, principalSelection, all
        func run(_ cache: ClientCache) async throws -> Int {
            switch self {
            case .url: try await cache.remove(.url("https://s.example/n"))
            case .prefix: try await cache.remove(.urlPrefix("https://s.example/"))
            case .tag: try await cache.remove(.tag("feed"))
            case .service: try await cache.remove(.service("s"))
            case .serviceValue: try await cache.remove(CacheSelection { ($0.service, $0.environment) = ("s", "production") })
            case .principal: try await cache.remove(.principal("ann"))
            case .principalSelection: try await cache.remove(.principal("ann"))
            case .all: try await cache.remove(.all)
            }
        }
    }

    /// Purging has nothing to do with a call's own setting: here no call has the cache on but the one that stored.
    @Test(arguments: Purge.allCases, [false, true])
    func purgingWorksWhereTheCacheIsOff(purge: Purge, isDurable: Bool) async throws {
        let store = GatedStore()
        let client = client(stub()) { $0.cache = .off }
        func get() async throws -> Int {
            try await client.get("/n", as: Number.self) {
                ($0.cache, $0.principal, $0.tags) = (.http, "ann", ["feed"])
                if isDurable { $0.cacheStore = .store(store) }
            }.n
        }
        #expect(try await get() == 1)
        #expect(try await get() == 1)
        #expect(try await purge.run(client.cache) == 1)
        #expect(try await client.cache.statistics().entries == 0)
        #expect(try await get() == 2)
    }

    /// Law 7: nobody else's.
    @Test func purgingSomebodyLeavesOthers() async throws {
        let client = client(stub())
        func get(_ name: String, _ token: String? = nil) async throws -> Int {
            try await client.get("/n", as: Number.self) {
                $0.principal = name
                if let token { $0.headers["Authorization"] = token }
            }.n
        }
        #expect(try await get("ann") == 1)
        #expect(try await get("ann", "Bearer hunter2") == 2)
        #expect(try await get("anna") == 3)
        #expect(try await client.cache.remove(.principal("ann")) == 2)
        #expect(try await get("anna") == 3)
        #expect(try await get("ann") == 4)
        #expect(try await get("ann", "Bearer hunter2") == 5)
        let texts = try await client.cache.entries().map(\.key.principal)
        #expect(texts.allSatisfy { !$0.contains("hunter2") })
    }
}
