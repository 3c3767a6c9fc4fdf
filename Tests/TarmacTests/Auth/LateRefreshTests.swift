import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacAuth

/// A refresh whose answer comes after its time limit. The server has replaced the refresh token: asking with the old one ends the login.
@Suite(.timeLimit(.minutes(5)))
struct LateRefreshTests {
    private static let service = Service("s", host: "https://s.example")
    private static let rule = RefreshRule { $0.timeout = .seconds(20) }

    /// An authenticator that hears no cancellation, such as one that waits for a page of the system.
    private final class Deaf: Authenticator {
        let gates: Watched<Set<String>>
        let asked = Watched<[String]>([])
        let refreshRule = LateRefreshTests.rule

        init(open: Set<String> = []) { gates = Watched(open) }

        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            let spent = token?.refreshToken ?? ""
            asked.update { $0.append(spent) }
            // A cancellation does not reach this wait.
            await Task.detached { [gates] in _ = try? await gates.wait { $0.contains(spent) } }.value
            return AccessToken("good", refreshToken: spent + "+", account: token?.account)
        }
    }

    private func client(_ authentication: Authentication, _ time: ManualTime) -> Client {
        let stub = StubTransport { $0.headers[.authorization] == "Bearer good" ? .json("{}") : .status(.unauthorized) }
        return Client(transport: .stub(stub), services: [Self.service], time: time) {
            $0.authenticator = authentication
            ($0.timeout, $0.idleTimeout, $0.connectTimeout) = (.unlimited, .unlimited, .unlimited)
        }
    }

    private func pass(_ limits: Int, of time: ManualTime, until call: Task<TarmacError?, Never>) async {
        for _ in 0..<limits {
            await eventually { time.nextDeadline.map { $0 <= .seconds(20) } ?? false }
            time.advance(by: .seconds(20))
        }
        _ = await call.value
    }

    @Test func nextCallWaitsForTheAnswerInsteadOfAskingAgain() async throws {
        let time = ManualTime()
        let rig = try await TokenRig(
            time: time, rule: Self.rule,
            configure: {
                ($0.timeout, $0.idleTimeout, $0.connectTimeout) = (.unlimited, .unlimited, .unlimited)
            }
        ).logIn()
        rig.server.expire()
        rig.server.gate.update { $0 = false }
        let first = Task { await failure { _ = try await rig.get("/a") } }
        try await rig.stub.received(count: 2)
        await pass(1, of: time, until: first)
        #expect(await first.value?.code == .refreshFailed)
        let second = Task { try await rig.get("/b") }
        await eventually { rig.client.engine.callsInFlight.contains { $0.endpoint.contains("/b") } }
        rig.server.gate.update { $0 = true }
        #expect(try await second.value == 1)
        #expect(rig.server.refreshes == 1 && rig.server.faults == [] && rig.loggedOut.value == [])
    }

    @Test(arguments: [1, 2]) func tokenThatComesAfterTheLimitsIsKept(_ limits: Int) async throws {
        let time = ManualTime(), authenticator = Deaf(), store = SlowStore()
        let client = client(.init(authenticator, store: store), time)
        try await client[Self.service].logIn(AccessToken("old", refreshToken: "r"))
        let first = Task { await failure { try await client.get("/a") } }
        await eventually { authenticator.asked.value == ["r"] }
        await pass(limits, of: time, until: first)
        #expect(await first.value?.code == .refreshFailed)
        authenticator.gates.update { $0 = ["r"] }
        await eventually { store.saved.value?.value == "good" }
        try await client.get("/b")
        #expect(authenticator.asked.value == ["r"])
        await client.shutdown()
    }

    @Test func tokenOfAnEarlierLoginIsNotKept() async throws {
        let time = ManualTime(), authenticator = Deaf(), store = SlowStore()
        let client = client(.init(authenticator, store: store), time)
        try await client[Self.service].logIn(AccessToken("old", refreshToken: "r", account: "ann"))
        let first = Task { await failure { try await client.get("/a") } }
        await eventually { authenticator.asked.value == ["r"] }
        await pass(2, of: time, until: first)
        try await client[Self.service].logIn(AccessToken("bobs", refreshToken: "b", account: "bob"))
        authenticator.gates.update { $0 = ["r"] }
        for _ in 0..<100 { await Task.yield() }
        #expect(store.saved.value?.value == "bobs")
        await client.shutdown()
    }

    @Test func refreshThatHangsDoesNotHoldTheNextLogin() async throws {
        let time = ManualTime(), authenticator = Deaf(open: ["b"])
        let client = client(.init(authenticator), time)
        try await client[Self.service].logIn(AccessToken("old", refreshToken: "r", account: "ann"))
        let first = Task { await failure { try await client.get("/a") } }
        await eventually { authenticator.asked.value == ["r"] }
        try await client[Self.service].logOut()
        _ = await first.value
        try await client[Self.service].logIn(AccessToken("old", refreshToken: "b", account: "bob"))
        try await client.get("/b")
        #expect(authenticator.asked.value == ["r", "b"])
        await client.shutdown()
    }

    /// A store that takes longer than the limit of the refresh.
    private final class SlowStore: TokenStore {
        let gate = Watched(true)
        let saved = Watched<AccessToken?>(nil)
        func token(for key: TokenKey) -> AccessToken? { saved.value }
        func save(_ token: AccessToken, for key: TokenKey) async throws {
            await Task.detached { [gate] in _ = try? await gate.wait { $0 } }.value
            saved.update { $0 = token }
        }
        func removeToken(for key: TokenKey) { saved.update { $0 = nil } }
    }

    @Test(arguments: [1, 2]) func storeThatIsSlowerThanTheLimitLosesNoToken(_ limits: Int) async throws {
        let time = ManualTime(), authenticator = Deaf(open: ["r"]), store = SlowStore()
        let client = client(.init(authenticator, store: store), time)
        try await client[Self.service].logIn(AccessToken("old", refreshToken: "r"))
        store.gate.update { $0 = false }
        let first = Task { await failure { try await client.get("/a") } }
        await eventually { authenticator.asked.value == ["r"] }
        await pass(limits, of: time, until: first)
        store.gate.update { $0 = true }
        await eventually { store.saved.value?.value == "good" }
        try await client.get("/b")
        #expect(authenticator.asked.value == ["r"])
        await client.shutdown()
    }

    @Test func wakingLongAfterItsMomentGivesPendingAnswersAMoment() {
        #expect(DeadlineHeap.pause(afterWaking: .seconds(63)) == .seconds(1))
        #expect(DeadlineHeap.pause(afterWaking: .milliseconds(40)) == nil)
    }
}
