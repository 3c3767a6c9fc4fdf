import HTTPTypes
import Tarmac
import TarmacJSON
import TarmacResumableUpload
import TarmacStreams
import TarmacTesting
import Testing

@_spi(TarmacRooms) @testable import TarmacCache
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox
@testable import TarmacTransfer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Law 10 for arguments: lengths, limits, times and names that mean nothing are refused by their name, before anything is
/// sent or stored.
@Suite("Law 10: arguments that mean nothing", .timeLimit(.minutes(5)))
struct Law10ArgumentTests {
    private static let forever = Duration.seconds(Int64.max) * 4

    private func refused(_ code: TarmacError.Code, naming name: String, _ call: (Client) async throws -> Void) async {
        let stub = StubTransport { _ in .json("[1]") }
        let error = await failure(name) { try await call(Client(stub)) }
        #expect(error?.code == code)
        #expect(error?.reason.contains(name) == true, "\(error as Any)")
        #expect(stub.requests.isEmpty && error?.attempts == 0)
    }

    // MARK: Bodies

    @Test(arguments: [-1, Int64.min])
    func aBodyHasNoNegativeLength(length: Int64) async {
        let body = Body.stream(ByteStream { Nothing() }, length: length)
        await refused(.invalidParameter, naming: "length") { try await $0.send(Upload(body, to: .post("/"))) }
        await refused(.invalidParameter, naming: "length") { client in
            _ = try await client.send(raw: Request(.post, try HTTPURL("https://s.example/"), body: body))
        }
    }

    @Test(arguments: [-1, Int64.min, .max])
    func aPartHasAPossibleLength(length: Int64) {
        let error = #expect(throws: TarmacError.self) {
            _ = try Body.multipart([.field("a", "b"), .stream("photo", ByteStream { Nothing() }, length: length, fileName: "f")])
        }
        #expect(error?.code == .invalidParameter && error?.reason.contains("length") == true && error?.reason.contains("photo") == true)
    }

    // MARK: Pages

    typealias Numbers = Paging<InlineEndpoint<[Int]>>

    @Test(arguments: [0, -1, .min])
    func pagesHaveASizeAndALimit(number: Int) async {
        for paging in [Numbers.pageNumber("p", size: number), .offset("p", size: number)] {
            await refused(.invalidOption, naming: "size") { _ = try await $0.pages(of: .get("/", as: [Int].self), by: paging).collected() }
        }
        await refused(.invalidOption, naming: "limit") { _ = try await $0.pages(of: .get("/", as: [Int].self), limit: number).collected() }
    }

    /// The place of the next page would be larger than a number can be.
    @Test(arguments: [Numbers.pageNumber("p", first: .max), .offset("p", first: .max), .offset("p", first: 1) { _ in .max }])
    func aPlaceThatIsNoNumberIsNamed(paging: Numbers) async {
        let stub = StubTransport { _ in .json("[1]") }
        let error = await failure { _ = try await Client(stub).pages(of: .get("/", as: [Int].self), by: paging).collected() }
        #expect(error?.code == .invalidParameter && error?.reason.contains("\"p\"") == true, "\(error as Any)")
        #expect(stub.requests.count == 1)
    }

    @Test(arguments: [Numbers.pageNumber("p") { _ in -1 }, .offset("p") { _ in .min }])
    func aPageOfLessThanNothingIsTheLast(paging: Numbers) async throws {
        let stub = StubTransport { _ in .json("[1]") }
        #expect(try await Client(stub).pages(of: .get("/", as: [Int].self), by: paging).collected().count == 1)
    }

    // MARK: Outbox

    @Test(arguments: [Duration.zero, .seconds(-1), forever, .zero - forever])
    func anEntryHasAPossibleLifetime(lifetime: Duration) async throws {
        let rig = try OutboxRig()
        let error = await failure { try await rig.outbox.enqueue(CreateOrder(number: 1), lifetime: lifetime) }
        #expect(error?.code == .invalidOption && error?.reason.contains("lifetime") == true)
        #expect(try await rig.stored().isEmpty)
    }

    @Test func aLaneHasAName() async throws {
        let rig = try OutboxRig()
        let error = await failure { try await rig.outbox.enqueue(CreateOrder(number: 1), lane: "") }
        #expect(error?.code == .invalidOption && error?.reason.contains("lane") == true)
        #expect(try await rig.stored().isEmpty)
    }

    @Test func anOutboxMayGiveItsRequestsAllTimeToEnd() async throws {
        let stub = StubTransport { _ in .status(.ok) }
        stub.hold()
        let client = Client(transport: .stub(stub), services: [OutboxRig.shop])
        let outbox = try Outbox(client: client, store: MemoryOutboxStore())
        outbox.start()
        try await outbox.enqueue(CreateOrder(number: 1))
        _ = try await stub.received()
        async let shutdown: Void = outbox.shutdown(grace: Self.forever)
        for _ in 0..<100 { await Task.yield() }
        stub.release()
        await shutdown
        #expect(try await outbox.entries().isEmpty)
        withExtendedLifetime(client) {}
    }

    @Test(arguments: [0, -1, .min])
    func aListWithoutRoomIsEmpty(limit: Int) async throws {
        let rig = try OutboxRig()
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        #expect(try await rig.outbox.entries(limit: limit).isEmpty)
        for place in [nil, Folder()] {
            let store: any CacheStore = try place.map { try FileCacheStore(folder: $0.path) } ?? MemoryCacheStore()
            let client = Client(StubTransport { _ in .text("a", headers: [.cacheControl: "max-age=60"]) }) {
                ($0.cache, $0.cacheStore) = (.http, .store(store))
            }
            _ = try await client.get("/", as: String.self)
            try await client.cache.flush()
            #expect(try await client.cache.entries().count == 1)
            #expect(try await client.cache.entries(limit: limit).isEmpty)
        }
    }

    // MARK: Cache

    @Test func entriesAreSelectedByURLsInAnyForm() async throws {
        let client = Client(StubTransport { _ in .text("a", headers: [.cacheControl: "max-age=60"]) }) { $0.cache = .http }
        for path in ["/n", "/m"] { _ = try await client.get(path, as: String.self) }
        #expect(try await client.cache.entries(.url("HTTPS://S.example:443/n")).count == 1)
        #expect(try await client.cache.remove(.url("HTTPS://S.example:443/n")) == 1)
        for selection in [CacheSelection.url("s.example/m"), .url("/m"), .url(""), .urlPrefix("s.example/"), .urlPrefix("/m")] {
            let error = await failure { try await client.cache.remove(selection) }
            #expect(error?.code == .invalidURL)
            #expect(await failure { _ = try await client.cache.entries(selection) }?.code == .invalidURL)
        }
        #expect(try await client.cache.remove(.urlPrefix("HTTPS://S.example/")) == 1)
        #expect(try await client.cache.remove(.urlPrefix("")) == 0)
    }

    @Test func aStoreMayKeepItsFilesForever() async throws {
        let folder = Folder(), store = try FileCacheStore(folder: folder.path, maximumAge: Self.forever)
        let client = Client(StubTransport { _ in .text("a", headers: [.cacheControl: "max-age=60"]) }) { ($0.cache, $0.cacheStore) = (.http, .store(store)) }
        _ = try await client.get("/", as: String.self)
        try await client.cache.flush()
        #expect(try await client.cache.entries().count == 1)
    }

    // MARK: Others

    @Test func aServiceHasAName() async {
        let stub = StubTransport { _ in .status(.ok) }
        let error = await failure { try await Client(transport: .stub(stub), services: [Service("", host: "https://s.example")]).get("/") }
        #expect(error?.code == .invalidOption && error?.reason.contains("name") == true)
        #expect(stub.requests.isEmpty)
    }

    @Test(arguments: [-1, Int.min])
    func anInteropVersionIsNoNegativeNumber(version: Int) async {
        await refused(.invalidOption, naming: "interopVersion") { client in
            _ = try await client.send(Upload(.data(Data([1]), name: "f"), to: .post("/"), by: .ietf { $0.interopVersion = version }))
        }
    }

    @MainActor @Test(arguments: [forever, .zero - forever])
    func aCallMayWaitForTheEndOfTypingForever(pause: Duration) async throws {
        let stub = StubTransport { _ in .json(#"{"n":1}"#) }, landings = Watched<[String]>([]), owner = Owner(landings)
        let slot = CallSlot(.debounce(pause)), client = Client(stub)
        #expect(slot.start(.get("/", as: Number.self), on: client, owner: owner) { $0.land($1) })
        if pause > .zero { slot.cancel() }
        try await landings.wait { !$0.isEmpty }
        #expect(landings.value == [pause > .zero ? "cancelled" : "value"])
        withExtendedLifetime(client) {}
    }
}

private final class Nothing: ByteStreamSource {
    func next() async -> Bytes? { nil }
}

/// A folder that goes with its last user.
private final class Folder: Sendable {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-law10-\(UInt64.random(in: .min ... .max))").path
    deinit { try? FileManager.default.removeItem(atPath: path) }
}
