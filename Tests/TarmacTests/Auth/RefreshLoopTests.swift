#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacStreams
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCore
@testable import TarmacHTTP

/// A refresh that brings nothing new is counted, and ends.
@Suite("Refresh: fruitless ones", .timeLimit(.minutes(5)))
struct RefreshLoopTests {
    private let asked = Watched(0)

    private func plain(_ options: inout Options) {
        (options.timeout, options.idleTimeout, options.connectTimeout) = (.unlimited, .unlimited, .unlimited)
    }

    // MARK: Expired when it arrives

    /// RFC 6749 §5.1 says nothing about zero.
    @Test(arguments: ["0", "0.2", #""0""#, "-1", "1", "29", "31", "3600"])
    func anyLifetimeOfATokenEndpointIsAskedForOnce(seconds: String) async throws {
        let stub = StubTransport { [asked] request in
            guard request.url.path == "/token" else { return .status(.ok) }
            asked.update { $0 += 1 }
            return asked.value > 50 ? .status(.badRequest) : .json(#"{"access_token":"x","token_type":"bearer","expires_in":\#(seconds)}"#)
        }
        let client = Client(transport: .stub(stub), services: [TokenServer.service], time: ManualTime()) {
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"))
            plain(&$0)
        }
        try await client.logIn(AccessToken("old", refreshToken: "r", expiry: Date(timeIntervalSinceReferenceDate: -1)))
        for number in 0..<20 { try await client.get("/\(number)") }
        #expect(asked.value == 1)
        #expect(stub.requests.last?.headers[.authorization] == "Bearer x")
    }

    /// Takes the expiry from a server whose clock differs from the device's.
    private struct Skewed: Authenticator {
        let asked: Watched<Int>, lifetime: Double
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            asked.update { $0 += 1 }
            if asked.value > 50 { throw TarmacError(.loggedOut) }
            return AccessToken("x", refreshToken: "r", expiry: context.time.date.addingTimeInterval(lifetime))
        }
    }

    /// The device's clock is ahead by a year, an hour, a little; then right; then behind.
    @Test(arguments: [-31_536_000, -3_600, -0.001, 0, 3_600, 31_536_000])
    func aClockThatIsWrongMakesNoLoop(lifetime: Double) async throws {
        let stub = StubTransport { _ in .status(.ok) }
        let client = Client(transport: .stub(stub), services: [TokenServer.service], time: ManualTime()) { [asked] in
            $0.authenticator = Authentication(Skewed(asked: asked, lifetime: lifetime))
            plain(&$0)
        }
        try await client.logIn(AccessToken("old", refreshToken: "r", expiry: Date(timeIntervalSinceReferenceDate: -1)))
        for number in 0..<20 { try await client.get("/\(number)") }
        #expect(asked.value == 1)
    }

    @Test(arguments: [-3_600, 0, 3_600] as [Double])
    func tokensThatAreAlwaysRefusedEndWhateverTheirExpirySays(lifetime: Double) async throws {
        let stub = StubTransport { _ in .status(.unauthorized) }
        let client = Client(transport: .stub(stub), services: [TokenServer.service], time: ManualTime()) { [asked] in
            $0.authenticator = Authentication(Skewed(asked: asked, lifetime: lifetime))
            plain(&$0)
        }
        try await client.logIn(AccessToken("old", refreshToken: "r"))
        for number in 0..<20 { #expect(await failure { try await client.get("/\(number)") }?.status == .unauthorized) }
        #expect(asked.value == 2)
        #expect(stub.requests.count <= 3 + 19)
    }

    /// The call that tries a new token alone has a response that takes for ever, as that of a long poll may.
    @Test(arguments: [true, false]) func otherCallsDoNotWaitForACallThatTriesATokenAlone(isStream: Bool) async throws {
        let refreshes = Watched(0), polls = Watched(0), gate = Watched(false), time = ManualTime()
        let stub = StubTransport { request in
            if request.url.path == "/token" {
                refreshes.update { $0 += 1 }
                return .json(##"{"access_token":"a\##(refreshes.value)","token_type":"Bearer","expires_in":3600,"refresh_token":"r"}"##)
            }
            guard request.url.path == "/poll" else { return .json("{}") }
            polls.update { $0 += 1 }
            if polls.value <= 2 { return .status(.unauthorized) }
            _ = try await gate.wait { $0 }
            return .json("{}")
        }
        let client = Client(transport: .stub(stub), services: [TokenServer.service], time: time) {
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"))
            ($0.timeout, $0.idleTimeout, $0.connectTimeout) = (.unlimited, .unlimited, .unlimited)
        }
        try await client.logIn(AccessToken("a0", refreshToken: "r0"))
        let poll = Task { if isStream { for try await _ in client.events(.get("/poll")) {} } else { try await client.get("/poll") } }
        _ = try await polls.wait { $0 == 3 }
        async let others: Void = { for number in 0..<3 { try await client.get("/other/\(number)") } }()
        time.advance(by: .seconds(3))
        try await others
        gate.update { $0 = true }
        poll.cancel()
        _ = await poll.result
        await client.shutdown()
    }

    // MARK: Answers that do not come

    enum Loss: Sendable, CaseIterable { case lost, late, cut, page, redirect, gateway, portal }

    private func answer(_ loss: Loss) throws -> Response {
        let page = "<html>Log in to the network</html>", html: HTTPFields = [.contentType: "text/html"]
        switch loss {
        case .lost: throw TarmacError(.connectionLost, phase: .waiting)
        case .late: throw TarmacError(.timeout, phase: .waiting)
        case .cut: throw TarmacError(.truncatedBody, phase: .receiving)
        case .page: return .text(page, headers: html)
        case .redirect: return .status(.found, headers: [.location: "https://portal.example/"])
        case .gateway: return .text(page, status: .badGateway, headers: html)
        case .portal: return .text(page, status: .badRequest, headers: html)
        }
    }

    private struct Counted: Authenticator {
        let rule: RefreshRule, ends: Watched<[LogOutReason]>
        var refreshRule: RefreshRule { rule }
        func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
            let answer = try await context.client.post("/token", ["refresh_token": token?.refreshToken ?? ""], as: JSON.self)
            return AccessToken(answer["access_token"].string ?? "", refreshToken: answer["refresh_token"].string)
        }
        func didLogOut(_ key: TokenKey, _ reason: LogOutReason) { ends.update { $0.append(reason) } }
    }

    /// The access token has expired, the answer to the refresh does not come, and the next one does.
    @Test(arguments: Loss.allCases, [true, false])
    func aRefreshWithoutAnAnswerKeepsTheLogin(loss: Loss, isOAuth: Bool) async throws {
        let ends = Watched<[LogOutReason]>([]), store = MemoryTokenStore(), key = TokenKey(service: "s", environment: "production")
        let stub = StubTransport { [asked] request in
            guard request.url.path == "/token" else { return request.headers[.authorization] == "Bearer new" ? .status(.ok) : .status(.unauthorized) }
            asked.update { $0 += 1 }
            return asked.value == 1 ? try answer(loss) : .json(#"{"access_token":"new","refresh_token":"r2"}"#)
        }
        let rule = RefreshRule { $0.maximumAttempts = 1 }
        let client = Client(transport: .stub(stub), services: [TokenServer.service], time: ManualTime()) {
            $0.authenticator =
                isOAuth
                ? .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), store: store, rule: rule) { _, reason in ends.update { $0.append(reason) } }
                : Authentication(Counted(rule: rule, ends: ends), store: store)
            $0.redirects = .off
            plain(&$0)
        }
        try await client.logIn(AccessToken("old", refreshToken: "r", expiry: Date(timeIntervalSinceReferenceDate: -1)))
        let error = await failure { try await client.get("/a") }
        #expect(error?.code == .refreshFailed)
        #expect(ends.value == [] && store.token(for: key)?.refreshToken == "r")
        try await client.get("/b")
        #expect(asked.value == 2 && ends.value == [] && store.token(for: key)?.refreshToken == "r2")
        await client.shutdown()
    }

    /// The same call asks again, after a pause.
    @Test(arguments: [Loss.lost, .late, .cut, .page, .gateway])
    func aRefreshWithoutAnAnswerIsRepeated(loss: Loss) async throws {
        let rule = RefreshRule { $0.backOff = .zero }
        let rig = try await TokenRig(rule: rule) { [asked] request in
            guard request.url.path == "/token" else { return request.headers[.authorization] == "Bearer new" ? .json(#"{"n":1}"#) : .status(.unauthorized) }
            asked.update { $0 += 1 }
            return asked.value < 4 ? try answer(loss) : .json(#"{"access_token":"new"}"#)
        }.logIn()
        #expect(try await rig.get("/a") == 1)
        #expect(asked.value == 4 && rig.loggedOut.value == [])
    }

    /// The server has rotated, and accepts the previous refresh token no more.
    @Test func aRefusalAfterALostAnswerEndsTheLogin() async throws {
        let rig = try await TokenRig(rule: RefreshRule { $0.backOff = .zero }) { [asked] request in
            guard request.url.path == "/token" else { return .status(.unauthorized) }
            asked.update { $0 += 1 }
            if asked.value == 1 { throw TarmacError(.connectionLost, phase: .waiting) }
            return .json(#"{"error":"invalid_grant"}"#, status: .badRequest)
        }.logIn()
        #expect(await failure { _ = try await rig.get("/a") }?.code == .loggedOut)
        await eventually { rig.loggedOut.value == [.refused] }
        #expect(asked.value == 2)
    }
}
