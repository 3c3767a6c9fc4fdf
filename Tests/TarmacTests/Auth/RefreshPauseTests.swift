import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacResilience
import TarmacTraffic

/// A refresh repeats by its own rule, as the server wishes, and by no other.
@Suite("Refresh: how it repeats", .timeLimit(.minutes(5)))
struct RefreshPauseTests {
    private let server = TokenServer()
    private let asked = Watched(0)

    /// A rig whose token endpoint fails the first time.
    private func rig(
        _ rule: RefreshRule, time: any TimeSource = .system, failing: @escaping @Sendable () throws -> Response,
        configure: @escaping @Sendable (inout Options) -> Void = { _ in }
    ) async throws -> TokenRig {
        try await TokenRig(server, time: time, rule: rule) { [server, asked] request in
            guard request.url.path == "/token" else { return try await server.answer(request) }
            let number = asked.update {
                $0 += 1
                return $0
            }
            return number == 1 ? try failing() : try await server.answer(request)
        } configure: {
            $0.timeout = .unlimited
            $0.idleTimeout = .unlimited
            $0.connectTimeout = .unlimited
            configure(&$0)
        }.logIn()
    }

    /// RFC 9110 §10.2.3: seconds or a date.
    @Test(arguments: ["8", "Mon, 01 Jan 2001 00:00:08 GMT"])
    func aRetryAfterOfEitherFormIsWaitedFor(text: String) async throws {
        let time = ManualTime()
        let rig = try await rig(RefreshRule { $0.backOff = .zero }, time: time) { .status(.serviceUnavailable, headers: [.retryAfter: text]) }
        server.expire()
        let call = Task { try await rig.get("/a") }
        // One sleeps until the refresh's limit, one until the server's date.
        await eventually { asked.value == 1 && time.sleepers >= 2 }
        #expect(time.nextDeadline == .seconds(8))
        time.advance(by: .seconds(8))
        #expect(try await call.value == 1)
        #expect(asked.value == 2 && server.faults == [])
    }

    @Test func theServicesOwnRetryRuleIsNotItsOwn() async throws {
        let rig = try await rig(RefreshRule { $0.maximumAttempts = 1 }) {
            throw TarmacError(.connectionRefused, phase: .connecting)
        } configure: {
            $0.retry = .exponential(maxAttempts: 5, base: .zero)
            $0.idempotencyKey = .automatic
        }
        server.expire()
        let error = await failure { _ = try await rig.get("/a") }
        #expect(error?.code == .refreshFailed && asked.value == 1)
    }

    /// Those who wait for it have had their turn.
    @Test func aRefreshNeedsNoTurnOfTheRateLimit() async throws {
        let rig = try await rig(RefreshRule(), time: ManualTime()) {
            .json(#"{"access_token":"access-1","token_type":"Bearer"}"#)
        } configure: {
            $0.rateLimit = .per(.seconds(3_600), 1, burst: 2)
        }
        server.expire()
        server.state.withLock { ($0.generation, $0.usesLeft) = (1, 9) }
        #expect(try await rig.get("/a") == 1)
        #expect(asked.value == 1)
    }

    /// RFC 9113 §8.7: the refresh token was not used, and may be.
    @Test func aRefreshTheServerHasNotActedOnIsAskedAgainWithTheSameToken() async throws {
        let rig = try await rig(RefreshRule { $0.backOff = .zero }) { throw TarmacError(.requestUnprocessed, phase: .waiting) }
        server.expire()
        #expect(try await rig.get("/a") == 1)
        #expect(asked.value == 2 && rig.loggedOut.value == [] && server.faults == [])
    }
}
