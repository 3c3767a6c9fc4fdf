import HTTPTypes
import TarmacResilience
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCore
@testable import TarmacHTTP

/// A challenge is answered, and the outcome of the answer is not known. The credentials stay, each request counts the nonce on, and
/// nothing is sent in a loop.
@Suite("Digest: unknown outcomes", .timeLimit(.minutes(5)))
struct DigestOutcomeTests {
    struct Outcome: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: @Sendable () throws -> Response
        init(_ name: String, _ answer: @escaping @Sendable () throws -> Response) { (testDescription, self.answer) = (name, answer) }
    }

    private static func page(_ status: Int) -> Outcome {
        Outcome("a page with \(status)") {
            var response = Response.status(HTTPResponse.Status(code: status), headers: [.contentType: "text/html"])
            response.body = .bytes(Bytes("<html>Log in to the network</html>"))
            return response
        }
    }

    static let unknown = [
        Outcome("the answer is lost") { throw TarmacError(.connectionLost, phase: .waiting) },
        Outcome("the answer is lost on the way") { throw TarmacError(.connectionLost, phase: .receiving) },
        Outcome("the connection fails while it is sent") { throw TarmacError(.connectionFailed, phase: .sending) },
        Outcome("no answer in time") { throw TarmacError(.timeout, phase: .waiting) },
        Outcome("cut short") { throw TarmacError(.truncatedBody, phase: .receiving) },
        Outcome("no HTTP") { throw TarmacError(.malformedResponse, phase: .receiving) },
        page(401), page(403), page(407), page(502), page(511),
    ]

    private let answered = Watched(0)

    /// A server that challenges once. The outcome replaces its answers to the first `lost` answered challenges.
    private func client(_ outcome: Outcome, lost: Int = 1, retry: RetryRule = .never) -> (Client, StubTransport) {
        let stub = StubTransport { [answered] request in
            guard request.headers.contains(.authorization) else {
                return .status(.unauthorized, headers: [.wwwAuthenticate: #"Digest realm="r", qop="auth", algorithm=SHA-256, nonce="n""#])
            }
            answered.update { $0 += 1 }
            return answered.value <= lost ? try outcome.answer() : .status(.ok)
        }
        let client = Client(stub) {
            $0.authenticator = .digest(user: "Mufasa", password: "Circle of Life", hash: DigestTests.hash)
            $0.retry = retry
        }
        return (client, stub)
    }

    private static func endpoint(_ method: String) -> InlineEndpoint<Void> { method == "GET" ? .get("/a") : .post("/a") }

    private func counts(_ stub: StubTransport) -> [String?] {
        stub.requests.map { request in
            request.headers[.authorization].flatMap { AuthChallenge.parse([$0]).first?.parameters["nc"] }.map { String($0.suffix(2)) }
        }
    }

    @Test(arguments: unknown, ["GET", "POST"])
    func theNextCallCountsOnWithTheSameNonce(outcome: Outcome, method: String) async throws {
        let (client, stub) = client(outcome)
        #expect(await failure { try await client.send(Self.endpoint(method)) } != nil)
        #expect(counts(stub) == [nil, "01"])
        try await client.send(Self.endpoint(method))
        #expect(counts(stub) == [nil, "01", "02"])
        await client.shutdown()
    }

    /// RFC 7616 §3.4: the server has seen the first count, and would take the same one for a replay.
    @Test(arguments: unknown.prefix(5))
    func aRetryCountsOnAndIsNotChallengedAgain(outcome: Outcome) async throws {
        let (client, stub) = client(outcome, lost: 2, retry: .exponential(maxAttempts: 4, base: .zero))
        try await client.get("/a")
        #expect(counts(stub) == [nil, "01", "02", "03"])
        await client.shutdown()
    }

    @Test func anAnswerThatIsAlwaysLostEndsWithTheRetries() async throws {
        let (client, stub) = client(Self.unknown[0], lost: .max, retry: .exponential(maxAttempts: 4, base: .zero))
        #expect(await failure { try await client.get("/a") }?.code == .connectionLost)
        #expect(stub.requests.count <= 5)
        await client.shutdown()
    }
}
