#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacSupport
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCache
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox

struct ListNotes: Endpoint {
    typealias Value = [Int]
    static let route: Route = .get("/notes")
    func configure(_ options: inout Options) {
        options.cache = .ttl(.seconds(600))
        options.tags = ["notes"]
    }
}

struct DeleteNote: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .delete("/notes/{id}")
    var id: Int
    var stale: [CacheSelection] = [.endpoint(ListNotes.self)]

    init(id: Int, stale: [CacheSelection] = [.endpoint(ListNotes.self)]) { (self.id, self.stale) = (id, stale) }
    func parameters() throws -> ParameterList { ["id": id] }
    func encode(to encoder: any Encoder) throws {}
    func configure(_ options: inout Options) { options.makesStale = stale }
}

/// A server of notes, and a client with an outbox and a cache.
struct NotesRig: Sendable {
    let isOnline = Watched(true)
    /// Whether a GET is answered.
    let isOpen = Watched(true)
    let notes = Locked([1, 2])
    let time = ManualTime(date: Date(timeIntervalSince1970: 1_000_000_000))
    let stub: StubTransport
    let client: Client
    let outbox: Outbox

    init(status: Int = 204, place: CacheStorePlace = .memory, store: any OutboxStore = MemoryOutboxStore()) throws {
        stub = StubTransport { [isOnline, isOpen, notes] request in
            guard isOnline.value else { throw TarmacError(.cannotFindHost, phase: .connecting, "the test says so") }
            if request.method == .delete {
                if status < 300 { notes.withLock { $0.removeAll { request.url.path.hasSuffix("/\($0)") } } }
                return .status(HTTPResponse.Status(code: status))
            }
            let answer = try Response.json(encoding: notes.withLock { $0 })
            try await isOpen.wait { $0 }
            return answer
        }
        client = Client(transport: .stub(stub), services: [Service("notes", host: "https://notes.example/v1")], time: time) { $0.cacheStore = place }
        outbox = try Outbox(client: client, store: store)
    }

    func list() async throws -> (notes: [Int], source: ResponseSource) {
        let landed = try await client.landed(for: ListNotes())
        return (landed.value, landed.source)
    }

    /// Deletes a note without a network, and looks at the list before and after it is there again.
    func deleteOffline(_ change: DeleteNote) async throws {
        #expect(try await list().notes == [1, 2])
        isOnline.update { $0 = false }
        outbox.start()
        let changes = outbox.changes
        let id = try await outbox.enqueue(change)
        #expect(await changes.nextPostponed() != nil)
        let offline = try await list()
        #expect(offline.notes == [1, 2] && offline.source == .cache)
        isOnline.update { $0 = true }
        outbox.connectivityReturned()
        guard case .sent = try await outbox.outcome(of: id) else { return #expect(Bool(false), "it was not sent") }
    }
}

/// A change says which stored responses it makes stale, and an outbox says it when the change has landed.
@Suite("Stored responses that a change makes stale", .timeLimit(.minutes(5)))
struct OutboxStaleTests {
    static let selections: [CacheSelection] = [
        .endpoint(ListNotes.self), .tag("notes"), .urlPrefix("/notes"), .url("/notes"), .urlPrefix("https://notes.example/v1/no"), .service("notes"), .all,
        CacheSelection { ($0.tag, $0.urlPrefix, $0.environment) = ("notes", "/", "production") },
    ]

    @Test(arguments: selections) func whatWasDeletedOfflineLeavesTheList(selection: CacheSelection) async throws {
        let rig = try NotesRig()
        try await rig.deleteOffline(DeleteNote(id: 1, stale: [selection]))
        let list = try await rig.list()
        #expect(list.notes == [2] && list.source == .network)
        #expect(try await rig.list().source == .cache)
    }

    @Test(arguments: [CacheSelection.tag("others"), .urlPrefix("/others"), .endpoint(DeleteNote.self), .url("/note")])
    func othersStayFresh(selection: CacheSelection) async throws {
        let rig = try NotesRig()
        try await rig.deleteOffline(DeleteNote(id: 1, stale: [selection]))
        #expect(try await rig.list().source == .cache)
    }

    @Test func withoutANetworkTheOldListStillServes() async throws {
        let rig = try NotesRig()
        try await rig.deleteOffline(DeleteNote(id: 1))
        rig.isOnline.update { $0 = false }
        #expect(rig.client.cached(ListNotes()) == [1, 2])
        let offline = try await rig.list()
        #expect(offline.notes == [1, 2] && offline.source == .staleCache)
        var sources: [ResponseSource] = []
        do { for try await update in rig.client.updates(ListNotes()) { sources.append(update.source) } } catch is TarmacError {}
        #expect(sources.first == .staleCache)
        rig.isOnline.update { $0 = true }
        #expect(try await rig.list().notes == [2])
        #expect(rig.client.cached(ListNotes()) == [2])
    }

    @Test func aCallThatIsSentAtOnceMakesThemStaleToo() async throws {
        let rig = try NotesRig()
        _ = try await rig.list()
        try await rig.client.send(DeleteNote(id: 1))
        #expect(try await rig.list().notes == [2])
    }

    @Test func aFailureMakesNothingStale() async throws {
        let rig = try NotesRig(status: 422)
        _ = try await rig.list()
        await #expect(throws: TarmacError.self) { try await rig.client.send(DeleteNote(id: 1)) }
        #expect(try await rig.list().source == .cache)
    }

    @Test func aListThatIsOnItsWayIsNotStoredAsCurrent() async throws {
        let rig = try NotesRig()
        rig.isOpen.update { $0 = false }
        async let early = rig.list()
        try await rig.stub.received(count: 1)
        try await rig.client.send(DeleteNote(id: 1))
        rig.isOpen.update { $0 = true }
        #expect(try await early.notes == [1, 2])
        #expect(try await rig.list().notes == [2])
    }

    @Test func aStoreOnDiskMarksThem() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/tarmac-\(UInt64.random(in: .min ... .max))"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rig = try NotesRig(place: .store(FileCacheStore(folder: folder)))
        try await rig.deleteOffline(DeleteNote(id: 1))
        rig.isOnline.update { $0 = false }
        #expect(try await rig.list().source == .staleCache)
        try await rig.client.cache.flush()
        #expect(try await rig.client.cache.entries().map(\.isInvalidated) == [true])
        rig.isOnline.update { $0 = true }
        #expect(try await rig.list().notes == [2])
    }

    /// What cannot be stored with an entry is refused, and not taken as everything.
    @Test(arguments: [
        CacheSelection.entry(7), CacheSelection { $0.olderThan = .distantPast }, .url("notes"), .urlPrefix("ftp://notes.example"),
        .key(CacheKey(service: "s", environment: "e", url: "https://notes.example/")),
    ])
    func aSelectionThatCannotBeStoredIsRefused(selection: CacheSelection) async throws {
        let rig = try NotesRig(), change = DeleteNote(id: 1, stale: [selection])
        let sent = await #expect(throws: TarmacError.self) { try await rig.client.send(change) }
        let enqueued = await #expect(throws: TarmacError.self) { try await rig.outbox.enqueue(change) }
        #expect(sent?.code == .invalidOption && enqueued?.code == .invalidOption)
        #expect(rig.stub.requests.isEmpty)
    }

    /// A later version of the app may know more conditions.
    @Test func aSelectionThatIsNotUnderstoodIsEverything() async throws {
        let rig = try NotesRig()
        _ = try await rig.list()
        try await rig.client.send(DeleteNote(id: 1, stale: [])) { $0[Settings.makesStale] = [#"{"moon":"full"}"#, "no JSON"] }
        #expect(try await rig.list().notes == [2])
    }

    @Test func layersAddUp() {
        var lower = Options(), upper = Options()
        lower.makesStale = [.tag("a")]
        upper.makesStale = [.tag("b"), .tag("a")]
        let both = upper.merged(over: lower)[Settings.makesStale]
        #expect(both == [#"{"tag":"a"}"#, #"{"tag":"b"}"#])
    }
}
