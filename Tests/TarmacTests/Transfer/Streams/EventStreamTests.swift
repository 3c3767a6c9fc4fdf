import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacStreams

/// Streams of Server-Sent Events through the client (WHATWG HTML §9.2).
@Suite("Streams of events", .timeLimit(.minutes(5)))
struct EventStreamTests {
    private func client(_ answers: (@Sendable () throws -> Response)..., configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(StubTransport { [answers] _ in try answers[0]() }, configure: configure)
    }

    @Test func theEventsComeInOrder() async throws {
        let client = client { .events("data: 1\n\nda", "ta: 2\n\nevent: x\ndata: 3\n\n") }
        let events = try await client.events(.get("/")) { $0.events = .once }.collected()
        #expect(events.map(\.data) == ["1", "2", "3"])
        #expect(events.map(\.name) == ["message", "message", "x"])
    }

    @Test func theRequestAsksForEventsAndForNoStoredOnes() async throws {
        let stub = StubTransport { _ in .events() }
        _ = try await Client(stub).events(.post("/chat", ["prompt": "hi"])).collected()
        let request = try #require(stub.requests.first)
        #expect(request.method == .post)
        #expect(request.headers[.accept] == "text/event-stream")
        #expect(request.headers[.cacheControl] == "no-cache")
        #expect(request.headers[.lastEventIDForTests] == nil)
        #expect(request.body.buffered == Bytes(#"{"prompt":"hi"}"#))
    }

    /// The fields say neither that nor the contrary: a stream of events passes the cache by.
    @Test func noEventIsStored() async throws {
        let stub = StubTransport { _ in
            .chunks(["data: 1\n\n"], headers: [.contentType: "text/event-stream", .cacheControl: "max-age=60", .eTag: "\"e\""])
        }
        let client = Client(stub) { ($0.cache, $0.events) = (.http, .once) }
        for _ in 1...2 { #expect(try await client.events(.get("/")).collected().map(\.data) == ["1"]) }
        #expect(stub.requests.count == 2)
        #expect(try await client.cache.entries().isEmpty)
    }

    @Test func whatTheCallSetsWins() async throws {
        let stub = StubTransport { _ in .events() }
        _ = try await Client(stub).events(.get("/"), after: "41") {
            $0.events = .once
            $0.headers["Accept"] = "application/x-events"
            $0.headers["Cache-Control"] = "no-store"
        }.collected()
        #expect(stub.requests.first?.headers[.accept] == "application/x-events")
        #expect(stub.requests.first?.headers[.cacheControl] == "no-store")
        #expect(stub.requests.first?.headers[.lastEventIDForTests] == "41")
    }

    @Test func everyIterationIsACallOfItsOwn() async throws {
        let stub = StubTransport { _ in .events("data: 1\n\n") }
        let client = Client(stub)
        let events = client.events(.get("/")) { $0.events = .once }
        #expect(stub.requests.isEmpty)
        #expect(try await events.collected().count == 1)
        #expect(try await events.collected().count == 1)
        #expect(stub.requests.count == 2)
    }

    // YTK-16: a 204 ends a stream of events and is no error.
    @Test(arguments: [nil, AcceptableStatus([204]), .any] as [AcceptableStatus?])
    func aStatusOf204IsTheEnd(acceptable: AcceptableStatus?) async throws {
        let stub = StubTransport { _ in .status(.noContent) }
        #expect(try await Client(stub).events(.get("/")) { $0.acceptableStatus = acceptable }.collected() == [])
        #expect(stub.requests.count == 1)
    }

    // YTK-16: a stream of events opens with 200 alone.
    @Test(arguments: [(201, TarmacError.Code.unacceptableStatus), (206, .unacceptableStatus), (404, .unacceptableStatus), (503, .unacceptableStatus)])
    func anyOtherStatusIsAnError(status: Int, code: TarmacError.Code) async throws {
        let stub = StubTransport { _ in .events("data: no\n\n", status: .init(code: status)) }
        let client = Client(stub)
        let error = await failure { _ = try await client.events(.get("/news")).collected() }
        #expect(error?.code == code)
        #expect(error?.status?.code == status)
        #expect(error?.endpoint == "GET /news")
        #expect(error?.response?.body == Bytes("data: no\n\n"))
        #expect(stub.requests.count == 1)
    }

    // YTK-16: a part that nobody asked for opens no stream of events, whatever status a layer takes.
    @Test(arguments: [nil, AcceptableStatus([206]), .any] as [AcceptableStatus?])
    func aPartIsNoStreamOfEventsWhateverALayerTakes(acceptable: AcceptableStatus?) async throws {
        let stub = StubTransport { _ in .events("data: no\n\n", status: .partialContent) }
        let client = Client(stub)
        let error = await failure {
            _ = try await client.events(.get("/news")) { ($0.events, $0.acceptableStatus) = (.once, acceptable) }.collected()
        }
        #expect(error?.code == .unacceptableStatus && error?.status == .partialContent)
        #expect(stub.requests.count == 1)
        let created = StubTransport { _ in .events("data: no\n\n", status: .created) }
        let other = await failure {
            _ = try await Client(created).events(.get("/news")) { ($0.events, $0.acceptableStatus) = (.once, acceptable) }.collected()
        }
        #expect(other?.code == .unacceptableStatus && other?.status == .created)
    }

    @Test(arguments: ["text/plain", "application/json", nil, "text/event-streams"])
    func aWrongMediaTypeIsAnErrorThatShowsTheAnswer(type: String?) async throws {
        let client = client { .events(#"{"error":"quota"}"#, type: type) }
        let error = await failure { _ = try await client.events(.get("/")).collected() }
        #expect(error?.code == .unacceptableContentType)
        #expect(try error?.serverError(as: [String: String].self) == ["error": "quota"])
    }

    @Test func theMediaTypeMayHaveParametersAndTheServiceItsOwn() async throws {
        let utf8 = client {
            .events("data: 1\n\n", type: "Text/Event-Stream; charset=utf-8")
        } configure: {
            $0.acceptableContentTypes = .lenientJSON
        }
        #expect(try await utf8.events(.get("/")) { $0.events = .once }.collected().count == 1)
        for type in ["text/event-stream;", "text/event-stream;bogus", "text/event-stream; charset=windows-1252", " text/event-stream\t; x=y"] {
            let odd = client { .events("data: é\n\n", type: type) }
            #expect(try await odd.events(.get("/")) { $0.events = .once }.collected().map(\.data) == ["é"])
        }
        let plain = client { .events("data: 1\n\n", type: "text/plain") }
        #expect(
            try await plain.events(.get("/")) {
                $0.events = .once
                $0.acceptableContentTypes = .any
            }.collected().count == 1)
    }

    @Test func anEventWithTheMarkerIsTheEnd() async throws {
        let stub = StubTransport { _ in .open("data: 1\n\ndata: [DONE]\n\ndata: 2\n\n") }
        let client = Client(stub)
        #expect(try await client.events(.get("/")) { $0.events = .reconnecting { $0.endMarker = "[DONE]" } }.collected().map(\.data) == ["1"])
        try await stub.isIdle()
        #expect(stub.requests.count == 1)
    }

    @Test func anEventBeyondTheLimitIsAnErrorWithItsCall() async throws {
        let client = client { .open("data: 12345678\n\ndata: 123456789\n\n") }
        var events: [ServerSentEvent] = []
        let error = await failure { for try await event in client.events(.get("/news"), configure: { $0.maximumRecordSize = 14 }) { events.append(event) } }
        #expect(events.map(\.data) == ["12345678"])
        #expect(error?.code == .recordTooLarge)
        #expect(error?.endpoint == "GET /news")
    }

    @Test func afterItsEndThereIsNothing() async throws {
        let failing = client { .status(.notFound) }
        var iterator = failing.events(.get("/")).makeAsyncIterator()
        await #expect(throws: TarmacError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
        let ending = client { .events() }
        var other = ending.events(.get("/")) { $0.events = .once }.makeAsyncIterator()
        #expect(try await other.next() == nil)
        #expect(try await other.next() == nil)
    }

    // MARK: Decoding

    struct Delta: Codable, Equatable, Sendable { var textPart: String }

    @Test func eachEventIsDecodedByTheCallsDecoder() async throws {
        let client = client { .events("data: {\"text_part\":\"a\"}\n\nevent: ping\ndata: {}\n\ndata: {\"text_part\":\ndata: \"b\"}\n\n") }
        var decoder = TarmacJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let deltas = try await client.events(.get("/"), as: Delta.self, named: ["message"]) { [decoder] in
            $0.events = .once
            $0.decoder = .json(decoder)
        }.collected()
        #expect(deltas == [Delta(textPart: "a"), Delta(textPart: "b")])
    }

    @Test func anEventThatCannotBeDecodedEndsTheStreamAndIsNamed() async throws {
        let stub = StubTransport { _ in .open("data: {\"textPart\":\"a\"}\n\ndata: {\"textPart\":1}\n\ndata: {\"textPart\":\"c\"}\n\n") }
        let client = Client(stub)
        var deltas: [Delta] = []
        let error = await failure { for try await delta in client.events(.get("/x"), as: Delta.self) { deltas.append(delta) } }
        #expect(deltas.count == 1)
        #expect(error?.code == .decodingFailed)
        #expect(error?.path == "$.textPart")
        #expect(error?.reason.hasPrefix("event 2 of the stream") == true)
        #expect(error?.endpoint == "GET /x")
        #expect(error?.response?.body == Bytes(#"{"textPart":1}"#))
        try await stub.isIdle()
    }

    @Test func damagedEventsAreSkippedAndReportedOnRequest() async throws {
        let client = client { .events("data: {\"textPart\":\"a\"}\n\ndata: no JSON\n\ndata: {\"textPart\":\"c\"}\n\n") }
        let reports = Watched<[TarmacError]>([])
        let deltas = try await client.events(.get("/"), as: Delta.self, damaged: .skip { error in reports.update { $0.append(error) } }) {
            $0.events = .once
        }.collected()
        #expect(deltas.map(\.textPart) == ["a", "c"])
        #expect(reports.value.map(\.code) == [.malformedJSON])
    }

    @Test func aTableMakesValuesByTheNamesOfEvents() async throws {
        let table = EventTable<String>().on("delta", as: Delta.self) { $0.textPart }.on("ping") { _ in nil }.otherwise { "\($0.name)!" }
        let client = client { .events("event: delta\ndata: {\"textPart\":\"a\"}\n\nevent: ping\ndata: x\n\nevent: stop\ndata: y\n\n") }
        #expect(try await client.events(.get("/"), by: table) { $0.events = .once }.collected() == ["a", "stop!"])
    }

    @Test func aTableHandsTheEventOnWithItsContent() async throws {
        let table = EventTable<String>().on("delta", as: Delta.self) { delta, event in "\(event.lastEventID) \(delta.textPart)" }
        let client = client { .events("id: 1\nevent: delta\ndata: {\"textPart\":\"a\"}\n\nid: 2\nevent: delta\ndata: {\"textPart\":\"b\"}\n\n") }
        #expect(try await client.events(.get("/"), by: table) { $0.events = .once }.collected() == ["1 a", "2 b"])
    }

    @Test func anEventTheTableDoesNotKnowIsAnErrorThatNamesIt() async throws {
        let client = client { .events("event: delta\ndata: {}\n\n") }
        let error = await failure { _ = try await client.events(.get("/"), by: EventTable<String>().on("ping") { _ in nil }).collected() }
        #expect(error?.code == .decodingFailed)
        #expect(error?.reason.contains("\"delta\"") == true)
        #expect(try await client.events(.get("/"), by: EventTable<String>().ignoringOthers()) { $0.events = .once }.collected() == [])
    }

    @Test func aTablesOwnErrorIsTheCauseOfTheCallersFailure() async throws {
        let client = client { .events("data: {}\n\n") }
        let error = await failure { _ = try await client.events(.get("/"), by: EventTable<String>().otherwise { _ in throw Foreign() }).collected() }
        #expect(error?.code == .callerFailed)
        #expect(error?.cause(as: Foreign.self) == Foreign())
        #expect(error.map { "\($0)".contains("hunter2") } == false)
    }

    // MARK: Secrets

    private struct Note: Decodable { var n: Int }

    /// What errors about an event quote, however it is read.
    private func shown(_ event: ServerSentEvent, _ decoder: TarmacJSONDecoder = .init()) -> String {
        let decoding = #expect(throws: TarmacError.self) { try event.decode(as: Note.self, decoder: decoder) }
        let reading = event.data.hasSuffix("oops}") ? #expect(throws: TarmacError.self) { try event.json } : nil
        return told(decoding) + told(reading)
    }

    private func told(_ error: TarmacError?) -> String { error.map { "\($0) \(String(reflecting: $0.cause))" } ?? "" }

    @Test(arguments: ["pwd", "session", "signature", "code_verifier", "auth"])
    func anEventsErrorsQuoteNothingTheStandardRedactorHides(_ name: String) {
        for data in [#"{"\#(name)":"hunter2","n":oops}"#, #"{"\#(name)":"hunter2","n":"x"}"#] {
            #expect(!shown(ServerSentEvent(data: data)).contains("hunter2"))
        }
    }

    @Test(arguments: [#"{"holder":"hunter2","n":oops}"#, #"{"holder":"hunter2","n":"x"}"#])
    func anEventsErrorsQuoteNothingItsCallHides(_ data: String) async throws {
        let client = client({ .events("data: \(data)\n\n") }, configure: { $0.secretNames = ["holder"] })
        let event = try #require(await client.events(.get("/")) { $0.events = .once }.collected().first)
        #expect(!shown(event).contains("hunter2"))
        #expect(shown(ServerSentEvent(data: data)).contains("hunter2"))
        #expect(event == ServerSentEvent(data: data))
        var decoder = TarmacJSONDecoder()
        decoder.options.maskedKeys.insert("other")
        #expect(!shown(event, decoder).contains("hunter2"))
        decoder.options.maskedKeys.insert("holder")
        let masked = #expect(throws: TarmacError.self) { try ServerSentEvent(data: data).decode(as: Note.self, decoder: decoder) }
        #expect(!told(masked).contains("hunter2"))
        decoder.options.depthLimit = 0
        let error = #expect(throws: TarmacError.self) { try event.decode(as: Note.self, decoder: decoder) }
        #expect(error?.cause(as: JSONError.self)?.code == .depthExceeded)
    }

    /// The answer an error keeps is read under the names of its call as well.
    @Test func aDamagedRecordInAnErrorKeepsItsSecrets() async throws {
        let lines = "{\"holder\":\"hunter2\",\"n\":\"x\"}\n"
        let client = client(
            { .chunks([lines], headers: [.contentType: "application/x-ndjson"]) }, configure: { $0.secretNames = ["holder"] })
        let error = await #expect(throws: TarmacError.self) { try await client.records(.get("/"), of: Note.self).collected() }
        let response = try #require(error?.response)
        let inner = #expect(throws: TarmacError.self) { try response.decode(as: Note.self) }
        #expect([error, inner].compactMap { $0 }.count == 2)
        for text in [told(error), told(inner)] { #expect(!text.contains("hunter2")) }
    }

    @Test func anEventDecodesItself() throws {
        let event = ServerSentEvent(data: #"{"textPart":"a"}"#)
        #expect(try event.decode(as: Delta.self) == Delta(textPart: "a"))
        #expect(try event.json["textPart"].string == "a")
        #expect(throws: TarmacError.self) { try ServerSentEvent(data: "hunter2").json }
        #expect(!"\(ServerSentEvent(data: "hunter2"))".contains("hunter2"))
    }
}
