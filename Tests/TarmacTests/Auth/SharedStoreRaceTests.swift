import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// Two processes refresh at once, and their store has no lock, such as the Keychain. The server takes each refresh token once. Each
/// operation of the store takes place when the test says so.
@Suite("Token stores without a lock: races", .timeLimit(.minutes(5)))
struct SharedStoreRaceTests {
    enum Side: Sendable { case app, other }

    /// A store as one process sees it.
    private struct View: TokenStore {
        let shared: Shared
        let side: Side
        func token(for key: TokenKey) async throws -> AccessToken? { try await shared.step(side) { $0[key] } }
        func save(_ token: AccessToken, for key: TokenKey) async throws { try await shared.step(side) { $0[key] = token } }
        func removeToken(for key: TokenKey) async throws { try await shared.step(side) { $0[key] = nil } }
    }

    private struct Shared: Sendable {
        struct State: Sendable {
            var entries: [TokenKey: AccessToken] = [:]
            var done: [Side: Int] = [:]
            /// The operations that may take place. `nil`: all.
            var allowed: [Side: Int] = [:]
            var ended: Set<Side> = []
        }
        let state = Watched(State())

        func step<Value: Sendable>(_ side: Side, _ change: @Sendable (inout [TokenKey: AccessToken]) -> Value) async throws -> Value {
            try await state.wait { state in state.allowed[side].map { state.done[side, default: 0] < $0 } ?? true }
            return state.update { state in
                state.done[side, default: 0] += 1
                return change(&state.entries)
            }
        }

        /// Holds the operations of a side from now on.
        func hold(_ side: Side) { state.update { $0.allowed[side] = $0.done[side, default: 0] } }

        /// Lets one operation of a side take place, unless its call has ended.
        func lets(_ side: Side) async throws {
            let target = state.update { state in
                state.allowed[side, default: 0] += 1
                return state.allowed[side, default: 0]
            }
            try await state.wait { $0.done[side, default: 0] >= target || $0.ended.contains(side) }
        }

        func letsAll() { state.update { $0.allowed = [:] } }
        func ends(_ side: Side) { state.update { _ = $0.ended.insert(side) } }
        func entry(_ key: TokenKey) -> AccessToken? { state.value.entries[key] }
    }

    /// Takes each refresh token once (RFC 9700 §4.14.2).
    private struct Server: Sendable {
        let number = Watched(0), asked = Watched(0), isValid = Watched(true)

        func answer(_ request: Request) -> Response {
            guard request.url.path == "/token" else {
                return .status(request.headers[.authorization] == "Bearer access-\(number.value)" && isValid.value ? .ok : .unauthorized)
            }
            asked.update { $0 += 1 }
            guard request.text.contains("refresh_token=refresh-\(number.value)") else { return .json(#"{"error":"invalid_grant"}"#, status: .badRequest) }
            number.update { $0 += 1 }
            isValid.update { $0 = true }
            return .json(#"{"access_token":"access-\#(number.value)","refresh_token":"refresh-\#(number.value)"}"#)
        }

        func expire() { isValid.update { $0 = false } }
    }

    private let shared = Shared(), server = Server(), key = TokenKey(service: "s", environment: "production")
    private let ends = Watched<[Side]>([])

    private func client(_ side: Side, time: any TimeSource = .system, rule: RefreshRule = RefreshRule { $0.backOff = .zero }) -> Client {
        Client(transport: .stub { [server] in server.answer($0) }, services: [TokenServer.service], time: time) { [shared, ends] in
            $0.authenticator = .oauth(
                tokenURL: "/token", client: OAuthClient(id: "app"), store: View(shared: shared, side: side), rule: rule
            ) { _, _ in
                ends.update { $0.append(side) }
                shared.ends(side)
            }
            ($0.timeout, $0.idleTimeout, $0.connectTimeout) = (.unlimited, .unlimited, .unlimited)
        }
    }

    /// Makes a call, and notes when it has landed. A call that has not lets the store's operations go on.
    private func call(_ client: Client, _ side: Side) -> Task<TarmacError?, Never> {
        Task { [shared] in
            do { try await client.get("/a") } catch { return error as? TarmacError ?? TarmacError(.timeout) }
            shared.ends(side)
            return nil
        }
    }

    /// Both know the token, and the app has asked for the next one and has not looked into the store since.
    private func begin(_ app: Client, _ other: Client) async throws -> Task<TarmacError?, Never> {
        try await app.logIn(TokenServer.login(account: "ann"))
        try await other.get("/a")
        server.expire()
        shared.hold(.app)
        shared.hold(.other)
        let first = call(app, .app)
        try await shared.lets(.app)
        // The server has taken its token, and takes none of the other process.
        try await server.number.wait { $0 == 1 }
        return first
    }

    /// The other process looks once, is refused, looks for a note and then four times for a token, and then looks, leaves a note and removes
    /// the entry.
    static let steps = 9

    /// The app compares the entry after `first` of the other's steps, and saves after `second`.
    @Test(arguments: (0...steps).flatMap { first in (first...steps).map { (first, $0) } })
    func theNewTokenIsKeptWhereverItComes(first: Int, second: Int) async throws {
        let app = client(.app), other = client(.other)
        let appCall = try await begin(app, other), otherCall = call(other, .other)
        for step in 0...Self.steps {
            if step == first { try await shared.lets(.app) }
            if step == second { try await shared.lets(.app) }
            if step < Self.steps { try await shared.lets(.other) }
        }
        shared.letsAll()
        #expect(await appCall.value == nil)
        // It gives up only if the app has not saved before the last look. Its next call finds the new token.
        let error = await otherCall.value
        #expect(second < 6 ? error == nil : [nil, .loggedOut].contains(error?.code))
        await eventually { ends.value == (error == nil ? [] : [.other]) }
        for _ in 1...2 {
            server.expire()
            try await app.get("/b")
            try await other.get("/b")
            #expect(shared.entry(key)?.refreshToken == "refresh-\(server.number.value)")
        }
        #expect(!ends.value.contains(.app))
        try await app.logOut()
        #expect(shared.state.value.entries.isEmpty)
        await app.shutdown()
        await other.shutdown()
    }

    enum Moment: Sendable, CaseIterable { case beforeTheOtherIsRefused, afterTheOtherIsRefused, afterTheNewTokenIsSaved }

    /// A log-out of the app's user counts, even if a refresh is under way elsewhere.
    @Test(arguments: Moment.allCases)
    func aLogOutCountsInBoth(moment: Moment) async throws {
        let app = client(.app), other = client(.other), first = try await begin(app, other)
        if moment == .afterTheOtherIsRefused {
            let second = call(other, .other)
            for _ in 1...Self.steps { try await shared.lets(.other) }
            #expect(await second.value?.code == .loggedOut)
            #expect(shared.entry(key) == nil && shared.state.value.entries.count == 1)
        }
        if moment == .afterTheNewTokenIsSaved {
            for _ in 1...2 { try await shared.lets(.app) }
            #expect(await first.value == nil)
        }
        shared.state.update { $0.allowed[.other] = nil }
        try await other.logOut()
        shared.letsAll()
        #expect(await first.value?.code == (moment == .afterTheNewTokenIsSaved ? nil : .loggedOut))
        server.expire()
        for client in [app, other] { #expect(await failure { try await client.get("/b") }?.code == .loggedOut) }
        #expect(shared.state.value.entries.isEmpty && server.number.value == 1)
        await app.shutdown()
        await other.shutdown()
    }

    /// The server has taken the token from another process, which takes its time to save the next one.
    @Test(arguments: 0...3)
    func aRefusalIsBelievedAfterThreePauses(saves: Int) async throws {
        let time = ManualTime(), app = client(.app, time: time, rule: RefreshRule())
        try await app.logIn(TokenServer.login(account: "ann"))
        server.number.update { $0 = 1 }
        let first = call(app, .app)
        for (number, pause) in [0.5, 1, 2].enumerated() {
            // One sleeps until the refresh's limit, one until the next reading.
            await eventually { time.sleepers >= 2 }
            #expect(time.nextDeadline == .seconds(pause))
            if number == saves {
                shared.state.update { $0.entries[key] = AccessToken("access-1", refreshToken: "refresh-1", account: "ann") }
                time.advance(by: .seconds(pause))
                break
            }
            time.advance(by: .seconds(pause))
        }
        #expect(await first.value?.code == (saves == 3 ? .loggedOut : nil))
        await eventually { ends.value == (saves == 3 ? [.app] : []) }
        #expect(server.asked.value == 1)
        #expect((shared.entry(key) == nil) == (saves == 3))
        await app.shutdown()
    }

    /// The entry may be the token that another process has just saved, so the first two refusals end nothing.
    @Test func aRefusalRemovesNoEntryThatCannotBeRead() async throws {
        struct Locked: Error {}
        struct Failing: TokenStore {
            let shared: Shared, isLocked: Watched<Bool>
            func token(for key: TokenKey) throws -> AccessToken? {
                if isLocked.value { throw Locked() }
                return shared.entry(key)
            }
            func save(_ token: AccessToken, for key: TokenKey) { shared.state.update { $0.entries[key] = token } }
            func removeToken(for key: TokenKey) { shared.state.update { $0.entries[key] = nil } }
        }
        let store = Failing(shared: shared, isLocked: Watched(false))
        let client = Client(transport: .stub { [server] in server.answer($0) }, services: [TokenServer.service]) {
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store, rule: RefreshRule { $0.backOff = .zero })
        }
        try await client.logIn(TokenServer.login(account: "ann"))
        server.number.update { $0 = 1 }
        store.isLocked.update { $0 = true }
        for code in [.refreshFailed, .refreshFailed, .loggedOut] as [TarmacError.Code] {
            #expect(await failure { try await client.get("/a") }?.code == code)
        }
        await client.shutdown()
        #expect(shared.entry(key) != nil && shared.entry(RefusalNote.key(key)) == nil)
    }

    /// The app refreshes while the store is away. Then the other process, which has noticed nothing of it, has the lock to itself.
    @Test func aTokenThatIsWrittenWhenTheStoreIsBackIsWaitedFor() async throws {
        struct Away: Error {}
        struct Server: LockableTokenStore {
            let memory: MemoryTokenStore, isAway: Watched<Bool>
            private var open: MemoryTokenStore { get throws { if isAway.value { throw Away() } else { memory } } }
            func token(for key: TokenKey) throws -> AccessToken? { try open.token(for: key) }
            func save(_ token: AccessToken, for key: TokenKey) throws { try open.save(token, for: key) }
            func removeToken(for key: TokenKey) throws { try open.removeToken(for: key) }
            func tryLock(_ key: TokenKey) throws -> TokenLock? { try open.tryLock(key) }
            func tryWriteLock(_ key: TokenKey) throws -> TokenLock? { try open.tryWriteLock(key) }
        }
        let isAway = Watched(false), memory = MemoryTokenStore(), times = [ManualTime(), ManualTime()]
        let clients = times.map { time in
            Client(transport: .stub { [server] in server.answer($0) }, services: [TokenServer.service], time: time) {
                $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: Server(memory: memory, isAway: isAway))
                ($0.timeout, $0.idleTimeout, $0.connectTimeout) = (.unlimited, .unlimited, .unlimited)
            }
        }
        try await clients[0].logIn(TokenServer.login(account: "ann"))
        try await clients[1].get("/a")
        server.expire()
        isAway.update { $0 = true }
        try await clients[0].get("/a")
        #expect(server.number.value == 1)
        // A write that fails, and the pause before the one that does not.
        await eventually { times[0].nextDeadline == .milliseconds(500) }
        times[0].advance(by: .milliseconds(500))
        await eventually { times[0].nextDeadline == .seconds(1) }
        isAway.update { $0 = false }
        let second = call(clients[1], .other)
        await eventually { server.asked.value == 2 && times[1].nextDeadline == .milliseconds(500) }
        times[1].advance(by: .milliseconds(500))
        times[0].advance(by: .seconds(1))
        await eventually { memory.token(for: key)?.refreshToken == "refresh-1" }
        await eventually { times[1].nextDeadline == .seconds(1) }
        times[1].advance(by: .seconds(1))
        #expect(await second.value == nil)
        #expect(server.asked.value == 2)
        for client in clients { await client.shutdown() }
    }

    @Test func aNewLoginRemovesTheNoteOfARefusal() async throws {
        let app = client(.app)
        try await app.logIn(TokenServer.login(account: "ann"))
        shared.state.update { $0.entries[RefusalNote.key(key)] = RefusalNote.note(account: "ann") }
        try await app.logIn(TokenServer.login(account: "ann"))
        #expect(shared.entry(key) != nil && shared.entry(RefusalNote.key(key)) == nil)
        await app.shutdown()
    }

    /// The holder of a lock is the only one that refreshes, so a refusal is one.
    @Test func withALockNobodyWaits() async throws {
        let rig = try await TokenRig(TokenServer(failures: [400]), time: ManualTime()).logIn()
        rig.server.expire()
        #expect(await failure { _ = try await rig.get("/a") }?.code == .loggedOut)
        await eventually { rig.store.token(for: key) == nil }
        #expect(rig.store.token(for: RefusalNote.key(key)) == nil)
    }

    /// Such as a store of an app with one entry.
    @Test func aStoreThatIgnoresKeysForgetsTheTokenToo() async throws {
        final class One: TokenStore {
            let entry = Watched<AccessToken?>(nil)
            func token(for key: TokenKey) -> AccessToken? { entry.value }
            func save(_ token: AccessToken, for key: TokenKey) { entry.update { $0 = token } }
            func removeToken(for key: TokenKey) { entry.update { $0 = nil } }
        }
        let store = One(), server = server
        let client = Client(transport: .stub { server.answer($0) }, services: [TokenServer.service]) {
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store, rule: RefreshRule { $0.backOff = .zero })
        }
        try await client.logIn(AccessToken("old", refreshToken: "spent"))
        #expect(await failure { try await client.get("/a") }?.code == .loggedOut)
        await eventually { store.entry.value == nil }
        store.entry.update { $0 = RefusalNote.note(account: "ann") }
        #expect(await failure { try await client.get("/a") }?.code == .loggedOut)
        try await client.logIn(AccessToken("access-0", refreshToken: "refresh-0"))
        try await client.get("/a")
        try await client.logOut()
        #expect(store.entry.value == nil)
    }
}
