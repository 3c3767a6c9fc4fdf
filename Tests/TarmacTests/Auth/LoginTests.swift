import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCore
@testable import TarmacHTTP

// Law 7: environments and principals never share tokens.
@Suite("Logins", .timeLimit(.minutes(5)))
struct LoginTests {
    @Test func nobodyLoggedInSendsNothing() async throws {
        let rig = TokenRig()
        let error = await failure { _ = try await rig.get("/a") }
        #expect(error?.code == .loggedOut)
        #expect(error?.phase == .authenticating)
        #expect(error?.userMessage(in: .english) == "You are not signed in. Please sign in and try again.")
        #expect(rig.stub.requests.isEmpty)
        // The call that logs in needs none.
        #expect(await failure { _ = try await rig.get("/login") { $0.authenticator = .off } }?.status == .unauthorized)
    }

    @Test func aTokenInTheStoreIsUsedAfterARestart() async throws {
        let store = MemoryTokenStore()
        _ = try await TokenRig(store: store).logIn(account: "ann")
        let rig = TokenRig(store: store)
        #expect(try await rig.get("/a") == 1)
        rig.server.expire()
        #expect(try await rig.get("/b") == 1)
        let kept = store.token(for: TokenKey(service: "s", environment: "production"))
        #expect(kept?.value == "access-1")
        #expect(kept?.refreshToken == "refresh-1")
        #expect(kept?.account == "ann")
    }

    @Test func aClientWithOneServiceLogsInToIt() async throws {
        let rig = TokenRig()
        try await rig.client.logIn(TokenServer.login())
        #expect(try await rig.get("/a") == 1)
        try await rig.client.logOut()
        #expect(await failure { _ = try await rig.get("/b") }?.code == .loggedOut)
    }

    @Test(arguments: [[], [TokenServer.service, Service("other", host: "https://o.example")]])
    func aClientWithSeveralServicesOrNoneMustNameOne(services: [Service]) async throws {
        let client = Client(transport: .stub { _ in .status(.ok) }, services: services) { $0.authenticator = .basic(user: "a", password: "b") }
        let errors = [await failure { try await client.logIn(TokenServer.login()) }, await failure { try await client.logOut() }]
        for error in errors { #expect(error?.code == .unsupported && error?.suggestion?.contains("client[service]") == true) }
    }

    @Test func aLogOutEndsWhoWaitsAndARefusalThatComesLate() async throws {
        let rig = try await TokenRig().logIn()
        rig.server.expire()
        rig.server.gate.update { $0 = false }
        let waiting = Task { try await rig.get("/waiting") }
        try await rig.stub.received(count: 2)
        try await rig.client[TokenServer.service].logOut()
        #expect(await failure { _ = try await waiting.value }?.code == .loggedOut)
        #expect(rig.loggedOut.value == [.requested])
        #expect(rig.store.token(for: TokenKey(service: "s", environment: "production")) == nil)
        rig.server.gate.update { $0 = true }
        #expect(await failure { _ = try await rig.get("/later") }?.code == .loggedOut)
        #expect(rig.sent("/waiting") == 1)
    }

    @Test func aCallOfOneLoginIsNeverSentAgainUnderAnother() async throws {
        let late = Watched(false)
        let rig = try await TokenRig { request in
            if request.headers[.authorization] == "Bearer access-0" {
                try await late.wait { $0 }
                return .status(.unauthorized)
            }
            return .json(#"{"n":2}"#)
        }.logIn()
        let anns = Task { try await rig.get("/anns") }
        try await rig.stub.received(count: 1)
        try await rig.client[TokenServer.service].logIn(AccessToken("bobs", refreshToken: "r"))
        #expect(try await rig.get("/bobs") == 2)
        late.update { $0 = true }
        let error = await failure { _ = try await anns.value }
        #expect(error?.code == .loggedOut)
        #expect(error?.attempts == 1)
        #expect(rig.stub.requests.filter { $0.url.path == "/anns" }.map { $0.headers[.authorization] } == ["Bearer access-0"])
    }

    @Test func aCallQueuedUnderOneLoginIsNotSentUnderAnother() async throws {
        let rig = try await TokenRig(concurrency: 1) { _ in .json(#"{"n":1}"#) }.logIn()
        rig.stub.hold()
        let first = Task { try await rig.get("/first") }
        try await rig.stub.received(count: 1)
        let queued = Task { try await rig.get("/queued") }
        await eventually { rig.events("queued") == 1 }
        try await rig.client[TokenServer.service].logIn(AccessToken("bobs"))
        rig.stub.release()
        #expect(try await first.value == 1)
        #expect(await failure { _ = try await queued.value }?.code == .loggedOut)
        #expect(rig.sent("/queued") == 0)
    }

    @Test func aLogInDuringARefreshWinsInMemoryAndInTheStore() async throws {
        let rig = try await TokenRig().logIn()
        rig.server.expire()
        rig.server.gate.update { $0 = false }
        let waiting = Task { try await rig.get("/waiting") }
        try await rig.stub.received(count: 2)
        try await rig.client[TokenServer.service].logIn(AccessToken("bobs", refreshToken: "bobs-refresh"))
        rig.server.gate.update { $0 = true }
        #expect(await failure { _ = try await waiting.value }?.code == .loggedOut)
        await eventually { rig.stub.inFlight == 0 }
        #expect(rig.store.token(for: TokenKey(service: "s", environment: "production"))?.value == "bobs")
        #expect(rig.events("loggedOut") == 0)
    }

    @Test func environmentsAndPrincipalsShareNoToken() async throws {
        let service = Service("s", hosts: [.production: "https://live.example", .test: "https://test.example"])
        let stub = StubTransport { request in .text("\(request.url.host) \(request.headers[.authorization] ?? "none")") }
        let store = MemoryTokenStore()
        let client = Client(transport: .stub(stub), services: [service]) {
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store)
        }
        try await client[service].logIn(AccessToken("live"))
        try await client[service].logIn(AccessToken("live-7"), as: "user-7")
        client.environment = .test
        #expect(await failure { try await client.get("/") }?.code == .loggedOut)
        try await client[service].logIn(AccessToken("test"))
        #expect(try await client.get("/", as: String.self) == "test.example Bearer test")
        client.environment = .production
        #expect(try await client.get("/", as: String.self) == "live.example Bearer live")
        #expect(try await client.get("/", as: String.self) { $0.principal = "user-7" } == "live.example Bearer live-7")
        #expect(await failure { try await client.get("/") { $0.principal = "user-8" } }?.code == .loggedOut)
        try await client[service].logOut("user-7")
        #expect(try await client.get("/", as: String.self) == "live.example Bearer live")
        #expect(await failure { try await client.get("/") { $0.principal = "user-7" } }?.code == .loggedOut)
    }

    @Test func aRefreshStaysInItsEnvironmentWhenTheClientLeavesIt() async throws {
        let service = Service("s", hosts: [.production: "https://live.example", .test: "https://test.example"])
        let gate = Watched(false)
        let stub = StubTransport { request in
            if request.url.path == "/token" {
                try await gate.wait { $0 }
                return .json(#"{"access_token":"new"}"#)
            }
            return request.headers[.authorization] == "Bearer new" ? .text(request.url.host) : .status(.unauthorized)
        }
        let client = Client(transport: .stub(stub), services: [service]) {
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"))
        }
        try await client[service].logIn(AccessToken("old", refreshToken: "r"))
        let call = Task { try await client[service].get("/", as: String.self) }
        try await stub.received(count: 1)
        client.environment = .test
        gate.update { $0 = true }
        #expect(try await call.value == "live.example")
        #expect(stub.requests.allSatisfy { $0.url.host == "live.example" })
        await eventually { stub.shutdowns >= 1 }
        #expect(stub.shutdowns == 1)
    }

    @Test func theShutdownEndsARefreshAndWhoWaitsButNoLogin() async throws {
        let rig = try await TokenRig().logIn()
        rig.server.expire()
        rig.server.gate.update { $0 = false }
        let call = Task { try await rig.get("/a") }
        try await rig.stub.received(count: 2)
        await rig.client.shutdown()
        #expect(await failure { _ = try await call.value }?.code == .clientShutDown)
        #expect(rig.loggedOut.value == [])
        #expect(rig.store.token(for: TokenKey(service: "s", environment: "production"))?.refreshToken == "refresh-0")
        #expect(await failure { try await rig.client[TokenServer.service].logOut() }?.code == .clientShutDown)
    }

    @Test func nothingOfASessionLivesAfterTheShutdown() async throws {
        let weak: Weak
        do {
            let rig = try await TokenRig().logIn()
            rig.server.expire()
            #expect(try await rig.get("/a") == 1)
            let runtime = try rig.client.engine.runtime(TokenServer.service)
            weak = Weak(try runtime.scope.auth.session(runtime.options.value(of: Settings.authenticator), principal: ""))
            await rig.client.shutdown()
        }
        await eventually { weak.object == nil }
    }

    @Test func tenServicesShareNothing() async throws {
        let stub = StubTransport { request in
            let host = request.url.host
            if request.url.path == "/token" { return .json(#"{"access_token":"new-\#(host)"}"#) }
            return request.headers[.authorization] == "Bearer new-\(host)" ? .text(host) : .status(.unauthorized)
        }
        let store = MemoryTokenStore()
        let services = (0..<10).map { number in
            Service("s\(number)", host: Hosts("https://h\(number).example")) {
                $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store)
            }
        }
        let client = Client(transport: .stub(stub), services: services)
        for (number, service) in services.enumerated().dropLast() {
            try await client[service].logIn(AccessToken("old-\(number)", refreshToken: "r-\(number)"))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for service in services.dropLast() {
                for _ in 0..<20 { group.addTask { _ = try await client[service].get("/", as: String.self) } }
            }
            try await group.waitForAll()
        }
        #expect(await failure { try await client[services[9]].get("/") }?.code == .loggedOut)
        let refreshes = stub.requests.filter { $0.url.path == "/token" }
        #expect(Set(refreshes.map(\.url.host)).count == 9 && refreshes.count == 9)
        for refresh in refreshes { #expect(refresh.text.contains("refresh_token=r-\(refresh.url.host.dropFirst().prefix(1))")) }
    }

    @Test(arguments: [HTTPResponse.Status.found, .temporaryRedirect])
    func aRedirectToAnotherOriginNeverGetsTheToken(status: HTTPResponse.Status) async throws {
        let rig = try await TokenRig { request in
            request.url.host == "s.example" ? .redirect(to: "https://other.example/", status: status) : .status(.unauthorized)
        }.logIn()
        let error = await failure { _ = try await rig.get("/a") }
        #expect(error?.status == .unauthorized)
        let foreign = rig.stub.requests.filter { $0.url.host == "other.example" }
        #expect(foreign.count == 1)
        #expect(foreign.allSatisfy { !$0.headers.contains(.authorization) })
        #expect(rig.sent("/token") == 0)
    }

    @Test func aFieldOfTheCallsOwnWinsAndIsNotReplayed() async throws {
        let rig = try await TokenRig().logIn()
        let error = await failure { _ = try await rig.get("/a") { $0.headers["Authorization"] = "Bearer own" } }
        #expect(error?.status == .unauthorized)
        #expect(rig.stub.requests.map { $0.headers[.authorization] } == ["Bearer own"])
    }

    // MARK: Stores

    struct BrokenStore: TokenStore {
        func token(for key: TokenKey) throws -> AccessToken? { throw Foreign() }
        func save(_ token: AccessToken, for key: TokenKey) throws { throw Foreign() }
        func removeToken(for key: TokenKey) throws { throw Foreign() }
    }

    @Test func aStoreThatFailsIsToldAndIsNoLogOut() async throws {
        let recorder = EventRecorder()
        let service = Service("s", host: "https://s.example") {
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: BrokenStore())
            $0.observers = [recorder]
        }
        let client = Client(transport: .stub { _ in .status(.ok) }, services: [service])
        #expect(await failure { try await client.get("/") }?.code == .tokenStoreFailed)
        #expect(recorder.names.contains("tokenStoreFailed") && !recorder.names.contains("loggedOut"))
        let error = await failure { try await client[service].logIn(AccessToken("t")) }
        #expect(error?.code == .tokenStoreFailed)
        #expect(error.map { "\($0)" }?.contains("hunter2") == false)
        // It is good all the same, for as long as the client lives.
        try await client.get("/")
    }

    /// Such as a Keychain before the device is unlocked for the first time.
    private final class LockedStore: TokenStore {
        let isLocked = Watched(true)
        let reads = Watched(0)
        func token(for key: TokenKey) throws -> AccessToken? {
            reads.update { $0 += 1 }
            if isLocked.value { throw Foreign() }
            return AccessToken("t", account: "ann")
        }
        func save(_ token: AccessToken, for key: TokenKey) throws { if isLocked.value { throw Foreign() } }
        func removeToken(for key: TokenKey) throws { if isLocked.value { throw Foreign() } }
    }

    @Test func aStoreIsAskedAgainUntilItAnswers() async throws {
        let store = LockedStore(), stub = StubTransport { _ in .status(.ok) }
        let service = Service("s", host: "https://s.example") {
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store)
        }
        let client = Client(transport: .stub(stub), services: [service])
        for read in 1...2 {
            #expect(await failure { try await client.get("/") }?.code == .tokenStoreFailed)
            #expect(store.reads.value == read)
        }
        #expect(stub.requests.isEmpty)
        store.isLocked.update { $0 = false }
        for _ in 1...2 { try await client.get("/") }
        #expect(store.reads.value == 3)
        #expect(stub.requests.map { $0.headers[.authorization] } == ["Bearer t", "Bearer t"])
    }

    /// A store that answers when it is let.
    private struct SlowStore: TokenStore {
        let gate = Watched(false)
        func token(for key: TokenKey) async throws -> AccessToken? {
            _ = try await gate.wait { $0 }
            return AccessToken("t", account: "ann")
        }
        func save(_ token: AccessToken, for key: TokenKey) {}
        func removeToken(for key: TokenKey) {}
    }

    @Test func aStoreThatDoesNotAnswerIsWaitedForUntilTheRulesLimit() async throws {
        let store = SlowStore(), time = ManualTime(), stub = StubTransport { _ in .status(.ok) }
        let service = Service("s", host: "https://s.example") {
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store)
        }
        let client = Client(transport: .stub(stub), services: [service], time: time)
        let call = Task { await failure { try await client.get("/") } }
        let clock = Task {
            while !Task.isCancelled {
                // It waits for a sleeper: a loop without a wait keeps a thread from the call.
                guard (try? await time.hasSleepers()) != nil else { return }
                if let next = time.nextDeadline { time.advance(by: next) }
            }
        }
        let error = await call.value
        clock.cancel()
        #expect(error?.code == .tokenStoreFailed && error?.reason.contains("60 s") == true)
        store.gate.update { $0 = true }
        try await client.get("/")
        #expect(stub.requests.count == 1)
    }

    @Test func aLogOutEndsWhatAStoreDoesNotTell() async throws {
        let store = LockedStore()
        let service = Service("s", host: "https://s.example") {
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store)
        }
        let client = Client(transport: .stub { _ in .status(.ok) }, services: [service])
        #expect(await failure { try await client.get("/") }?.code == .tokenStoreFailed)
        #expect(await failure { try await client[service].logOut() }?.code == .tokenStoreFailed)
        #expect(await failure { try await client.get("/") }?.code == .loggedOut)
    }

    @Test func whatNeedsNoLoginGoesOnWithoutItsStore() async throws {
        let stub = StubTransport { request in
            request.url.path == "/token" ? .json(#"{"access_token":"t","token_type":"Bearer"}"#) : .status(.ok)
        }
        let service = Service("s", host: "https://s.example") {
            $0.authenticator = .clientCredentials(tokenURL: "/token", client: OAuthClient(id: "app", secret: "s"), store: BrokenStore())
        }
        let client = Client(transport: .stub(stub), services: [service])
        for _ in 1...2 { try await client.get("/") }
        #expect(stub.requests.map(\.url.path) == ["/token", "/", "/"])
    }

    @Test func aServiceWithoutTokensRefusesALogIn() async {
        for authenticator in [Authentication.off, .bearer("x")] {
            let client = Client(StubTransport { _ in .status(.ok) }) { $0.authenticator = authenticator }
            #expect(await failure { try await client[.clientDefault].logIn(AccessToken("t")) }?.code == .unsupported)
        }
    }

    @Test(.heavy) func manySessionsAreForgottenWhenNobodyUsesThem() async throws {
        let store = MemoryTokenStore()
        let client = Client(transport: .stub { _ in .status(.ok) }, services: [TokenServer.service]) {
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store)
        }
        for number in 0..<3_000 { try await client[TokenServer.service].logIn(AccessToken("t\(number)"), as: "\(number)") }
        let runtime = try client.engine.runtime(TokenServer.service)
        #expect(runtime.scope.auth.total <= 1_024)
        try await client.get("/") { $0.principal = "0" }
    }
}
