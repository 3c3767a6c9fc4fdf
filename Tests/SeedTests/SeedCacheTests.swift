import Dispatch
import HTTPTypes
import Tarmac
import TarmacCache
import TarmacReform
@_spi(TarmacRooms) import TarmacCore
import TarmacTesting
import Testing

/// Whether this runs on the main queue.
private let mainQueueMark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
}()

/// Notes where it is decoded.
private struct DecodingPlace: Decodable, Sendable {
    let isMain: Bool

    init(from decoder: any Decoder) throws { isMain = DispatchQueue.getSpecific(key: mainQueueMark) == true }
}

/// Notes where it is read.
private final class PlaceStore: CacheStore {
    let base = MemoryCacheStore()
    let isMain = Locked<[Bool]>([])

    var name: String { "places" }
    var isDurable: Bool { false }

    private func note() { isMain.withLock { $0.append(DispatchQueue.getSpecific(key: mainQueueMark) == true) } }

    func lookup(_ key: CacheKey) async throws -> CacheLookup {
        note()
        // Without bodies, which are asked for on their own.
        return CacheLookup(await base.lookup(key).records.map { CacheRecord($0.entry) })
    }
    func body(of entry: CacheEntry) async throws -> ResponseBody? {
        note()
        return await base.body(of: entry)
    }
    func makeWriter(for entry: CacheEntry) async throws -> (any CacheWriter)? { await base.makeWriter(for: entry) }
    func update(_ entry: CacheEntry) async throws -> Bool { await base.update(entry) }
    func remove(_ selection: CacheSelection) async throws -> Int { await base.remove(selection) }
    func list(_ selection: CacheSelection, after id: UInt64?, limit: Int) async throws -> [CacheEntry] {
        await base.list(selection, after: id, limit: limit)
    }
    func statistics() async throws -> CacheStatistics { await base.statistics() }
}

private struct GetPlace: Endpoint {
    typealias Value = DecodingPlace
    static let route: Route = .get("/users/7")
    func configure(_ options: inout Options) { options.cache = .ttl(.seconds(180)) }
}

@Suite("Answers that are kept", .timeLimit(.minutes(5)))
struct SeedCacheTests {
    private struct UserInfo: Endpoint, Encodable {
        typealias Value = User
        static let route: Route = .get("/users/{id}")
        var id: Int
        func configure(_ options: inout Options) { options.cache = .ttl(.seconds(180), version: 2) }
    }

    // LM-1, LM-8, YTK-1, YTK-28: each API says for itself whether its answers are kept, and for how long.
    @Test func anAPISaysWhetherItsAnswersAreKept() async throws {
        let (stub, time) = (StubTransport.user, ManualTime())
        let client = Client(stub, time: time)
        for _ in 0..<3 { _ = try await client.send(UserInfo(id: 7)) }
        #expect(stub.requests.count == 1)
        #expect(try await client.landed(for: UserInfo(id: 7)).source == .cache)
        for _ in 0..<3 { _ = try await client.send(GetUser(id: 7)) }
        #expect(stub.requests.count == 4)
        time.advance(by: .seconds(181))
        #expect(try await client.landed(for: UserInfo(id: 7)).source == .network)
        #expect(stub.requests.count == 5)
    }

    // YTK-28, YTK-B4: without a rule nothing is kept, not even what the server lets be kept; the server's rule is one to choose.
    @Test func withoutARuleNothingIsKept() async throws {
        let stub = StubTransport { _ in .json(#"{"id":7,"name":"ann"}"#, headers: [.cacheControl: "max-age=60"]) }
        let client = Client(stub, time: ManualTime())
        #expect(client.explain(GetUser(id: 7))["cache"]?.value == "off")
        for _ in 0..<2 { _ = try await client.send(GetUser(id: 7)) }
        #expect(stub.requests.count == 2)
        for _ in 0..<2 { _ = try await client.send(GetUser(id: 7)) { $0.cache = .http } }
        #expect(stub.requests.count == 3)
    }

    // YTK-B4, YTK-B18, YTK-28: what the documentation says: nothing is kept unasked, and an answer asked for anew takes the place of the old one.
    @Test func askingAnewStoresWhatIsAnswered() async throws {
        let names = Locked(["new", "old"])
        let stub = StubTransport { _ in .json(#"{"id":7,"name":"\#(names.withLock { $0.removeLast() })"}"#) }
        let client = Client(stub, time: ManualTime())
        #expect(try await client.send(UserInfo(id: 7)).name == "old")
        #expect(try await client.send(UserInfo(id: 7)) { $0.cache = .reload }.name == "new")
        #expect(try await client.send(UserInfo(id: 7)).name == "new")
        #expect(stub.requests.count == 2)
        #expect(client.explain(GetUser(id: 7))["cache"]?.origin == .default)
        // Without a rule each call asks, and what it brings is not kept either.
        names.withLock { $0 = ["fourth", "third"] }
        #expect(try await client.send(GetUser(id: 9)).name == "third")
        #expect(try await client.send(GetUser(id: 9)).name == "fourth")
    }

    // YTK-B3: an answer that was kept passes hooks and presenter as any other does.
    @MainActor @Test func anAnswerThatWasKeptIsPresentedLikeAnyOther() async throws {
        let (stub, told, board) = (StubTransport.user, Locked<[String]>([]), Board())
        let client = Client(stub) {
            $0.hooks = [
                CallHooks(
                    willStart: { _ in told.withLock { $0.append("willStart") } }, willStop: { _, _ in told.withLock { $0.append("willStop") } },
                    didStop: { _, _ in told.withLock { $0.append("didStop") } })
            ]
            $0.presenter = board
        }
        for _ in 0..<2 { _ = try await client.send(UserInfo(id: 7)) }
        #expect(stub.requests.count == 1)
        #expect(told.withLock { $0 } == ["willStart", "willStop", "didStop", "willStart", "willStop", "didStop"])
        #expect(board.lines == ["began", "ended", "began", "ended"])
        // `cached` is no call, and tells none of them.
        #expect(client.cached(UserInfo(id: 7))?.id == 7)
        #expect(told.withLock { $0.count } == 6 && board.lines.count == 4)
        // The stored value of `updates` tells the hooks, and the request after it shows the loading as well.
        var seen: [String] = []
        for try await update in client.updates(UserInfo(id: 7)) {
            seen.append("\(update.source.isCache) \(told.withLock { $0.count }) \(board.lines.count)")
        }
        #expect(seen == ["true 9 4", "false 12 6"])
        #expect(board.lines.suffix(2) == ["began", "ended"])
    }

    // XF-12: so is a payload reformed, and a download written, when the call is made on the main queue.
    @MainActor @Test func aReformerAndADownloadWorkOffTheMainQueue() async throws {
        let (folder, places) = (try TemporaryFolder(), Locked<[Bool]>([]))
        let note: @Sendable () -> Void = { places.withLock { $0.append(DispatchQueue.getSpecific(key: mainQueueMark) == true) } }
        try #require(DispatchQueue.getSpecific(key: mainQueueMark) == true)
        let reformer = FunctionReformer<Int> { _ in
            note()
            return 7
        }
        #expect(try await Client(.user).send(InlineEndpoint.get("/users/7", as: JSON.self).reformed(by: reformer)) == 7)
        #expect(places.withLock { $0 } == [false])
        // Progress is told where the pieces are written.
        let stub = StubTransport { _ in .chunks(["hel", "lo"]) }
        try await Client(stub).send(Download(.get("/f"), to: folder.path("f")), progress: { _ in note() })
        #expect(folder.text("f") == "hello")
        #expect(places.withLock { $0.count > 1 && !$0.contains(true) })
    }

    // XF-12, YTK-B3: an answer is decoded off the main queue, whether it comes from the network or from the cache. `cached` alone, which the
    // first frame of a screen waits for, decodes where it is called. YTK-28: `landed.source` tells which of the two it is.
    @MainActor @Test func anAnswerIsDecodedOffTheMainQueue() async throws {
        let client = Client(.user)
        try #require(DispatchQueue.getSpecific(key: mainQueueMark) == true)
        let (first, second) = (try await client.landed(for: GetPlace()), try await client.landed(for: GetPlace()))
        #expect(first.source == .network && second.source == .cache)
        #expect(!first.value.isMain && !second.value.isMain)
        #expect(client.cached(GetPlace())?.isMain == true)
        // The aggregated exit and an upload land by code of their own, and a call with an owner by a task of its own.
        for _ in 0..<2 {
            let place = try await client.get("/users/8", as: DecodingPlace.self) { $0.cache = .ttl(.seconds(180)) }
            #expect(!place.isMain)
        }
        #expect(try await !client.send(Upload(.bytes(Bytes("a")), to: .put("/photo", as: DecodingPlace.self))).isMain)
        let screen = Screen()
        let owned: Result<DecodingPlace, any Error> = await landing { done in client.start(GetPlace(), owner: screen) { done($1) } }
        #expect(try !owned.get().isMain && screen.landings.isEmpty)
    }

    // YTK-B3: a store is read off the main queue too.
    @MainActor @Test func aStoreIsReadOffTheMainQueue() async throws {
        let (stub, store) = (StubTransport.user, PlaceStore())
        let client = Client(stub) { $0.cacheStore = .store(store) }
        try #require(DispatchQueue.getSpecific(key: mainQueueMark) == true)
        _ = try await client.send(UserInfo(id: 7))
        try await client.cache.flush()
        store.isMain.withLock { $0 = [] }
        #expect(try await client.landed(for: UserInfo(id: 7)).source == .cache)
        // The lookup and the body.
        #expect(store.isMain.withLock { $0 } == [false, false])
        #expect(stub.requests.count == 1)
    }

    // YTK-B3: files that are kept have a limit as well.
    @Test func filesThatAreKeptHaveALimit() async throws {
        let (stub, folder) = (StubTransport.user, try TemporaryFolder())
        let store = try FileCacheStore(folder: folder.path("cache"), limit: 8_000)
        let client = Client(stub) { $0.cacheStore = .store(store) }
        for id in 0..<30 { _ = try await client.send(UserInfo(id: id)) }
        try await client.cache.flush()
        let statistics = try await store.statistics()
        #expect(statistics.entries > 0 && statistics.entries < 30)
        #expect(statistics.bytes > 0 && statistics.bytes <= 8_000 && statistics.evictions > 0)
        try await client.cache.removeAll()
        #expect(try await store.statistics().entries == 0)
        // After a restart too: the files are gone.
        let reopened = try FileCacheStore(folder: folder.path("cache"))
        #expect(try await reopened.statistics().entries == 0)
        let asked = stub.requests.count
        _ = try await Client(stub) { $0.cacheStore = .store(reopened) }.send(UserInfo(id: 29))
        #expect(stub.requests.count == asked + 1)
    }

    // YTK-B3, YTK-38: what is kept has a limit, is counted, and can be thrown away.
    @Test func whatIsKeptHasALimitAndCanBeClearedAway() async throws {
        let stub = StubTransport { _ in .json(#"{"id":7,"name":"ann"}"#) }
        let store = MemoryCacheStore(limit: 8_000)
        let client = Client(stub) { $0.cacheStore = .store(store) }
        for id in 0..<30 { _ = try await client.send(UserInfo(id: id)) }
        try await client.cache.flush()
        let statistics = await store.statistics()
        #expect(statistics.entries > 0 && statistics.entries < 30)
        #expect(statistics.bytes > 0 && statistics.bytes <= 8_000 && statistics.evictions > 0)
        try await client.cache.removeAll()
        let cleared = await store.statistics()
        #expect(cleared.entries == 0 && cleared.bytes == 0)
        // Who says no limit has one: the store in memory of every client, and one in a folder.
        let (plain, folder) = (Client(stub), try TemporaryFolder())
        _ = try await plain.send(UserInfo(id: 7))
        let unset = try await plain.cache.statistics()
        #expect(unset.entries == 1 && unset.limit == 32 << 20)
        #expect(try FileCacheStore(folder: folder.path("cache")).limit == 100 << 20)
    }

    // YTK-33: of the app's time and the server's the shorter counts, whether the server states it as `max-age` or as `Expires`: a longer one
    // of the server's does not lengthen the app's.
    @Test(
        arguments: [
            ([.cacheControl: "max-age=3600"], 180), ([.cacheControl: "max-age=60"], 60),
            ([.expires: "Mon, 01 Jan 2001 01:00:00 GMT"], 180), ([.expires: "Mon, 01 Jan 2001 00:01:00 GMT"], 60),
        ] as [(HTTPFields, Int)])
    func theShorterTimeCounts(headers: HTTPFields, seconds: Int) async throws {
        // The time begins with 2001-01-01 00:00 GMT.
        let (stub, time) = (StubTransport { _ in .json(#"{"id":7,"name":"ann"}"#, headers: headers) }, ManualTime())
        let client = Client(stub, time: time) { $0.cache = .ttl(.seconds(180)) }
        _ = try await client.send(GetUser(id: 7))
        time.advance(by: .seconds(seconds - 1))
        _ = try await client.send(GetUser(id: 7))
        #expect(stub.requests.count == 1)
        time.advance(by: .seconds(2))
        _ = try await client.send(GetUser(id: 7))
        #expect(stub.requests.count == 2)
    }
}
