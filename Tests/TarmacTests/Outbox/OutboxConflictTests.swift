import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox

/// A dead letter has what an app needs to merge: what it wanted, as it was typed, and what the server has.
@Suite("Outbox: conflicts", .timeLimit(.minutes(5)))
struct OutboxConflictTests {
    struct Note: Codable, Hashable, Sendable {
        var id: Int
        var text: String
    }

    struct EditNote: Endpoint, Codable, Hashable {
        typealias Value = Void
        static let route: Route = .put("/notes/{id}{?draft}")
        var id: Int
        var draft = false
        var noteText: String
        @Header var xRevision: Int?
    }

    struct Password: Endpoint, Codable, Hashable {
        typealias Value = Void
        static let route: Route = .post("/password")
        @Secret var phrase: String
    }

    private struct Mirrored: Sealer {
        func seal(_ bytes: Bytes, context: Bytes) throws -> Bytes { Bytes(bytes.array.map { ~$0 }) }
        func open(_ sealed: Bytes, context: Bytes) throws -> Bytes { Bytes(sealed.array.map { ~$0 }) }
    }

    private let edit = EditNote(id: 7, noteText: "mine", xRevision: 3)

    private func conflict(_ text: String) -> OutboxRig.Answer {
        .response(.json(text, status: .conflict))
    }

    @Test(arguments: [true, false]) func theServersVersionAndTheAppsAreThereAfterARelaunch(isSealed: Bool) async throws {
        let store = FlakyStore(), sealer: (any Sealer)? = isSealed ? Mirrored() : nil
        let rig = try OutboxRig([conflict(#"{"id":7,"text":"theirs"}"#)], store: store, sealer: sealer)
        let changes = rig.outbox.changes
        rig.outbox.start()
        let id = try await rig.outbox.enqueue(edit)
        let told = await changes.nextBuried()
        #expect(try told?.response?.decode(as: Note.self) == Note(id: 7, text: "theirs"))
        await rig.outbox.shutdown()
        let second = try OutboxRig(store: store, sealer: sealer)
        let letter = try #require(try await second.outbox.entries(.deadLetters).first)
        #expect(letter.failure == told)
        #expect(letter.failure?.response?.status == .conflict)
        #expect(try letter.failure?.response?.decode(as: Note.self).text == "theirs")
        var mine = try letter.endpoint(as: EditNote.self)
        #expect(mine == edit)
        // What was merged goes out in the old one's place.
        mine.noteText = "both"
        let body = Bytes(#"{"noteText":"\#(mine.noteText)"}"#)
        try await second.outbox.edit(id, key: .mint) { $0.body = body }
        try await second.outbox.resend()
        second.outbox.start()
        await second.outbox.waitUntilIdle()
        #expect(second.stub.requests.map(\.body.buffered) == [body])
    }

    @Test func aFailureThatPassesKeepsNoBody() async throws {
        let rig = try OutboxRig([.response(.json(#"{"id":7}"#, status: .serviceUnavailable))])
        let changes = rig.outbox.changes
        rig.outbox.start()
        let id = try await rig.outbox.enqueue(edit)
        #expect(await changes.nextPostponed() != nil)
        let failure = try await rig.outbox.entry(id)?.failure
        #expect(failure?.status == 503 && failure?.response == nil)
    }

    @Test func aLongBodyIsCut() async throws {
        let rig = try OutboxRig([conflict("\"" + String(repeating: "a", count: 200_000) + "\"")])
        rig.outbox.start()
        let id = try await rig.outbox.enqueue(edit)
        _ = try await rig.outbox.outcome(of: id)
        let response = try await rig.outbox.entry(id)?.failure?.response
        #expect(response?.body.count == 65_536 && response?.isTruncated == true)
    }

    /// A body with a secret's name in it, in a file that is not sealed.
    @Test(arguments: [(false, false), (true, true)]) func aSecretOfTheServerIsNotKeptInTheClear(isSealed: Bool, isKept: Bool) async throws {
        let store = FlakyStore()
        let rig = try OutboxRig([conflict(#"{"id":7,"password":"hush"}"#)], store: store, sealer: isSealed ? Mirrored() : nil)
        rig.outbox.start()
        let id = try await rig.outbox.enqueue(edit)
        _ = try await rig.outbox.outcome(of: id)
        let stored = try await store.records(.all, limit: 1).first?.failure.map { String(decoding: $0.array, as: UTF8.self) }
        #expect(stored?.contains("hush") == false)
        let letter = try await OutboxRig(store: store, sealer: isSealed ? Mirrored() : nil).outbox.entry(id)
        #expect((letter?.failure?.response != nil) == isKept)
        #expect(letter?.failure?.status == 409)
    }

    // MARK: Endpoints

    private static var snakeCase: BodyEncoder {
        var encoder = TarmacJSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return .json(encoder)
    }

    private struct Hides: ParameterTransform {
        func transform(_ parameters: ParameterList, for request: ParameterTarget) throws -> ParameterList { ["id": 7, "data": "hidden"] }
    }

    private func stored<E: Endpoint>(_ endpoint: E, _ configure: (inout Options) -> Void = { _ in }) async throws -> OutboxEntry {
        let rig = try OutboxRig()
        try await rig.outbox.enqueue(endpoint, configure: configure)
        return try #require(try await rig.stored().first)
    }

    @Test func anEndpointIsReadBackAsItWas() async throws {
        #expect(try await stored(edit).endpoint() == edit)
        #expect(try await stored(edit.with { $0.tags = ["notes"] }).endpoint() == edit)
        #expect(try await stored(edit) { $0.encoder = Self.snakeCase }.endpoint() == edit)
        #expect(try await stored(Password(phrase: "hush")).endpoint() == Password(phrase: "hush"))
        let rig = try OutboxRig()
        try await rig.outbox.enqueue(Upload(.bytes(Bytes("film"), contentType: "video/mp4"), to: edit))
        #expect(try await rig.stored().first?.endpoint() == edit)
    }

    @Test func aBodyThatSaysItAllIsStoredOnce() async throws {
        let entry = try await stored(CreateOrder(number: 7))
        #expect(entry.mutation?.fields == nil)
        #expect(try await stored(edit).mutation?.fields != nil)
    }

    @Test func anotherEndpointIsRefused() async throws {
        let entry = try await stored(edit)
        let error = #expect(throws: TarmacError.self) { try entry.endpoint(as: Password.self) }
        #expect(error?.code == .decodingFailed)
        #expect(error?.reason.contains("EditNote") == true)
    }

    /// What a transform of the app hides is not stored beside it.
    @Test(arguments: [(false, false), (true, true)]) func protectedParametersAreStoredSealedOrNotAtAll(isSealed: Bool, isKept: Bool) async throws {
        let store = FlakyStore(), rig = try OutboxRig(store: store, sealer: isSealed ? Mirrored() : nil)
        try await rig.outbox.enqueue(edit) { $0.parameterTransforms = [Hides()] }
        let record = try #require(try await store.records(.all, limit: 1).first)
        #expect(!String(decoding: record.payload.array, as: UTF8.self).contains("mine"))
        let entry = try #require(try await rig.stored().first)
        #expect(((try? entry.endpoint(as: EditNote.self)) != nil) == isKept)
    }
}
