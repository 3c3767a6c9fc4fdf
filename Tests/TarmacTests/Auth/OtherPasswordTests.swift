import HTTPTypes
import TarmacCookies
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

/// A user name is no proof of its user: a call with another password gets nothing of the calls that the server accepted.
@Suite("Another password of the same user", .timeLimit(.minutes(5)))
struct OtherPasswordTests {
    struct Scheme: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let authentication: @Sendable (_ password: String) -> Authentication
    }

    static let schemes = [
        Scheme(testDescription: "Digest") { .digest(user: "ann", password: $0, hash: DigestTests.hash) },
        Scheme(testDescription: "Basic") { .basic(user: "ann", password: $0) },
    ]

    /// Answers with the number of the answer and the cookie of the request.
    private let stub: StubTransport = {
        let count = Locked(0)
        return StubTransport { request in
            guard request.headers.contains(.authorization) else {
                return Response(status: .unauthorized, headers: [.wwwAuthenticate: #"Digest realm="r", nonce="n", qop="auth""#], url: request.url)
            }
            let number = count.withLock { count in
                count += 1
                return count
            }
            let headers: HTTPFields = [.cacheControl: "private, max-age=60", .setCookie: "sid=\(number)"]
            return .json(#"["\#(number)", "\#(request.headers[.cookie] ?? "none")"]"#, headers: headers)
        }
    }()

    private func ask(_ client: Client, _ scheme: Scheme, _ password: String) async throws -> [String] {
        try await client.get("/me", as: [String].self) { $0.authenticator = scheme.authentication(password) }
    }

    @Test(arguments: schemes) func itsAnswerIsNotOfTheCache(scheme: Scheme) async throws {
        let client = Client(stub) { $0.cache = .http }
        for (password, number) in [("right", "1"), ("right", "1"), ("wrong", "2"), ("right", "1"), ("wrong", "2")] {
            #expect(try await ask(client, scheme, password)[0] == number)
        }
    }

    @Test(arguments: schemes) func itSendsNoCookiesOfTheOther(scheme: Scheme) async throws {
        let client = Client(stub) { $0.cookies = .jar() }
        for (password, cookie) in [("right", "none"), ("right", "sid=1"), ("wrong", "none"), ("right", "sid=2"), ("wrong", "sid=3")] {
            #expect(try await ask(client, scheme, password)[1] == cookie)
        }
    }

    @Test(arguments: schemes) func itSharesNoRequest(scheme: Scheme) async throws {
        let client = Client(stub) { $0.coalesces = true }
        stub.hold()
        async let right = ask(client, scheme, "right")
        try await stub.received(count: 1)
        async let wrong = ask(client, scheme, "wrong")
        try await stub.received(count: 2)
        stub.release()
        let answers = try await (right[0], wrong[0])
        #expect(answers.0 != answers.1)
    }
}
