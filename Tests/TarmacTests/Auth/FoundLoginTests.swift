import Foundation
import HTTPTypes
import TarmacCache
import TarmacCookies
import TarmacResumableUpload
import TarmacTesting
import TarmacTraffic
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox
@testable import TarmacTransfer

/// A login that a call makes, or finds in the store after it was empty. The call is of that login, and not of nobody.
@Suite("Logins that a call makes or finds", .timeLimit(.minutes(5)))
struct FoundLoginTests {
    /// Logs in as the user whom the app has saved.
    private struct Saved: Authenticator {
        let user: Watched<String>
        func canRefresh(_ token: AccessToken?) -> Bool { true }
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            if user.value.isEmpty { throw TarmacError(.callerFailed, phase: .authenticating) }
            return AccessToken("token-of-\(user.value)", account: user.value)
        }
    }

    private struct Logins: Authenticator {
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { throw CancellationError() }
    }

    private struct Diary: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .post("/diary")
        var text = "of ann"
    }

    private let user = Watched("ann")

    private func client(_ stub: StubTransport, _ configure: (inout Options) -> Void) -> Client {
        Client(transport: .stub(stub), services: [TokenServer.service]) { [user] in
            $0.authenticator = .init(Saved(user: user), store: nil)
            configure(&$0)
        }
    }

    private static func who(_ request: Request) -> String { "\(request.headers[.authorization]?.dropFirst(7) ?? "-")" }

    @Test(arguments: ["http", "ttl", "cookies"]) func theFirstAnswerIsOfWhoLogsIn(kind: String) async throws {
        let stub = StubTransport {
            .text("\(Self.who($0)) \($0.headers[.cookie] ?? "-")", headers: [.cacheControl: "max-age=600", .setCookie: "sid=1; Path=/"])
        }
        let client = client(stub) {
            switch kind {
            case "http": $0.cache = .http
            case "ttl": $0.cache = .ttl(.seconds(600))
            default: $0.cookies = .jar(CookieJar())
            }
        }
        #expect(try await client.get("/me", as: String.self) == "token-of-ann -")
        try await client.logOut()
        #expect(client.cached(InlineEndpoint.get("/me", as: String.self)) == nil)
        user.update { $0 = "bob" }
        #expect(try await client.get("/me", as: String.self) == "token-of-bob -")
        await client.shutdown()
    }

    @Test func theNextUserDoesNotShareTheFirstCallOfTheOneBefore() async throws {
        let gate = Watched(false)
        let stub = StubTransport { request in
            if Self.who(request) == "token-of-ann" { _ = try await gate.wait { $0 } }
            return .text(Self.who(request))
        }
        let client = client(stub) { $0.coalesces = true }
        async let first = client.get("/me", as: String.self)
        _ = try await stub.received(count: 1)
        try await client.logOut()
        user.update { $0 = "bob" }
        #expect(try await client.get("/me", as: String.self) == "token-of-bob")
        gate.update { $0 = true }
        _ = try? await first
        await client.shutdown()
    }

    @Test func anEntryIsOfTheLoginThatCanBeMade() async throws {
        let client = client(StubTransport { _ in .json("{}") }) { _ in }
        let outbox = try Outbox(client: client, store: MemoryOutboxStore())
        try await outbox.enqueue(Diary())
        #expect(try await outbox.entries().map { $0.mutation?.account } == ["ann"])
        await outbox.shutdown()
        await client.shutdown()
    }

    @Test func anEntryIsKeptIfNoLoginCanBeMade() async throws {
        user.update { $0 = "" }
        let client = Client(transport: .stub(StubTransport { _ in .json("{}") }), services: [TokenServer.service]) { [user] in
            $0.authenticator = .init(Saved(user: user), store: nil)
        }
        let outbox = try Outbox(client: client, store: MemoryOutboxStore())
        try await outbox.enqueue(Diary())
        #expect(try await outbox.entries().map { $0.mutation?.account } == [nil])
        await outbox.shutdown()
        await client.shutdown()
    }

    @Test(arguments: ["download", "upload"]) func theNextUserDoesNotContinueTheTransferThatMadeTheLogin(kind: String) async throws {
        let ledger = MemoryTransferStore(), uploads = StubUploads(), file = StubFile(noise(5000))
        file.breakOff(after: [2000, 0])
        uploads.breakOff(after: [20])
        let stub = StubTransport { kind == "upload" ? try uploads.answer($0) : file.answer($0) }
        let client = client(stub) { ($0.transferLedger, $0.retry, $0.resume) = (TransferLedger(ledger), .never, .automatic { $0.maxBarrenAttempts = 0 }) }
        try await withFolder { folder in
            func transfer() async throws {
                if kind == "download" { return _ = try await client.send(Download(.get("/f"), to: "\(folder)/f")) }
                let source = UploadSource.data(Data(repeating: 1, count: 100), name: "f.bin")
                _ = try await client.send(Upload(source, to: .post("/files"), by: .tus), configure: { if user.value == "ann" { $0.resume = .never } })
            }
            await #expect(throws: TarmacError.self) { try await transfer() }
            try await client.logOut()
            user.update { $0 = "bob" }
            try await transfer()
            if kind == "download" { #expect(stub.requests.last?.headers[.range] == nil) } else { #expect(uploads.uploads.count == 2) }
        }
        await client.shutdown()
    }

    // MARK: Found in a store that another process uses too

    /// Looks into the store while nobody is logged in; then Ann logs in elsewhere.
    @Test(arguments: [CacheRule.http, .ttl(.seconds(600))], [true, false])
    func anAnswerUnderALoginFoundLateIsNotNobodys(rule: CacheRule, isLoggedOutHere: Bool) async throws {
        let store = MemoryTokenStore(), dead = Watched(false)
        let stub = StubTransport { request in
            let isDead = dead.value && Self.who(request) == "ann"
            return isDead ? .status(.unauthorized) : .text("for \(Self.who(request))", headers: [.cacheControl: "max-age=600"])
        }
        func make(_ configure: (inout Options) -> Void = { _ in }) -> Client {
            Client(transport: .stub(stub), services: [TokenServer.service]) {
                $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store)
                configure(&$0)
            }
        }
        let app = make(), other = make { $0.cache = rule }
        await #expect(throws: TarmacError.self) { try await other.get("/x", as: String.self) }
        try await app.logIn(AccessToken("ann", refreshToken: "r", account: "ann"))
        #expect(try await other.get("/me", as: String.self) == "for ann")
        try await app.logOut()
        dead.update { $0 = true }
        if isLoggedOutHere { try await other.logOut() } else { _ = try? await other.get("/other", as: String.self) }
        await #expect(throws: TarmacError.self) { try await other.get("/me", as: String.self) }
        try await app.logIn(AccessToken("bob", refreshToken: "r", account: "bob"))
        #expect(try await other.get("/me", as: String.self) == "for bob")
        await app.shutdown()
        await other.shutdown()
    }

    @Test func anEntryUnderALoginFoundLateIsOfThatLogin() async throws {
        let store = MemoryTokenStore(), stub = StubTransport { _ in .json("{}") }
        func make() -> Client {
            Client(transport: .stub(stub), services: [TokenServer.service]) { $0.authenticator = .init(Logins(), store: store) }
        }
        let app = make(), other = make()
        await #expect(throws: TarmacError.self) { try await other.get("/x") }
        try await app.logIn(AccessToken("ann", account: "ann"))
        let outbox = try Outbox(client: other, store: MemoryOutboxStore())
        try await outbox.enqueue(Diary())
        #expect(try await outbox.entries().map { $0.mutation?.account } == ["ann"])
        await outbox.shutdown()
        await app.shutdown()
        await other.shutdown()
    }
}
