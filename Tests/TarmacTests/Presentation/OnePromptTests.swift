import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacPresentation

/// One cause is presented once, however many calls it ends.
@MainActor
@Suite("One prompt for one cause", .timeLimit(.minutes(5)))
struct OnePromptTests {
    private let presenter = RecordingPresenter()

    private func client(_ answer: @escaping @Sendable (Request) throws -> Response) async throws -> (Client, StubTransport) {
        let stub = StubTransport { try answer($0) }
        let client = Client(stub, presenter) {
            $0.authenticator = .oauth(tokenURL: "/token", client: OAuthClient(id: "app"), rule: RefreshRule { $0.maximumAttempts = 1 })
        }
        try await client.logIn(AccessToken("old", refreshToken: "r"))
        return (client, stub)
    }

    @Test(arguments: [true, false])
    func aLoginThatFourteenCallsLoseIsPresentedOnce(isRefused: Bool) async throws {
        let (client, stub) = try await client { request in
            guard request.url.path == "/token" else { return .status(.unauthorized) }
            return isRefused ? .json(#"{"error":"invalid_grant"}"#, status: .badRequest) : .status(.serviceUnavailable)
        }
        stub.hold()
        let calls = (0..<14).map { number in Task { try await client.get("/\(number)") } }
        try await stub.received(count: 14)
        stub.release()
        for call in calls { #expect(await failure { try await call.value }?.code == (isRefused ? .loggedOut : .refreshFailed)) }
        #expect(presenter.prompts == [isRefused ? "data nobody: loggedOut" : "data nobody: refreshFailed"])
        // The user tries again.
        _ = await failure { try await client.get("/again") }
        #expect(presenter.prompts.count == 2)
    }

    @Test func errorsOfTheCallsThemselvesAreEachPresented() async throws {
        let (client, stub) = try await client { _ in .status(.notFound) }
        stub.hold()
        let calls = (0..<3).map { number in Task { try await client.get("/\(number)") } }
        try await stub.received(count: 3)
        stub.release()
        for call in calls { _ = await failure { try await call.value } }
        #expect(presenter.prompts.count == 3)
    }
}
