import Foundation
import HTTPTypes
import TarmacCache
import TarmacResumableUpload
import TarmacStreams
import TarmacTesting
import TarmacTraffic
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox
@testable import TarmacTransfer

/// A call belongs to the account under which it begins, whatever it waits for before its first request, and to no other.
@Suite("A call belongs to the account under which it begins", .timeLimit(.minutes(5)))
struct LoginAtBeginTests {
    private struct Logins: Authenticator {
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken { throw CancellationError() }
    }

    private struct Slow: Interceptor {
        let began: Watched<Bool>, gate: Watched<Bool>
        func intercept(_ request: Request, chain: Chain) async throws -> Response {
            began.update { $0 = true }
            _ = try await gate.wait { $0 }
            return try await chain.proceed(request)
        }
    }

    private let began = Watched(false), gate = Watched(false)
    private let key = TokenKey(service: "s", environment: "production")

    private func client(_ stub: StubTransport, _ store: (any TokenStore)? = nil, _ configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(transport: .stub(stub), services: [TokenServer.service]) {
            $0.authenticator = .init(Logins(), store: store)
            configure(&$0)
        }
    }

    @Test(arguments: ["interceptor", "attempt interceptor"], [false, true])
    func aCallThatWaitsBeforeItsFirstRequestIsNotSentAsTheNextUser(kind: String, isLoggedOutFirst: Bool) async throws {
        let stub = StubTransport { _ in .json("{}") }, slow = Slow(began: began, gate: gate)
        let client = client(stub) { if kind == "interceptor" { $0.interceptors = [slow] } else { $0.attemptInterceptors = [slow] } }
        try await client.logIn(AccessToken("ann", account: "ann"))
        let call = Task { try await client.get("/draft") }
        _ = try await began.wait { $0 }
        if isLoggedOutFirst { try await client.logOut() }
        try await client.logIn(AccessToken("bob", account: "bob"))
        gate.update { $0 = true }
        let error = await #expect(throws: TarmacError.self) { try await call.value }
        #expect(error?.code == .loggedOut && stub.requests.isEmpty)
        await client.shutdown()
    }

    @Test(arguments: ["another user", "log-out", "another principal"])
    func thePagesAfterTheFirstGoUnderItsLoginAlone(change: String) async throws {
        let stub = StubTransport { _ in .json("[1]", headers: [HTTPField.Name("Link")!: "</a?page=2>; rel=\"next\""]) }
        let client = client(stub)
        try await client.logIn(AccessToken("ann", account: "ann"))
        try await client.logIn(AccessToken("bob", account: "bob"), as: "bob")
        var pages = client.pages(of: .get("/a", as: [Int].self)).makeAsyncIterator()
        #expect(try await pages.next()?.value == [1])
        switch change {
        case "another user": try await client.logIn(AccessToken("bob", account: "bob"))
        case "log-out": try await client.logOut()
        default: client.options.principal = "bob"
        }
        let error = await #expect(throws: TarmacError.self) { try await pages.next() }
        #expect(error?.code == .loggedOut && stub.requests.count == 1)
        await client.shutdown()
    }

    @Test func aTransferThatIsPausedBelongsToTheLoginUnderWhichItWasStarted() async throws {
        let stub = StubTransport { _ in .json("{}") }, slow = Slow(began: began, gate: gate)
        let client = client(stub) { $0.interceptors = [slow] }
        try await client.logIn(AccessToken("ann", account: "ann"))
        try await withFolder { folder in
            let transfer = Started(Download(.get("/f"), to: "\(folder)/f"), on: client)
            _ = try await began.wait { $0 }
            transfer.pause()
            try await client.logIn(AccessToken("bob", account: "bob"))
            gate.update { $0 = true }
            transfer.resume()
            await #expect(throws: TarmacError.self) { try await transfer.value }
        }
        #expect(stub.requests.isEmpty)
        await client.shutdown()
    }

    private final class SlowStore: TokenStore {
        let memory = MemoryTokenStore(), began = Watched(false), gate = Watched(false)
        func token(for key: TokenKey) async throws -> AccessToken? {
            began.update { $0 = true }
            _ = try await gate.wait { $0 }
            return memory.token(for: key)
        }
        func save(_ token: AccessToken, for key: TokenKey) { memory.save(token, for: key) }
        func removeToken(for key: TokenKey) { memory.removeToken(for: key) }
    }

    @Test(arguments: ["call", "cached call", "outbox"]) func aCallThatWaitsForTheStoredLoginIsOfThat(kind: String) async throws {
        let store = SlowStore(), stub = StubTransport { _ in .json("{}", headers: [.cacheControl: "max-age=60"]) }
        store.memory.save(AccessToken("ann", account: "ann"), for: key)
        let client = client(stub, store) { if kind == "cached call" { $0.cache = .http } }
        let outbox = try Outbox(client: client, store: MemoryOutboxStore())
        let call = Task {
            if kind == "outbox" { _ = try await outbox.enqueue(InlineEndpoint.put("/draft")) } else { try await client.get("/draft") }
        }
        _ = try await store.began.wait { $0 }
        let change = Task { try await client.logIn(AccessToken("bob", account: "bob")) }
        let error = await #expect(throws: TarmacError.self) { try await call.value }
        #expect(error?.code == .loggedOut && stub.requests.isEmpty)
        #expect(try await outbox.entries().isEmpty)
        store.gate.update { $0 = true }
        try await change.value
        await outbox.shutdown()
        await client.shutdown()
    }

    /// Logs in again with what the app has saved, which is of another user by now.
    private struct Again: Authenticator {
        let account: String
        func canRefresh(_ token: AccessToken?) -> Bool { true }
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            AccessToken("new", refreshToken: "r", account: account)
        }
    }

    @Test(arguments: ["refused", "expired", "stream", "cached"]) func aRefreshThatReturnsAnotherAccountIsAnotherLogin(kind: String) async throws {
        let stub = StubTransport { request in
            if kind != "expired", request.headers[.authorization] == "Bearer old" { return .status(.unauthorized) }
            return kind == "stream" ? .chunks(["data: end\n\n"], headers: [.contentType: "text/event-stream"]) : .json("{}")
        }
        let client = Client(transport: .stub(stub), services: [TokenServer.service]) {
            $0.authenticator = .init(Again(account: "bob"), store: nil)
            if kind == "cached" { $0.cache = .http }
        }
        try await client.logIn(AccessToken("old", refreshToken: "r", expiry: kind == "expired" ? Date(timeIntervalSinceNow: -5) : nil, account: "ann"))
        let error = await #expect(throws: TarmacError.self) {
            if kind == "stream" { for try await _ in client.events(.get("/e")) {} } else { try await client.get("/a") }
        }
        #expect(error?.code == .loggedOut && !stub.requests.contains { $0.headers[.authorization] == "Bearer new" })
        await client.shutdown()
    }

    @Test func aLoginWithoutAnAccountKeepsItsOwnWhenARefreshNamesOne() async throws {
        let stub = StubTransport { $0.headers[.authorization] == "Bearer new" ? .json("{}") : .status(.unauthorized) }
        let client = Client(transport: .stub(stub), services: [TokenServer.service]) { $0.authenticator = .init(Again(account: "ann"), store: nil) }
        try await client.logIn(AccessToken("old", refreshToken: "r"))
        let before = try await client.cookieScope(for: InlineEndpoint.get("/a"))
        try await client.get("/a")
        #expect(try await client.cookieScope(for: InlineEndpoint.get("/a")) == before)
        await client.shutdown()
    }

    /// An interceptor that logs in when the server refuses the token.
    private struct AutoLogin: Interceptor {
        let client: Locked<Client?>
        func intercept(_ request: Request, chain: Chain) async throws -> Response {
            let response = try await chain.proceed(request)
            guard response.status == .unauthorized else { return response }
            try await client.withLock { $0 }?.logIn(AccessToken("new", account: "ann"))
            return try await chain.proceed(request)
        }
    }

    @Test(arguments: ["interceptor", "attempt interceptor", "stream", "download", "upload", "retry"])
    func aCallGoesOnWhenItsUserLogsInAgain(kind: String) async throws {
        let box = Locked<Client?>(nil), file = StubFile(noise(5000)), uploads = StubUploads(), count = Watched(0)
        if kind == "download" { file.breakOff(after: [2000]) }
        if kind == "upload" { uploads.breakOff(after: [2000]) }
        let stub = StubTransport { request in
            count.update { $0 += 1 }
            let number = count.value
            if kind.hasSuffix("interceptor") { return request.headers[.authorization] == "Bearer old" ? .status(.unauthorized) : .json("{}") }
            if number == (kind == "upload" ? 2 : 1) { try await box.withLock { $0 }?.logIn(AccessToken("new", account: "ann")) }
            switch kind {
            case "stream": return .chunks([number == 1 ? "id: 1\ndata: 1\n\n" : "data: end\n\n"], headers: [.contentType: "text/event-stream"])
            case "download": return file.answer(request)
            case "upload": return try uploads.answer(request)
            default: return number == 1 ? .status(.serviceUnavailable) : .json("{}")
            }
        }
        let client = client(stub) {
            if kind == "interceptor" { $0.interceptors = [AutoLogin(client: box)] }
            if kind == "attempt interceptor" { $0.attemptInterceptors = [AutoLogin(client: box)] }
            $0.retry = .exponential(maxAttempts: 3, base: .zero)
            $0.resume = .automatic { $0.base = .zero }
        }
        box.withLock { $0 = client }
        try await client.logIn(AccessToken("old", account: "ann"))
        try await withFolder { folder in
            switch kind {
            case "stream":
                let rule = EventStreamRule.reconnecting { ($0.delay, $0.endMarker) = (.zero, "end") }
                for try await _ in client.events(.get("/e"), configure: { $0.events = rule }) {}
            case "download": _ = try await client.send(Download(.get("/f"), to: "\(folder)/f"))
            case "upload": _ = try await client.send(Upload(UploadSource.data(Data(noise(5000)), name: "f"), to: .post("/files"), by: .tus))
            default: try await client.get("/a")
            }
        }
        #expect(stub.requests.last?.headers[.authorization] == "Bearer new")
        box.withLock { $0 = nil }
        await client.shutdown()
    }

    /// More principals than sessions stay in memory.
    @Test func aCallKeepsItsSession() async throws {
        let store = MemoryTokenStore(),
            stub = StubTransport { request in
                .json("{}", status: request.url.path == "/first" ? .serviceUnavailable : .ok)
            }
        for number in 0..<8 {
            store.save(AccessToken("p\(number)", account: "p\(number)"), for: TokenKey(service: "s", environment: "production", principal: "p\(number)"))
        }
        let client = Client(transport: .stub(stub), services: [TokenServer.service]) {
            $0.authenticator = Authentication(OAuthAuthenticator(tokenURL: "/token", client: OAuthClient(id: "app"), maximumSessions: 2), store: store)
        }
        let between = Slow(began: began, gate: gate)
        struct Twice: Interceptor {
            let between: Slow
            func intercept(_ request: Request, chain: Chain) async throws -> Response {
                _ = try await chain.proceed(request)
                return try await between.intercept(Request(.get, HTTPURL("https://s.example/second")), chain: chain)
            }
        }
        let call = Task {
            try await client.get("/first", configure: { ($0.principal, $0.interceptors, $0.retry) = ("p0", [Twice(between: between)], .never) })
        }
        _ = try await began.wait { $0 }
        for number in 1..<8 { try await client.get("/x", configure: { $0.principal = "p\(number)" }) }
        gate.update { $0 = true }
        try await call.value
        #expect(stub.requests.last?.url.path == "/second")
        await client.shutdown()
    }
}
