import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCallLog

/// Secrets that a call knows only from elsewhere, and texts that are cut off.
@Suite("Call log, secrets of shared and truncated texts", .timeLimit(.minutes(5)))
struct CallLogSecretTests {
    private let log = CallLog(bodies: .first(.kib(64)))
    private let token = "zq7x7KpsharedVw3"

    /// Answers with the token that the request has.
    private func guarded(_ stub: StubTransport, _ recorder: EventRecorder, configure: (inout Options) -> Void = { _ in }) async throws -> Client {
        let client = Client(transport: .stub(stub), services: [.guarded]) {
            $0.log = log
            $0.observers = [recorder]
            ($0.timeout, $0.idleTimeout) = (.unlimited, .unlimited)
            configure(&$0)
        }
        try await client[.guarded].logIn(AccessToken(token, refreshToken: "zq8x7KprefreshVw3"))
        return client
    }

    private var echo: StubTransport { StubTransport { .text("seen \($0.headers[.authorization]?.dropFirst(7) ?? "nothing")") } }

    @Test func theTokenOfASharedRequestIsMaskedInBothCalls() async throws {
        let stub = echo, recorder = EventRecorder(), client = try await guarded(stub, recorder) { $0.coalesces = true }
        stub.hold()
        let calls = (0..<2).map { _ in Task { try await client[.guarded].get("/echo") } }
        await eventually { recorder.names.contains("coalesced") }
        stub.release()
        for call in calls { try await call.value }
        #expect(stub.requests.count == 1 && log.entries.map(\.attempts.count).sorted() == [0, 1])
        #expect(log.entries.map(\.response?.body?.text) == ["seen ‹masked›", "seen ‹masked›"])
        await client.shutdown()
    }

    @Test func theTokenOfAStoredResponseIsMasked() async throws {
        let stub = StubTransport {
            .text("seen \($0.headers[.authorization]?.dropFirst(7) ?? "nothing")", headers: [.cacheControl: "private, max-age=600"])
        }
        let client = try await guarded(stub, EventRecorder()) { $0.cache = .http }
        for _ in 0..<2 { _ = try await client[.guarded].send(.get("/echo", as: String.self)) }
        #expect(log.entries.map(\.attempts.count) == [1, 0] && log.entries.last?.source == .cache)
        #expect(log.entries.map(\.response?.body?.text) == ["seen ‹masked›", "seen ‹masked›"])
        await client.shutdown()
    }

    @Test func theSecretsOfHeadersCountBeforeThoseOfALargeBody() async throws {
        let client = try await guarded(echo, EventRecorder())
        let passwords = (0..<600).map { #"{"password":"zq\#($0)x7KpbodyVw3"}"# }.joined(separator: ",")
        try await client[.guarded].post("/echo", body: .text("[\(passwords)]", contentType: "application/json"))
        #expect(log.entries.last?.response?.body?.text == "seen ‹masked›")
        await client.shutdown()
    }

    @Test(arguments: [
        ("application/json", #"{"page":7,"#), ("application/problem+json", #"{"page":7,"#), ("application/x-ndjson", "{\"page\":7}\n{"),
        ("text/event-stream", "data: {\"page\":7}\n\ndata: {"),
    ])
    func membersOfADocumentThatIsCutOffAreMaskedByTheirNames(type: String, start: String) async throws {
        let log = CallLog(bodies: .first(.bytes(1_000))), sentence = "must not be longer than the swordfish"
        let text = start + #""password":"\#(sentence)","pad":""# + String(repeating: "word ", count: 1_000)
        let client = Client(transport: .stub { _ in .bytes(Bytes(text), contentType: type) }, services: [.logged]) { $0.log = log }
        try await client.get("/cut")
        let shown = try #require(log.entries.last?.response?.body?.text)
        #expect(!shown.contains("swordfish") && shown.contains("‹masked›") && shown.contains(#""page":7"#) && shown.contains("word"))
        await client.shutdown()
    }
}
