import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacStreams
import TarmacTraffic

/// When a stream of events is connected again, and after how long (WHATWG HTML §9.2.3).
@Suite("Reconnect policy")
struct ReconnectPolicyTests {
    private static func error(_ code: TarmacError.Code, status: Int? = nil) -> TarmacError {
        let error = TarmacError(code, phase: .receiving, "x")
        return status.map { error.with(response: ResponseSnapshot(status: .init(code: $0), headers: [:], body: .empty)) } ?? error
    }

    private static func request(_ method: HTTPRequest.Method = .get, key: Bool = false, body: Body = .none) throws -> Request {
        var request = Request(method, try HTTPURL("https://s.example/"), body: body)
        if key { request.headers[.idempotencyKey] = "k" }
        return request
    }

    private static func decide(
        _ request: Request, by rule: EventStreamRule = .reconnecting, failure: TarmacError? = nil, refusals: Int = 0, id: String = "", retry: Duration? = nil,
        retryAfter: Duration? = nil, chance: Double = 0
    ) -> String {
        let situation = ReconnectPolicy.Situation(
            request: request, failure: failure, refusals: refusals, resumption: .init(lastEventID: id, reconnectionTime: retry), retryAfter: retryAfter,
            chance: chance)
        return switch ReconnectPolicy(rule: rule).decide(situation) {
        case .end: "end"
        case .fail(let error): "fail \(error.code)"
        case .reconnect(let pause): "\(pause.shown)"
        }
    }

    @Test(
        arguments: [
            (.cannotFindHost, true), (.connectionRefused, true), (.connectTimeout, true), (.connectionFailed, true), (.connectionLost, true), (.timeout, true),
            (.idleTimeout, true), (.truncatedBody, true), (.malformedResponse, true), (.transportFailed, true),
            (.requestUnprocessed, true), (.circuitOpen, true), (.rateLimited, true), (.refreshFailed, true),
            (.deadlineExceeded, false),
            (.clientShutDown, false), (.loggedOut, false), (.untrustedCertificate, false), (.pinMismatch, false), (.unacceptableContentType, false),
            (.recordTooLarge, false), (.decodingFailed, false), (.queueTimeout, false), (.redirectRefused, false), (.invalidParameter, false),
        ] as [(TarmacError.Code, Bool)])
    func whatMayPassIsConnectedAgain(code: TarmacError.Code, isTransient: Bool) throws {
        #expect(Self.decide(try Self.request(), failure: Self.error(code)) == (isTransient ? "3 s" : "fail \(code)"))
    }

    @Test(arguments: [(429, true), (502, true), (503, true), (504, true), (500, false), (404, false), (401, false), (201, false)])
    func onlySomeStatusesPass(status: Int, isTransient: Bool) throws {
        let decision = Self.decide(try Self.request(), failure: Self.error(.unacceptableStatus, status: status))
        #expect(decision == (isTransient ? "3 s" : "fail unacceptableStatus"))
    }

    /// Law 5.
    @Test func whatIsNotIdempotentIsSentAgainOnlyWhereThatIsAllowed() throws {
        let lost = Self.error(.connectionLost), post = try Self.request(.post)
        #expect(Self.decide(post) == "end")
        #expect(Self.decide(post, failure: lost) == "fail connectionLost")
        #expect(Self.decide(post, failure: lost, id: "1") == "fail connectionLost")
        #expect(Self.decide(try Self.request(.post, key: true), failure: lost) == "3 s")
        #expect(Self.decide(post, by: .reconnecting { $0.resending = .withLastEventID }, failure: lost) == "fail connectionLost")
        #expect(Self.decide(post, by: .reconnecting { $0.resending = .withLastEventID }, failure: lost, id: "1") == "3 s")
        #expect(Self.decide(post, by: .reconnecting { $0.resending = .withLastEventID }, id: "1") == "end")
        #expect(Self.decide(post, by: .reconnecting { $0.resending = .always }) == "3 s")
        let stream = Body.stream(ByteStream { EmptySource() })
        #expect(Self.decide(try Self.request(.post, body: stream), by: .reconnecting { $0.resending = .always }, failure: lost) == "fail connectionLost")
    }

    @Test func onceIsOnce() throws {
        #expect(Self.decide(try Self.request(), by: .once) == "end")
        #expect(Self.decide(try Self.request(), by: .once, failure: Self.error(.connectionLost)) == "fail connectionLost")
    }

    @Test func pausesDoubleWhileNothingOpensAndEndAtTheLimit() throws {
        let refused = Self.error(.connectionRefused)
        let pauses = try (0...10).map { Self.decide(try Self.request(), failure: refused, refusals: $0) }
        #expect(pauses == ["3 s", "6 s", "12 s", "24 s", "48 s", "60 s", "60 s", "60 s", "60 s", "60 s", "fail connectionRefused"])
        #expect(Self.decide(try Self.request(), by: .reconnecting { $0.maximumRefusals = .max }, failure: refused, refusals: 5_000) == "60 s")
    }

    @Test func theServersTimeIsTheLeast() throws {
        let request = try Self.request()
        #expect(Self.decide(request, retry: .seconds(10)) == "10 s")
        #expect(Self.decide(request, retry: .seconds(600)) == "600 s")
        #expect(Self.decide(request, refusals: 3, retry: .seconds(600)) == "600 s")
        #expect(Self.decide(request, retry: .zero) == "100 ms")
        #expect(Self.decide(request, retryAfter: .seconds(20)) == "20 s")
        #expect(Self.decide(request, retry: .seconds(30), retryAfter: .seconds(20)) == "30 s")
        #expect(Self.decide(request, retry: .seconds(1_000_000)) == "86400 s")
        #expect(Self.decide(request, retry: .seconds(10), chance: 0.5) == "11.3 s")
    }

    @Test(arguments: [
        EventStreamRule.reconnecting { $0.delay = .seconds(-1) }, .reconnecting { $0.maximumDelay = .seconds(90_000) }, .once { $0.endMarker = "" },
        .reconnecting { $0.maximumRefusals = -1 },
    ])
    func aRuleThatMeansNothingIsRefused(rule: EventStreamRule) async {
        let client = Client(StubTransport { _ in .events() })
        let error = await failure { _ = try await client.events(.get("/")) { $0.events = rule }.collected() }
        #expect(error?.code == .invalidOption)
        #expect(error?.reason.contains("events") == true)
    }
}

private final class EmptySource: ByteStreamSource {
    func next() async throws -> Bytes? { nil }
}
