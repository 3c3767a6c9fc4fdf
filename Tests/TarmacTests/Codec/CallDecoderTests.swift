import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox
import TarmacStreams

private struct Note: Decodable, Equatable, Sendable { var noteTitle: String }

private struct GetNote: Endpoint {
    typealias Value = Note
    static let route: Route = .get("/note")
}

private struct NotePages: PagedEndpoint {
    typealias Value = Note
    static let route: Route = .get("/note")
    func next(after page: Landed<Note>) -> NotePages? { nil }
}

private struct PutNote: Endpoint, Encodable {
    typealias Value = Void
    static let route: Route = .put("/note")
    var id: Int
}

private struct PostNote: Endpoint {
    typealias Value = Note
    static let route: Route = .post("/note")
}

private struct NoteReformer: Reformer {
    func reform(_ payload: Payload) throws -> Note { try payload.decode(Note.self) }
}

private struct PatchNote: Endpoint, Codable {
    typealias Value = Void
    static let route: Route = .patch("/note")
    var noteTitle: String
}

/// Every place that decodes what a service sent, or what an app wrote for it.
private enum DecodingPlace: CaseIterable {
    case send, inline, payload, landedReformed, reformer, answerOfError, serverError, problem, rawAnswer, inInterceptor
    case events, eventTable, eventTableWithEvent, event, eventOfTable, jsonLines, jsonSequence, pages, outboxChange, outboxOutcome, editedEntry
    case entryInConfiguration
    case outboxFailure, outboxFailureLater, outboxFailureByConfiguration, cached, updates, batch, upload
}

/// A service's decoder reads whatever the service sends, wherever the app decodes it.
@Suite("The decoder of the call", .timeLimit(.minutes(5)))
struct CallDecoderTests {
    private static let text = #"{"note_title":"milk"}"#

    private static var snake: BodyDecoder {
        var decoder = TarmacJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return .json(decoder)
    }

    private static func client(_ decoder: BodyDecoder = snake, _ answer: @escaping @Sendable (Request) -> Response) -> Client {
        Client(transport: .stub { answer($0) }, services: [Service("s", host: "https://s.example") { $0.decoder = decoder }])
    }

    /// A client that is answered with a note, as the place needs it.
    private static func client(for place: DecodingPlace) -> Client {
        client(place == .outboxFailureByConfiguration ? .tarmac : snake) { _ in
            switch place {
            case .events, .eventTable, .eventTableWithEvent, .event, .eventOfTable: .events("id: 7\nevent: note\ndata: \(text)\n\n")
            case .jsonLines: .bytes(Bytes(text + "\n"), contentType: "application/x-ndjson")
            case .jsonSequence: .bytes(Bytes("\u{1E}\(text)\n"), contentType: "application/json-seq")
            case .answerOfError, .serverError, .outboxFailure, .outboxFailureLater, .outboxFailureByConfiguration: .json(text, status: .conflict)
            case .problem: .bytes(Bytes(text), contentType: "application/problem+json", status: .conflict)
            default: .json(text)
            }
        }
    }

    @Test(arguments: DecodingPlace.allCases)
    fileprivate func isUsedEverywhere(place: DecodingPlace) async throws {
        let client = Self.client(for: place), once: @Sendable (inout Options) -> Void = { $0.events = .once }
        let note: Note? =
            switch place {
            case .send: try await client.send(GetNote())
            case .inline: try await client.get("/note", as: Note.self)
            case .payload: try await client.landed(for: .get("/note", as: JSON.self)).payload.decode(Note.self)
            case .landedReformed: try await client.landed(for: .get("/note", as: JSON.self)).reformed(by: NoteReformer())
            case .reformer: try await client.send(GetNote().reformed(by: NoteReformer()))
            case .answerOfError: try await failure { try await client.get("/note") }?.response?.decode(as: Note.self)
            case .serverError, .problem: try await failure { try await client.get("/note") }?.serverError(as: Note.self)
            case .rawAnswer: try await client.send(raw: Request(.get, HTTPURL("https://s.example/note"))).snapshot.decode(as: Note.self)
            case .inInterceptor: try await Self.readByInterceptor()
            case .events: try await client.events(GetNote(), as: Note.self, configure: once).collected().first
            case .eventTable:
                try await client.events(GetNote(), by: EventTable<Note>().on("note", as: Note.self) { $0 }, configure: once).collected().first
            case .eventTableWithEvent:
                try await client.events(
                    GetNote(), by: EventTable<Note>().on("note", as: Note.self) { $1.lastEventID == "7" ? $0 : nil }, configure: once
                ).collected().first
            case .event: try await client.events(GetNote(), configure: once).collected().first?.decode(as: Note.self)
            case .eventOfTable:
                try await client.events(GetNote(), by: EventTable<Note>().on("note") { try $0.decode(as: Note.self) }, configure: once).collected().first
            case .jsonLines: try await client.records(GetNote(), of: Note.self).collected().first
            case .jsonSequence: try await client.records(GetNote(), of: Note.self, by: .jsonSequence).collected().first
            case .pages: try await client.pages(of: NotePages()).collected().first?.value
            case .outboxChange:
                try await Self.sentByOutbox(client) { changes, _, _ in
                    for await change in changes { if case .sent(let answer) = change.kind { return answer } }
                    return nil
                }
            case .outboxOutcome:
                try await Self.sentByOutbox(client) { _, outbox, id in
                    guard case .sent(let answer) = try await outbox.outcome(of: id) else { return nil }
                    return answer
                }
            case .outboxFailure, .outboxFailureLater: try await Self.buried(client, isStored: place == .outboxFailureLater)
            case .outboxFailureByConfiguration:
                try await Self.buried(client, isStored: true) { $1.decoder = Self.snake }
            case .cached: try await Self.kept(client)
            case .updates: try await Self.updated(client)
            case .batch: try await client.send(Batch(allOrNothing: [GetNote()])).first
            case .upload: try await client.send(Upload(.text("milk"), to: PostNote()))
            case .editedEntry, .entryInConfiguration: try await Self.edited(client, isSent: place == .entryInConfiguration)
            }
        #expect(note == Note(noteTitle: "milk"))
        await client.shutdown()
    }

    private static func readByInterceptor() async throws -> Note? {
        let seen = Locked<Result<Note, any Error>?>(nil), client = client { _ in .json(text) }
        try await client.get("/note") {
            $0.interceptors = [
                Intercepting { request, chain in
                    let response = try await chain.proceed(request)
                    seen.withLock { seen in seen = Result { try response.snapshot.decode(as: Note.self) } }
                    return response
                }
            ]
        }
        return try seen.withLock { $0 }?.get()
    }

    private static func edited(_ client: Client, isSent: Bool) async throws -> Note? {
        let seen = Locked<PatchNote?>(nil)
        let outbox = try Outbox(client: client, store: MemoryOutboxStore()) { entry, _ in seen.withLock { $0 = try? entry.endpoint(as: PatchNote.self) } }
        let id = try await outbox.enqueue(PatchNote(noteTitle: "bread"))
        try await outbox.edit(id) { $0.body = Bytes(text) }
        guard isSent else { return Note(noteTitle: try #require(try await outbox.entry(id)).endpoint(as: PatchNote.self).noteTitle) }
        outbox.start()
        _ = try await outbox.outcome(of: id)
        return seen.withLock { $0 }.map { Note(noteTitle: $0.noteTitle) }
    }

    private static func buried(_ client: Client, isStored: Bool, configure: OutboxConfiguration? = nil) async throws -> Note? {
        let outbox = try Outbox(client: client, store: MemoryOutboxStore(), configure: configure)
        let changes = outbox.changes
        outbox.start()
        let id = try await outbox.enqueue(PutNote(id: 1)), failure = await changes.nextBuried()
        return try (isStored ? await outbox.entry(id)?.failure : failure)?.response?.decode(as: Note.self)
    }

    private static func kept(_ client: Client) async throws -> Note? {
        _ = try await client.send(GetNote()) { $0.cache = .ttl(.seconds(60)) }
        return client.cached(GetNote()) { $0.cache = .ttl(.seconds(60)) }
    }

    private static func updated(_ client: Client) async throws -> Note? {
        for try await update in client.updates(GetNote(), configure: { $0.cache = .ttl(.seconds(60)) }) { return update.value }
        return nil
    }

    private static func sentByOutbox(
        _ client: Client, _ read: (OutboxChanges, Outbox, OutboxEntry.ID) async throws -> ResponseSnapshot?
    ) async throws -> Note? {
        let outbox = try Outbox(client: client, store: MemoryOutboxStore())
        let changes = outbox.changes
        outbox.start()
        let id = try await outbox.enqueue(PutNote(id: 1))
        return try await read(changes, outbox, id)?.decode(as: Note.self)
    }

    /// The call's own decoder wins over the service's, also for what is read from its error.
    @Test func isTheOneThatTheLayersResolve() async throws {
        let client = Self.client { _ in .json(#"{"noteTitle":"milk"}"#, status: .conflict) }
        let error = try #require(await failure { try await client.get("/note") { $0.decoder = .tarmac } })
        #expect(try error.serverError(as: Note.self) == Note(noteTitle: "milk"))
    }

    /// A body in JSON is decoded even if the values of the service have another format.
    @Test func readsNoJSONIfItsFormatIsAnother() async throws {
        struct Own: Error {}
        let other = BodyDecoder(name: "own", accepts: .only("application/x-own")) { _, _ in throw Own() }
        let answers: [(String, Bool)] = [("application/json", true), ("application/x-own", false)]
        for (type, isRead) in answers {
            let client = Client(StubTransport { _ in .bytes(Bytes(#"{"noteTitle":"milk"}"#), contentType: type, status: .conflict) }) { $0.decoder = other }
            let error = try #require(await failure { try await client.get("/note") })
            #expect((try? error.serverError(as: Note.self)) == (isRead ? Note(noteTitle: "milk") : nil))
        }
    }

    @Test func charsetAndLimitsAreThoseOfTheAnswer() async throws {
        let latin = Bytes(Array(#"{"note_title":"caf"#.utf8) + [0xE9] + Array(#""}"#.utf8))
        let client = Self.client { _ in .bytes(latin, contentType: "application/json; charset=iso-8859-1", status: .conflict) }
        let error = try #require(await failure { try await client.get("/note") })
        #expect(try error.serverError(as: Note.self) == Note(noteTitle: "café"))
    }

    // MARK: A server's error that cannot be decoded

    @Test(arguments: [
        (#"{"title":1}"#, TarmacError.Code.decodingFailed, "noteTitle"), ("<html>Bad gateway</html>", .malformedJSON, "not JSON"),
    ])
    func aServersErrorThatCannotBeDecodedSaysWhy(body: String, code: TarmacError.Code, word: String) async throws {
        let client = Self.client { _ in .json(body, status: .badGateway) }
        let error = try #require(await failure { try await client.get("/note") })
        let reason = #expect(throws: TarmacError.self) { try error.serverError(as: Note.self) }
        #expect(reason?.code == code && "\(reason as Any)".contains(word), "\(reason as Any)")
        #expect(reason?.status == .badGateway)
        #expect((try? error.serverError(as: Note.self)) == nil)
    }

    @Test func noServersErrorIsNone() async throws {
        let empty = try #require(await failure { try await Self.client { _ in .status(.badGateway) }.get("/note") })
        #expect(try empty.serverError(as: Note.self) == nil)
        #expect(try TarmacError(.timeout).serverError(as: Note.self) == nil)
    }
}
