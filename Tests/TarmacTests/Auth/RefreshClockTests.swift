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
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// The device's clock differs from the server's, which states its own in `Date`.
@Suite("Refresh: clocks that differ", .timeLimit(.minutes(5)))
struct RefreshClockTests {
    /// A server whose tokens live for half an hour by its own clock.
    private final class Server: Sendable {
        struct State: Sendable { var now = 1_000_000_000.0, number = 0, end = 0.0, asked = 0, refused = 0 }
        let state = Locked(State())

        func pass(_ seconds: Double) { state.withLock { $0.now += seconds } }

        func answer(_ request: Request) -> Response {
            state.withLock { state in
                var response = Response.status(.ok)
                if request.url.path == "/token" {
                    state.asked += 1
                    (state.number, state.end) = (state.number + 1, state.now + 1800)
                    response = .json(#"{"access_token":"t\#(state.number)","expires_in":1800,"expires":\#(state.end),"refresh_token":"r"}"#)
                } else if request.headers[.authorization] != "Bearer t\(state.number)" || state.now >= state.end {
                    state.refused += 1
                    response = .status(.unauthorized)
                }
                response.headers[.date] = HTTPDate.text(ofSecondsSince1970: state.now)
                return response
            }
        }
    }

    /// Without refreshes ahead of time, which the time of the test would overtake.
    private static let rule = RefreshRule { $0.leeway = .zero }

    private struct Dated: Authenticator {
        let isOff: Bool
        var refreshRule: RefreshRule { RefreshClockTests.rule }
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            let answer = try await context.client.post("/token", as: JSON.self) { if isOff { $0.authenticator = .off } }
            return AccessToken(
                answer["access_token"].string ?? "", refreshToken: "r", expiry: answer["expires"].double.map { Date(timeIntervalSince1970: $0) })
        }
    }

    enum Kind: Sendable, CaseIterable { case date, dateByACallWithoutCredentials, seconds }

    @Test(arguments: [-31_536_000, -3600, -600, -30, 0, 30, 600, 3600, 31_536_000, -900_000_000] as [Double], Kind.allCases)
    func noTokenIsUsedTooLongNorRefreshedTooOften(offset: Double, kind: Kind) async throws {
        let server = Server(), time = ManualTime(date: Date(timeIntervalSince1970: 1_000_000_000 + offset))
        let client = Client(transport: .stub(StubTransport { server.answer($0) }), services: [TokenServer.service], time: time) {
            $0.authenticator =
                kind == .seconds
                ? .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), rule: Self.rule)
                : Authentication(Dated(isOff: kind == .dateByACallWithoutCredentials))
            ($0.timeout, $0.idleTimeout, $0.connectTimeout) = (.unlimited, .unlimited, .unlimited)
        }
        try await client.logIn(AccessToken("old", refreshToken: "r"))
        try await client.get("/a")
        #expect(server.state.withLock { ($0.asked, $0.refused) } == (1, 1))
        for _ in 0..<119 {
            server.pass(60)
            time.advance(by: .seconds(60))
            try await client.get("/a")
        }
        let (asked, refused) = server.state.withLock { ($0.asked, $0.refused) }
        // Two hours. A clock that is half a minute behind is not noticed, and costs a refusal for each token.
        // Ahead by ten minutes, either clock could be meant, and the earlier end counts.
        #expect(asked <= (offset == 600 ? 7 : 5))
        #expect(refused == 1 || abs(offset) == 30 && refused <= asked)
        await client.shutdown()
    }

    @Test(arguments: [(-3600, "1 h behind"), (7200, "2 h ahead of")] as [(Double, String)])
    func theErrorOfARefreshNamesTheDifference(offset: Double, words: String) async throws {
        let now = 1_000_000_000.0
        let stub = StubTransport { _ in .status(.notFound, headers: [.date: HTTPDate.text(ofSecondsSince1970: now)]) }
        let client = Client(
            transport: .stub(stub), services: [TokenServer.service], time: ManualTime(date: Date(timeIntervalSince1970: now + offset))
        ) { $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app")) }
        try await client.logIn(AccessToken("old", refreshToken: "r", expiry: Date(timeIntervalSince1970: now - 86_400)))
        let error = await failure { try await client.get("/a") }
        #expect(error?.code == .refreshFailed)
        #expect(error?.reason.contains("this device's clock is ") == true && error?.reason.contains(words.split(separator: " ").last ?? "") == true)
        await client.shutdown()
    }

    // MARK: What a response says

    @Test(
        arguments: [
            ([.date: "Sun, 06 Nov 1994 08:49:37 GMT"], 784_111_777, 0), ([.date: "Sun, 06 Nov 1994 08:50:36 GMT"], 784_111_777, 0),
            ([.date: "Sun, 06 Nov 1994 08:50:37 GMT"], 784_111_777, 60), ([.date: "Sun, 06 Nov 1994 08:48:37 GMT"], 784_111_777, -60),
            ([.date: "Sun, 06 Nov 1994 08:49:37 GMT", .age: "3600"], 784_115_377, 0), ([.date: "Sun, 06 Nov 1994 08:49:37 GMT", .age: "-9"], 784_111_777, 0),
            ([.date: "Sun, 06 Nov 1994 08:49:37 GMT"], 0, 784_111_777), ([.date: "Fri, 31 Dec 9999 23:59:59 GMT"], 784_111_777, nil),
            ([:], 784_111_777, nil), ([.date: "today"], 784_111_777, nil),
        ] as [(HTTPFields, Double, Double?)])
    func theDifferenceIsThatOfDateAndAge(fields: HTTPFields, now: Double, seconds: Double?) {
        #expect(ClockDifference(fields, now: now)?.seconds == seconds)
    }

    /// The expiry may have been counted by either clock.
    @Test(
        arguments: [
            // Ahead by an hour: passed by the device's clock; not passed by both.
            (-3600, -1800, 1800), (-3600, 600, 600), (-3600, -7200, -7200),
            // Behind by an hour.
            (3600, 5400, 1800), (3600, 1800, 1800), (3600, -5, -5), (0, 1800, 1800), (0, -5, -5),
        ] as [(Double, Double, Double)])
    func theEarlierEndCountsUnlessItHasPassed(difference: Double, left: Double, expected: Double) throws {
        let now = 784_111_777.0
        let clock = try #require(ClockDifference([.date: HTTPDate.text(ofSecondsSince1970: now + difference)], now: now))
        #expect(clock.lifetime(left) == expected)
    }
}
