import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// Processes that share a store which is away for one of them, or takes no writes: the last log-in and the last log-out count when it is back.
@Suite("Token stores that are away", .timeLimit(.minutes(5)))
struct AwayStoreTests {
    struct Away: Error {}
    enum Fault: Sendable, CaseIterable { case isAway, failsToWrite, removesAndFails }

    /// The store as one process sees it.
    private struct View: LockableTokenStore {
        let memory: MemoryTokenStore, fault: Watched<Fault?>
        /// The readings that have ended, and the writes that wait until no more are held.
        let looks = Watched(0), held = Watched(0), isHeld = Watched(false)

        private func open(_ isWrite: Bool = false) throws -> MemoryTokenStore {
            switch fault.value {
            case nil: return memory
            case .isAway: throw Away()
            case .failsToWrite, .removesAndFails: if isWrite { throw Away() } else { return memory }
            }
        }
        func token(for key: TokenKey) throws -> AccessToken? {
            let token = try open().token(for: key)
            looks.update { $0 += 1 }
            return token
        }
        func save(_ token: AccessToken, for key: TokenKey) async throws {
            held.update { $0 += 1 }
            _ = try await isHeld.wait { !$0 }
            if fault.value == .removesAndFails { memory.removeToken(for: key) }
            try open(true).save(token, for: key)
        }
        func removeToken(for key: TokenKey) throws { try open(true).removeToken(for: key) }
        func tryLock(_ key: TokenKey) throws -> TokenLock? { try open().tryLock(key) }
        func tryWriteLock(_ key: TokenKey) throws -> TokenLock? { try open().tryWriteLock(key) }
    }

    /// The store without its locks, as the keychain is.
    private struct Bare: TokenStore {
        let view: View
        func token(for key: TokenKey) throws -> AccessToken? { try view.token(for: key) }
        func save(_ token: AccessToken, for key: TokenKey) async throws { try await view.save(token, for: key) }
        func removeToken(for key: TokenKey) throws { try view.removeToken(for: key) }
    }

    /// Takes each refresh token once. Tokens are named by their user and number, as `ann-0`.
    private struct Server: Sendable {
        private struct State: Sendable {
            var numbers: [String: Int] = [:]
            var expired: Set<String> = []
        }
        private let state = Watched(State())

        func name(_ user: String) -> String { "\(user)-\(state.value.numbers[user, default: 0])" }

        func token(_ user: String) -> AccessToken { AccessToken(name(user), refreshToken: name(user), account: user) }

        /// The access token is of no use any more, the refresh token is.
        func expire(_ user: String) { state.update { [name = name(user)] in _ = $0.expired.insert(name) } }

        /// The refresh token is of no use either.
        func revoke(_ user: String) { state.update { $0.numbers[user, default: 0] += 1 } }

        func answer(_ request: Request) -> Response {
            let users = ["ann", "bob"]
            if request.url.path != "/token" {
                let user = users.first { request.headers[.authorization] == "Bearer \(name($0))" && !state.value.expired.contains(name($0)) }
                return user.map { .text($0) } ?? .status(.unauthorized)
            }
            guard let user = users.first(where: { request.text.contains("refresh_token=\(name($0))") }) else {
                return .json(#"{"error":"invalid_grant"}"#, status: .badRequest)
            }
            revoke(user)
            return .json(#"{"access_token":"\#(name(user))","refresh_token":"\#(name(user))"}"#)
        }
    }

    private struct Process {
        let client: Client, fault = Watched<Fault?>(nil), time = ManualTime(), view: View
        let ends = Watched<[LogOutReason]>([])

        init(_ memory: MemoryTokenStore, _ server: Server, hasLocks: Bool = true) {
            view = View(memory: memory, fault: fault)
            let store: any TokenStore = hasLocks ? view : Bare(view: view)
            client = Client(transport: .stub { server.answer($0) }, services: [TokenServer.service], time: time) { [ends] in
                $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store, rule: RefreshRule { $0.backOff = .zero }) {
                    _, reason in ends.update { $0.append(reason) }
                }
                ($0.timeout, $0.idleTimeout, $0.connectTimeout) = (.unlimited, .unlimited, .unlimited)
            }
        }

        /// The user as whom a call goes.
        func user() async -> String? { try? await client.get("/me", as: String.self) }

        /// The store is back, and takes what it lacked.
        func isBack(_ isDone: () -> Bool) async {
            fault.update { $0 = nil }
            await eventually {
                time.advance(by: .seconds(2))
                return isDone()
            }
        }
    }

    private let memory = MemoryTokenStore(), server = Server(), key = TokenKey(service: "s", environment: "production")
    private let one: Process, two: Process

    init() { (one, two) = (Process(memory, server), Process(memory, server)) }

    private var entry: String? { memory.token(for: key)?.value }

    private func end() async {
        await one.client.shutdown()
        await two.client.shutdown()
    }

    /// Both go as ann, and the second has refreshed her token and could not write it.
    private func begin(_ fault: Fault) async throws {
        try await one.client.logIn(server.token("ann"))
        #expect(await two.user() == "ann")
        server.expire("ann")
        two.fault.update { $0 = fault }
        #expect(await two.user() == "ann")
        #expect(entry == (fault == .removesAndFails ? nil : "ann-0"))
    }

    @Test(arguments: [Fault.isAway, .failsToWrite]) func aLogOutElsewhereIsNotUndone(fault: Fault) async throws {
        try await begin(fault)
        try await one.client.logOut()
        let writes = two.view.looks.value
        await two.isBack { two.view.looks.value > writes }
        server.expire("ann")
        #expect(await two.user() == nil)
        #expect(entry == nil)
        await end()
        #expect(entry == nil)
    }

    /// As one made by hand does that deletes an item of the keychain, and cannot add the next.
    @Test func aWriteThatRemovesTheEntryIsNoLogOut() async throws {
        try await begin(.removesAndFails)
        await two.isBack { entry == "ann-1" }
        server.expire("ann")
        #expect(await two.user() == "ann")
        await end()
    }

    @Test(arguments: [Fault.isAway, .failsToWrite], [true, false])
    func aLogOutThatCouldNotBeWrittenEndsWhatWasRefreshedElsewhere(fault: Fault, isFirst: Bool) async throws {
        try await begin(fault)
        one.fault.update { $0 = fault }
        await #expect(throws: TarmacError.self) { try await one.client.logOut() }
        if isFirst {
            await two.isBack { entry == "ann-1" }
            await one.isBack { entry == nil }
        } else {
            await one.isBack { entry == nil }
            let looks = two.view.looks.value
            await two.isBack { two.view.looks.value > looks }
        }
        #expect(entry == nil)
        server.expire("ann")
        #expect(await two.user() == nil)
        #expect(await one.user() == nil)
        await end()
    }

    /// Another process has looked before the removal, and writes after it.
    @Test func withoutALockALogOutIsWrittenTwice() async throws {
        let bare = Process(memory, server, hasLocks: false)
        try await bare.client.logIn(server.token("ann"))
        bare.fault.update { $0 = .failsToWrite }
        await #expect(throws: TarmacError.self) { try await bare.client.logOut() }
        await bare.isBack { entry == nil }
        memory.save(server.token("ann"), for: key)
        await bare.isBack { entry == nil }
        await bare.client.shutdown()
        await end()
    }

    @Test(arguments: [Fault.isAway, .failsToWrite]) func aLogInThatCouldNotBeWrittenReplacesTheUserBefore(fault: Fault) async throws {
        try await begin(fault)
        one.fault.update { $0 = fault }
        await #expect(throws: TarmacError.self) { try await one.client.logIn(server.token("bob")) }
        await two.isBack { entry == "ann-1" }
        await one.isBack { entry == "bob-0" }
        server.expire("bob")
        #expect(await one.user() == "bob")
        server.expire("ann")
        try await eventually { await two.user() == "bob" }
        await end()
    }

    @Test(arguments: [Fault.isAway, .failsToWrite]) func aLogInThatCouldNotBeWrittenReplacesNoLaterOne(fault: Fault) async throws {
        #expect(await one.user() == nil)
        one.fault.update { $0 = fault }
        await #expect(throws: TarmacError.self) { try await one.client.logIn(server.token("ann")) }
        try await two.client.logIn(server.token("bob"))
        let looks = one.view.looks.value
        await one.isBack { one.view.looks.value > looks }
        for user in ["ann", "bob"] { server.expire(user) }
        #expect(await two.user() == "bob")
        // The call of the login before ends.
        try await eventually { await one.user() == "bob" }
        #expect(entry == "bob-1")
        await end()
    }

    /// The process finds the login that began elsewhere, although it could not remove the one that was refused.
    @Test(arguments: [true, false]) func aLogInElsewhereIsFoundAfterALoginHasEndedInVain(isRefused: Bool) async throws {
        try await one.client.logIn(server.token("ann"))
        one.fault.update { $0 = .failsToWrite }
        if isRefused {
            server.revoke("ann")
            let call = Task { await one.user() }
            await eventually {
                one.time.advance(by: .seconds(1))
                return one.ends.value == [.refused]
            }
            #expect(await call.value == nil)
        } else {
            await #expect(throws: TarmacError.self) { try await one.client.logOut() }
        }
        #expect(entry == "ann-0")
        try await two.client.logIn(server.token("bob"))
        let looks = one.view.looks.value
        await one.isBack { one.view.looks.value > looks }
        try await eventually { await one.user() == "bob" }
        #expect(entry == "bob-0")
        await end()
    }

    @Test func aShutdownWaitsForTheWriteThatIsUnderWay() async throws {
        try await begin(.failsToWrite)
        two.view.isHeld.update { $0 = true }
        two.fault.update { $0 = nil }
        let held = two.view.held.value
        await eventually {
            two.time.advance(by: .milliseconds(500))
            return two.view.held.value > held
        }
        let end = Task {
            await two.client.shutdown()
            return two.view.isHeld.value
        }
        for _ in 0..<1_000 { await Task.yield() }
        two.view.isHeld.update { $0 = false }
        #expect(await !end.value && entry == "ann-1")
        await self.end()
    }

    @Test func aLogOutWithoutALoginIsNoEndOfOne() async throws {
        try await one.client.logIn(server.token("ann"))
        for _ in 0..<3 { try await one.client.logOut() }
        #expect(one.ends.value == [.requested])
        // One in the store that was not read yet counts.
        try await one.client.logIn(server.token("ann"))
        try await two.client.logOut()
        #expect(two.ends.value == [.requested])
        await end()
    }
}
