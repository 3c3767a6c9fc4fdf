#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCore
@testable import TarmacHTTP

/// After a failed refresh, calls do not ask the token endpoint one after another.
@Suite("Refresh: the pause between calls", .timeLimit(.minutes(5)))
struct RefreshRestTests {
    private let asked = Watched(0)
    private let time = ManualTime()
    private let isDown = Watched(true)

    enum Failure: Sendable, CaseIterable {
        case refusedConnection, lost, page, unavailable, malformed, clientError, ownError

        func answer() throws -> Response {
            switch self {
            case .refusedConnection: throw TarmacError(.connectionRefused, phase: .connecting)
            case .lost: throw TarmacError(.connectionLost, phase: .waiting)
            case .page: .text("<html>Log in to the network</html>", headers: [.contentType: "text/html"])
            case .unavailable: .status(.serviceUnavailable)
            case .malformed: .json("{}")
            case .clientError: .json(#"{"error":"invalid_client"}"#, status: .unauthorized)
            case .ownError: throw CancellationError()
            }
        }
    }

    private struct Plain: Authenticator {
        let rule: RefreshRule
        var refreshRule: RefreshRule { rule }
        func canRefresh(_ token: AccessToken?) -> Bool { true }
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            struct Own: Error {}
            do { return AccessToken(try await context.client.post("/token", as: JSON.self)["access_token"].string ?? "") } catch { throw Own() }
        }
    }

    private func client(_ failure: Failure, isEmpty: Bool = false, headers: HTTPFields = [:]) -> Client {
        let rule = RefreshRule { $0.maximumAttempts = 1 }
        let stub = StubTransport { [asked, isDown] request in
            guard request.url.path == "/token" else { return .status(request.headers[.authorization] == "Bearer new" ? .ok : .unauthorized) }
            asked.update { $0 += 1 }
            guard isDown.value else { return .json(#"{"access_token":"new","refresh_token":"r","expires_in":100}"#) }
            if failure == .ownError { return .status(.notFound) }
            var response = try failure.answer()
            for field in headers { response.headers.append(field) }
            return response
        }
        return Client(transport: .stub(stub), services: [TokenServer.service], time: time) {
            $0.authenticator =
                failure == .ownError
                ? Authentication(Plain(rule: rule))
                : isEmpty
                    ? .clientCredentials(tokenURL: "/token", client: OAuthClient(id: "app"), rule: rule)
                    : .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), rule: rule)
            ($0.timeout, $0.idleTimeout, $0.connectTimeout) = (.unlimited, .unlimited, .unlimited)
        }
    }

    private static let expired = AccessToken("old", refreshToken: "r", expiry: Date(timeIntervalSinceReferenceDate: -1))

    private func code(_ client: Client) async -> TarmacError.Code? { await failure { try await client.get("/a") }?.code }

    /// The first call after a failure asks at once, as a press of a button does. Further ones wait, and then ask once.
    @Test(arguments: Failure.allCases, [true, false])
    func callsInALoopAskOnceInEachPauseWhichDoubles(kind: Failure, isEmpty: Bool) async throws {
        let client = client(kind, isEmpty: isEmpty)
        if !isEmpty { try await client.logIn(Self.expired) }
        for _ in 0..<100 { #expect(await code(client) == .refreshFailed) }
        #expect(asked.value == 2)
        for (number, pause) in [0.5, 1, 2, 4, 8, 10, 10].enumerated() {
            time.advance(by: .seconds(pause) - .milliseconds(1))
            for _ in 0..<5 { #expect(await code(client) == .refreshFailed) }
            #expect(asked.value == 2 + number)
            time.advance(by: .milliseconds(1))
            for _ in 0..<5 { #expect(await code(client) == .refreshFailed) }
            #expect(asked.value == 3 + number)
        }
        // A success ends it, and the next failure is a first one.
        isDown.update { $0 = false }
        time.advance(by: .seconds(10))
        for _ in 0..<5 { try await client.get("/a") }
        #expect(asked.value == 10)
        guard kind != .ownError else { return await client.shutdown() }
        isDown.update { $0 = true }
        time.advance(by: .seconds(200))
        for _ in 0..<20 { #expect(await code(client) == .refreshFailed) }
        #expect(asked.value == 12)
        await client.shutdown()
    }

    /// A refusal of the old token is not the error: its cause is the refresh.
    @Test func aRefusedTokenEndsWithTheErrorOfTheRefresh() async throws {
        let client = client(.unavailable)
        try await client.logIn(AccessToken("old", refreshToken: "r"))
        for _ in 0..<20 {
            let error = await failure { try await client.get("/a") }
            #expect(error?.code == .refreshFailed && error?.status == .serviceUnavailable)
        }
        #expect(asked.value == 2)
        await client.shutdown()
    }

    @Test(arguments: [("7", 7), ("86400", 30)])
    func theServersOwnPauseIsKeptUpToTheCoolDown(text: String, seconds: Int) async throws {
        let client = client(.unavailable, headers: [.retryAfter: text])
        try await client.logIn(Self.expired)
        for _ in 0..<20 { #expect(await code(client) == .refreshFailed) }
        #expect(asked.value == 1)
        time.advance(by: .seconds(seconds) - .milliseconds(1))
        #expect(await code(client) == .refreshFailed)
        #expect(asked.value == 1)
        time.advance(by: .milliseconds(1))
        #expect(await code(client) == .refreshFailed)
        #expect(asked.value == 2)
        await client.shutdown()
    }

    @Test func aNewLoginDoesNotWait() async throws {
        let client = client(.lost)
        try await client.logIn(Self.expired)
        for _ in 0..<5 { #expect(await code(client) == .refreshFailed) }
        try await client.logIn(AccessToken("new", refreshToken: "r"))
        try await client.get("/a")
        #expect(asked.value == 2)
        await client.shutdown()
    }

    /// A token that is valid for some more time is used, and its refresh ahead pauses too.
    @Test func callsGoOnWithATokenThatIsStillValid() async throws {
        let client = client(.lost)
        isDown.update { $0 = false }
        try await client.logIn(Self.expired)
        try await client.get("/a")
        isDown.update { $0 = true }
        time.advance(by: .seconds(80))
        for _ in 0..<50 {
            try await client.get("/a")
            for _ in 0..<20 { await Task.yield() }
        }
        #expect(asked.value <= 3)
        await client.shutdown()
    }
}
