#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacTesting

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// A service whose tokens wear out, with a token endpoint that rotates refresh tokens and takes none twice.
final class TokenServer: Sendable {
    struct State: Sendable {
        var generation = 0
        var usesLeft: Int
        var refreshing = 0
        var spent: Set<String> = []
        /// What went wrong, by the server's own judgement.
        var faults: [String] = []
        var refreshes = 0
        /// Statuses the token endpoint answers with before it gives a token.
        var failures: [Int] = []
        /// How often each path was refused.
        var refusals: [String: Int] = [:]
    }
    let state: Locked<State>
    private let uses: Int
    let gate = Watched(true)

    init(uses: Int = .max, failures: [Int] = []) {
        self.uses = uses
        state = Locked(State(usesLeft: uses, failures: failures))
    }

    static let service = Service("s", host: "https://s.example")

    /// The token the server gave at the log-in.
    static func login(expiry: Double? = nil, account: String? = nil) -> AccessToken {
        AccessToken("access-0", refreshToken: "refresh-0", expiry: expiry.map { .init(timeIntervalSinceReferenceDate: $0) }, account: account)
    }

    var faults: [String] { state.withLock { $0.faults } }
    var refreshes: Int { state.withLock { $0.refreshes } }

    /// Makes the current token worthless.
    func expire() { state.withLock { $0.usesLeft = 0 } }

    func answer(_ request: Request) async throws -> Response {
        request.url.path == "/token" ? try await refresh(request) : call(request)
    }

    private func call(_ request: Request) -> Response {
        state.withLock { state in
            let isGood = request.headers[.authorization] == "Bearer access-\(state.generation)" && state.usesLeft > 0
            if isGood {
                state.usesLeft -= 1
                return .json(#"{"n":1}"#)
            }
            state.refusals[request.url.path, default: 0] += 1
            return .json(#"{"error":"expired"}"#, status: .unauthorized)
        }
    }

    private func refresh(_ request: Request) async throws -> Response {
        let form = request.text
        let token = form.split(separator: "&").first { $0.hasPrefix("refresh_token=") }.map { String($0.dropFirst(14)) } ?? ""
        let failure = state.withLock { state -> Int? in
            state.refreshing += 1
            state.refreshes += 1
            if state.refreshing > 1 { state.faults.append("refreshes overlap") }
            if request.headers[.authorization]?.hasPrefix("Bearer") == true { state.faults.append("the refresh carries a token") }
            return state.failures.isEmpty ? nil : state.failures.removeFirst()
        }
        defer { state.withLock { $0.refreshing -= 1 } }
        _ = try await gate.wait { $0 }
        for _ in 0..<10 { await Task.yield() }
        if let failure { return .json(#"{"error":"\#(failure == 400 ? "invalid_grant" : "x")"}"#, status: .init(code: failure)) }
        return state.withLock { state in
            if token != "refresh-\(state.generation)" { state.faults.append("\(token) is not the latest refresh token") }
            if !state.spent.insert(token).inserted { state.faults.append("\(token) used twice") }
            state.generation += 1
            state.usesLeft = uses
            return .json(
                #"{"access_token":"access-\#(state.generation)","token_type":"Bearer","expires_in":3600,"refresh_token":"refresh-\#(state.generation)"}"#)
        }
    }
}

extension Request {
    /// The body's text.
    var text: String { if case .bytes(let bytes) = body.content { String(decoding: bytes.array, as: UTF8.self) } else { "" } }
}

/// A client of a token server, logged in.
struct TokenRig: Sendable {
    let server: TokenServer
    let stub: StubTransport
    let client: Client
    let recorder = EventRecorder()
    let store: MemoryTokenStore
    let loggedOut = Watched<[LogOutReason]>([])

    init(
        _ server: TokenServer = TokenServer(), concurrency: Int = 64, time: any TimeSource = .system, rule: RefreshRule = RefreshRule(),
        store: MemoryTokenStore = MemoryTokenStore(),
        answer: (@Sendable (Request) async throws -> Response)? = nil, configure: @escaping @Sendable (inout Options) -> Void = { _ in }
    ) {
        self.server = server
        self.store = store
        let stub = StubTransport(answer: answer ?? { try await server.answer($0) })
        self.stub = stub
        let (recorder, loggedOut) = (recorder, loggedOut)
        client = Client(transport: .stub(stub), services: [TokenServer.service], concurrency: concurrency, time: time) {
            $0.authenticator = Authentication(
                OAuthAuthenticator(
                    tokenURL: "/token", client: OAuthClient(id: "app"), refreshRule: rule
                ) { _, reason in loggedOut.update { $0.append(reason) } }, store: store)
            $0.observers = [recorder]
            configure(&$0)
        }
    }

    func logIn(expiry: Double? = nil, account: String? = nil) async throws -> TokenRig {
        try await client[TokenServer.service].logIn(TokenServer.login(expiry: expiry, account: account))
        return self
    }

    func get(_ path: String, configure: (inout Options) -> Void = { _ in }) async throws -> Int {
        try await client.get(path, as: Number.self, configure: configure).n
    }

    /// How often each path was sent.
    func sent(_ path: String) -> Int { stub.requests.count { $0.url.path == path } }

    func events(_ name: String) -> Int { recorder.names.count { $0 == name } }
}
