import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// The authenticator of the guide's page: it refreshes by a call of the client that it is given.
private struct Calling: Authenticator {
    let outcomes: Locked<[String]>
    func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
        try await context.client.send(raw: Request(.post, HTTPURL("https://s.example/refresh")), service: context.service)
        return AccessToken("new-\(context.key.principal)", refreshToken: "r2")
    }
    func didLogOut(_ key: TokenKey, _ reason: LogOutReason) { outcomes.withLock { $0.append("\(key.principal) \(reason)") } }
}

/// A call may name its user, whatever the client's layer says. The refresh of that user's token is sent without credentials.
@Suite("The refresh of a user whom the call names", .timeLimit(.minutes(5)))
struct PrincipalRefreshTests {
    private let outcomes = Locked<[String]>([])

    private func client(_ stub: StubTransport) -> Client {
        Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) { [outcomes] in
            $0.authenticator = .init(Calling(outcomes: outcomes))
        }
    }

    @Test(arguments: [nil, "", "bob"] as [String?]) func itGoesUnderNoLogin(other: String?) async throws {
        let stub = StubTransport { request in
            request.url.path == "/refresh" || request.headers[.authorization] == "Bearer new-ann" ? .json("{}") : .status(.unauthorized)
        }
        let client = client(stub)
        try await client.logIn(AccessToken("old", refreshToken: "r1"), as: "ann")
        if let other { try await client.logIn(AccessToken("other", refreshToken: "o1"), as: other) }
        client.options.principal = other ?? ""
        try await client.get("/me") { $0.principal = "ann" }
        let refreshes = stub.requests.filter { $0.url.path == "/refresh" }
        #expect(refreshes.count == 1 && refreshes[0].headers[.authorization] == nil)
        #expect(outcomes.withLock { $0 } == [])
        await client.shutdown()
    }

    /// What the refresh asks of another service may end there, without a word about this login.
    @Test func theEndOfAnotherLoginEndsNotThisOne() async throws {
        struct Asking: Authenticator {
            let vault: Service
            func refresh(_ token: AccessToken?, in context: RefreshContext) async throws -> AccessToken {
                try await context.client[vault].get("/secret")
                return AccessToken("new", refreshToken: "r2")
            }
        }
        let stub = StubTransport { _ in .status(.unauthorized) }
        let vault = Service("vault", host: "https://vault.example") { [outcomes] in $0.authenticator = .init(Calling(outcomes: outcomes)) }
        let service = Service("s", host: "https://s.example") { $0.authenticator = .init(Asking(vault: vault)) }
        let client = Client(transport: .stub(stub), services: [service, vault])
        try await client[service].logIn(AccessToken("old", refreshToken: "r1"))
        let error = await #expect(throws: TarmacError.self) { try await client[service].get("/me") }
        #expect(error?.code == .refreshFailed)
        await client.shutdown()
    }
}
