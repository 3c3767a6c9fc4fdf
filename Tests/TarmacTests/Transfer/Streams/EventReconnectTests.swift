import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacStreams

/// Streams of events that go on (WHATWG HTML §9.2.3). Time is manual.
@Suite("Reconnection of event streams", .timeLimit(.minutes(5)))
struct EventReconnectTests {
    private let time = ManualTime()
    private let recorder = EventRecorder()

    private func client(_ stub: StubTransport, configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(
            transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time, randomness: SeededGenerator(seed: 1)
        ) {
            $0.timeout = .unlimited
            $0.connectTimeout = .unlimited
            $0.idleTimeout = .unlimited
            $0.observers = [recorder]
            configure(&$0)
        }
    }

    private var reconnections: [(pause: Duration, code: TarmacError.Code?)] {
        recorder.events.compactMap { if case .stage(StreamEvent.reconnecting(let pause, let error)) = $0.kind { (pause, error?.code) } else { nil } }
    }

    /// Lets the pause before each of so many further connections pass.
    private func passPauses(_ count: Int) async throws {
        for number in 1...count {
            await eventually { reconnections.count >= number }
            try await time.hasSleepers()
            time.advance(by: reconnections[number - 1].pause)
        }
    }

    private func ids(_ stub: StubTransport) -> [String] { stub.requests.map { $0.headers[.lastEventIDForTests] ?? "" } }

    @Test func aBodyThatEndsIsFollowedByAnotherThatGoesOnAfterTheLastEvent() async throws {
        let answers = Answers(
            { .events("id: 1\nretry: 10000\ndata: a\n\nid: 2\ndata: lost") }, { .events("data: b\n\n") }, { .events("id\ndata: c\n\n") },
            { .status(.noContent) })
        let stub = answers.stub, client = client(stub)
        async let events = client.events(.get("/")).collected()
        try await passPauses(3)
        let all = try await events
        #expect(all.map(\.data) == ["a", "b", "c"])
        #expect(all.map(\.lastEventID) == ["1", "1", ""])
        #expect(ids(stub) == ["", "1", "1", ""])
        #expect(reconnections.allSatisfy { $0.pause >= .seconds(10) && $0.pause <= .milliseconds(12_500) && $0.code == nil })
        #expect(recorder.names.filter { $0 == "landed" }.count == 1)
    }

    /// A field of the caller's own says the same as `after`, which wins.
    @Test(arguments: [("", "41"), ("50", "50")])
    func aFieldOfTheCallersOwnIsWhereItGoesOn(after: String, first: String) async throws {
        let answers = Answers({ .events("data: a\n\n") }, { .events("id: 42\ndata: b\n\n") }, { .events("id\ndata: c\n\n") }, { .status(.noContent) })
        let stub = answers.stub, client = client(stub)
        async let events = client.events(.get("/"), after: after) { $0.headers["Last-Event-ID"] = "41" }.collected()
        try await passPauses(3)
        #expect(try await events.map(\.lastEventID) == [first, "42", ""])
        #expect(ids(stub) == [first, first, "42", ""])
    }

    @Test(arguments: [TarmacError.Code.connectionLost, .truncatedBody])
    func aConnectionThatBreaksIsFollowedByAnother(code: TarmacError.Code) async throws {
        let answers = Answers({ .broken("id: 7\ndata: a\n\nda", code: code) }, { .events("data: b\n\n") }, { .status(.noContent) })
        let stub = answers.stub, client = client(stub)
        async let events = client.events(.get("/")).collected()
        try await passPauses(2)
        #expect(try await events.map(\.data) == ["a", "b"])
        #expect(ids(stub) == ["", "7", "7"])
        #expect(reconnections.map(\.code) == [code, nil])
    }

    @Test func theFirstConnectionFailsLikeAnyCall() async throws {
        let stub = StubTransport { _ in throw TarmacError(.connectionRefused, phase: .connecting, "no") }
        let error = await failure { _ = try await client(stub).events(.get("/")).collected() }
        #expect(error?.code == .connectionRefused)
        #expect(stub.requests.count == 1)
    }

    @Test func connectionsThatCannotBeOpenedAreGivenUpAfterTheLimit() async throws {
        let answers = Answers(
            { .events("data: a\n\n") }, { throw TarmacError(.connectionRefused, phase: .connecting, "no") },
            { .status(.serviceUnavailable, headers: [.retryAfter: "100"]) }, { throw TarmacError(.cannotFindHost, phase: .connecting, "no") })
        let stub = answers.stub, client = client(stub)
        let seen = Watched<[String]>([])
        let reading = Task {
            await failure {
                for try await event in client.events(.get("/"), configure: { $0.events = .reconnecting { $0.maximumRefusals = 3 } }) {
                    seen.update { $0.append(event.data) }
                }
            }
        }
        try await passPauses(3)
        let error = await reading.value
        #expect(seen.value == ["a"])
        #expect(error?.code == .cannotFindHost)
        #expect(error?.attempts == 4)
        #expect(reconnections.map(\.code) == [nil, .connectionRefused, .unacceptableStatus])
        #expect(reconnections[1].pause >= .seconds(6) && reconnections[2].pause >= .seconds(100))
    }

    @Test func aStatusThatIsFinalEndsAStreamThatWasOpen() async throws {
        let answers = Answers({ .events("data: a\n\n") }, { .status(.notFound) })
        let client = client(answers.stub)
        let reading = Task { await failure { _ = try await client.events(.get("/")).collected() } }
        try await passPauses(1)
        #expect(await reading.value?.status == .notFound)
    }

    @Test func anIdleConnectionIsReplaced() async throws {
        let answers = Answers({ .open("id: 3\ndata: a\n\n") }, { .status(.noContent) })
        let stub = answers.stub
        let client = client(stub) { $0.idleTimeout = .seconds(30) }
        let seen = Watched<[ServerSentEvent]>([])
        let reading = Task { for try await event in client.events(.get("/")) { seen.update { $0.append(event) } } }
        try await seen.wait { $0.count == 1 }
        await eventually {
            if time.sleepers > 0 { time.advance(by: .seconds(31)) }
            return !reconnections.isEmpty
        }
        #expect(reconnections.first?.code == .idleTimeout)
        await eventually {
            if time.sleepers > 0 { time.advance(by: .seconds(10)) }; return stub.requests.count == 2
        }
        try await reading.value
        #expect(ids(stub) == ["", "3"])
    }

    /// Law 5.
    @Test func aPostIsNotSentAgain() async throws {
        let ending = Answers { .events("id: 1\ndata: a\n\n") }.stub
        #expect(try await client(ending).events(.post("/chat")).collected().map(\.data) == ["a"])
        #expect(ending.requests.count == 1)
        let breaking = Answers { .broken("id: 1\ndata: a\n\n") }.stub
        let error = await failure { _ = try await client(breaking).events(.post("/chat")).collected() }
        #expect(error?.code == .connectionLost)
        #expect(breaking.requests.count == 1)
    }

    @Test func aPostThatMayBeIsSentAgainWithItsBodyAndItsKey() async throws {
        let answers = Answers({ .broken("id: 1\ndata: a\n\n") }, { .status(.noContent) })
        let stub = answers.stub, client = client(stub)
        async let events = client.events(.post("/chat", ["prompt": "hi"])) { $0.idempotencyKey = .automatic }.collected()
        try await passPauses(1)
        #expect(try await events.count == 1)
        #expect(ids(stub) == ["", "1"])
        #expect(Set(stub.requests.map { $0.headers[.idempotencyKey] }).count == 1)
        #expect(stub.requests.allSatisfy { $0.body.buffered == Bytes(#"{"prompt":"hi"}"#) })
    }

    @Test func everyConnectionIsStampedAndRedirectedAnew() async throws {
        let count = Watched(0)
        let stub = StubTransport { request in
            if request.url.path == "/news" { return .redirect(to: "/feed") }
            return count.update {
                $0 += 1; return $0
            } < 3 ? .events("id: \(count.value)\ndata: x\n\n") : .status(.noContent)
        }
        let client = Client(
            transport: .stub(stub), services: [Service("s", host: "https://s.example") { $0.authenticator = .bearer("t") }], time: time
        ) { $0.observers = [recorder] }
        async let events = client.events(.get("/news")).collected()
        for number in 1...2 {
            await eventually { reconnections.count >= number }
            await eventually {
                // A pause, and not the time limit of a request.
                if stub.requests.count < 2 * (number + 1), let next = time.nextDeadline, next <= .seconds(10) { time.advance(by: .seconds(1)) };
                return stub.requests.count >= 2 * (number + 1)
            }
        }
        #expect(try await events.count == 2)
        #expect(stub.requests.map(\.url.path) == ["/news", "/feed", "/news", "/feed", "/news", "/feed"])
        #expect(stub.requests.allSatisfy { $0.headers[.authorization] == "Bearer t" })
        #expect(ids(stub) == ["", "", "1", "1", "2", "2"])
    }

    @Test func anIDThatNoFieldCanHoldIsAnError() async throws {
        let client = client(Answers { .events("id: a\u{1}b\ndata: a\n\n") }.stub)
        let reading = Task { await failure { _ = try await client.events(.get("/")).collected() } }
        try await passPauses(1)
        let error = await reading.value
        #expect(error?.code == .invalidParameter)
        #expect(error?.reason.contains("Last-Event-ID") == true)
    }

    @Test func theDeadlineIsForTheWholeStream() async throws {
        let client = client(Answers { .events("data: a\n\n") }.stub) { $0.deadline = .seconds(5) }
        let reading = Task { await failure { _ = try await client.events(.get("/")).collected() } }
        await eventually {
            if time.sleepers > 0 { time.advance(by: .milliseconds(100)) }; return recorder.names.contains("failed")
        }
        #expect(await reading.value?.code == .deadlineExceeded)
    }

    @Test func theIteratorTellsWhereToGoOn() async throws {
        let client = client(Answers { .open("id: 1\ndata: a\n\nid: 2\n\n") }.stub)
        var iterator = client.events(.get("/"), after: "0").makeAsyncIterator()
        #expect(iterator.lastEventID == "0")
        _ = try await iterator.next()
        #expect(iterator.lastEventID == "1")
    }
}
