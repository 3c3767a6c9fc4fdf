import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// Clients that share a token store, such as those of an app and its extension.
@Suite("Token stores that are shared", .timeLimit(.minutes(5)))
struct SharedStoreTests {
    private let server = TokenServer(), ends = Watched<[LogOutReason]>([])
    private let folder = NSTemporaryDirectory() + "shared-tokens-\(UUID().uuidString)"
    private let key = TokenKey(service: "s", environment: "production")

    /// A store of an app, which has no lock.
    private struct Plain: TokenStore {
        let memory = MemoryTokenStore()
        func token(for key: TokenKey) -> AccessToken? { memory.token(for: key) }
        func save(_ token: AccessToken, for key: TokenKey) { memory.save(token, for: key) }
        func removeToken(for key: TokenKey) { memory.removeToken(for: key) }
    }

    enum Kind: Sendable, CaseIterable { case file, memory, own }

    private func store(_ kind: Kind) -> any TokenStore {
        switch kind {
        case .file: FileTokenStore(folder: folder)
        case .memory: MemoryTokenStore()
        case .own: Plain()
        }
    }

    private func client(
        _ store: any TokenStore, rule: RefreshRule = RefreshRule(), time: any TimeSource = .system,
        answer: (@Sendable (Request) async throws -> Response)? = nil
    ) -> Client {
        let stub = StubTransport(answer: answer ?? { [server] in try await server.answer($0) })
        return Client(transport: .stub(stub), services: [TokenServer.service], time: time) { [ends] in
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store, rule: rule) { _, reason in
                ends.update { $0.append(reason) }
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func aTokenThatAnotherClientHasRefreshedIsTaken(kind: Kind) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = store(kind), app = client(store), other = client(store)
        try await app.logIn(TokenServer.login())
        try await other.get("/a")
        for round in 1...3 {
            server.expire()
            try await app.get("/b")
            try await other.get("/c")
            #expect(server.refreshes == round)
        }
        #expect(server.faults == [] && ends.value == [])
        #expect(try await store.token(for: key)?.refreshToken == "refresh-3")
    }

    @Test(arguments: [Kind.file, .memory])
    func clientsThatNeedATokenAtOnceRefreshOnce(kind: Kind) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = store(kind), clients = (0..<4).map { _ in client(store) }
        try await clients[0].logIn(TokenServer.login())
        for client in clients { try await client.get("/a") }
        for _ in 1...5 {
            server.expire()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 { group.addTask { try await clients[number % 4].get("/\(number)") } }
                try await group.waitForAll()
            }
        }
        #expect(server.refreshes == 5 && server.faults == [] && ends.value == [])
    }

    /// The other client's answer came while this one's was under way, in a store without a lock.
    @Test func aRefusedTokenIsReplacedByTheNewerOneAndRemovesNothing() async throws {
        let store = Plain(), key = key
        let app = client(store) { request in
            guard request.url.path == "/token" else { return request.headers[.authorization] == "Bearer newer" ? .status(.ok) : .status(.unauthorized) }
            let old = store.token(for: key)
            store.save(AccessToken("newer", refreshToken: "newer-r", account: old?.account), for: key)
            return .json(#"{"error":"invalid_grant"}"#, status: .badRequest)
        }
        try await app.logIn(TokenServer.login())
        try await app.get("/a")
        #expect(store.token(for: key)?.refreshToken == "newer-r" && ends.value == [])
    }

    /// A server of tokens was restarted from a snapshot, or a replica that lags took its place.
    @Test(arguments: Kind.allCases)
    func anEntryThatWasReplacedBeforeIsNoNewerOne(kind: Kind) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = store(kind), app = client(store), other = client(store)
        try await app.logIn(TokenServer.login())
        let old = try #require(try await store.token(for: key))
        server.expire()
        try await app.get("/a")
        try await other.get("/a")
        server.expire()
        try await other.get("/b")
        try await app.get("/b")
        try await store.save(old, for: key)
        server.expire()
        try await app.get("/c")
        try await other.get("/c")
        #expect(server.faults == [] && ends.value == [] && server.refreshes == 3)
        #expect(try await store.token(for: key)?.refreshToken == "refresh-3")
    }

    @Test(arguments: Kind.allCases)
    func aLogOutElsewhereEndsTheLoginAtItsNextRefresh(kind: Kind) async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = store(kind), app = client(store), other = client(store)
        try await app.logIn(TokenServer.login())
        try await other.get("/a")
        try await app.logOut()
        server.expire()
        #expect(await failure { try await other.get("/b") }?.code == .loggedOut)
        #expect(server.refreshes == 0)
        #expect(try await store.token(for: key) == nil)
        // And a log-in elsewhere begins one.
        server.state.withLock { $0.usesLeft = .max }
        try await app.logIn(TokenServer.login())
        try await other.get("/c")
    }

    /// Law 7: no call is sent again with the credentials of another account.
    @Test func anotherAccountElsewhereEndsTheCallsOfThisOne() async throws {
        let store = MemoryTokenStore(), app = client(store), other = client(store)
        try await app.logIn(TokenServer.login(account: "ann"))
        try await other.get("/a")
        server.expire()
        try await app.logIn(AccessToken("access-7", refreshToken: "refresh-7", account: "ben"))
        server.state.withLock { $0.generation = 7 }
        #expect(await failure { try await other.get("/b") }?.code == .loggedOut)
        server.state.withLock { $0.usesLeft = .max }
        try await other.get("/c")
        #expect(server.refreshes == 0 && store.token(for: key)?.account == "ben")
    }

    @Test func aHolderOfTheLockThatHangsDelaysOnly() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // The lock is waited for by the system's clock, the refresh by the client's.
        let store = FileTokenStore(folder: folder), app = client(store, rule: RefreshRule { $0.timeout = .milliseconds(200) }, time: ManualTime())
        try await app.logIn(TokenServer.login())
        let lock = try #require(try store.tryLock(key))
        #expect(try store.tryLock(key) == nil)
        server.expire()
        try await app.get("/a")
        #expect(server.refreshes == 1)
        lock.end()
        // A process that another test starts has a copy of the file's descriptor until its program begins.
        await eventually { (try? store.tryLock(key)) != nil }
    }

    @Test(
        arguments: [
            (nil, nil, .unchanged), (AccessToken("a"), nil, .foreign(AccessToken("a"))), (nil, .some(nil), .unchanged),
            (AccessToken("a"), .some(nil), .foreign(AccessToken("a"))),
            (nil, AccessToken("a"), .removed), (AccessToken("a", expiry: Date(timeIntervalSince1970: 1)), AccessToken("a"), .unchanged),
            (AccessToken("a", refreshToken: "s"), AccessToken("a", refreshToken: "r"), .foreign(AccessToken("a", refreshToken: "s"))),
        ] as [(AccessToken?, AccessToken??, StoredEntry)])
    func anEntryIsComparedWithWhatWasKnown(stored: AccessToken?, known: AccessToken??, entry: StoredEntry) {
        #expect(StoredEntry(stored, known: known) == entry)
    }
}
