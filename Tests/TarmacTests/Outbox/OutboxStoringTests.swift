#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCrypto
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacAuth
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox

/// What is stored of a call, what never is, and what is made of it when it is sent (laws 7, 9 and 10).
@Suite struct OutboxStoringTests {
    private func text(_ bytes: Bytes) -> String { String(decoding: bytes.array, as: UTF8.self) }

    private func sealer() throws -> KeyringSealer {
        KeyringSealer(try Keyring(current: SealingKey("at-rest", SecretKey([UInt8](repeating: 7, count: 32)))))
    }

    @Test func everythingOfTheRequestIsKept() async throws {
        struct Save: Endpoint {
            typealias Value = Void
            static let route: Route = .put("/notes/{id}{?draft}")
            func parameters() throws -> ParameterList { ["id": "a b", "draft": true] }
            func body() throws -> Body? { .bytes(Bytes([0, 1, 255]), contentType: "application/x-note") }
            func configure(_ options: inout Options) {
                options.headers["X-Note"] = "yes"
                options.tags = ["notes"]
            }
        }
        let rig = try OutboxRig()
        try await rig.outbox.enqueue(Save(), lane: "notes") { $0.principal = "ann" }
        let entry = try #require(try await rig.stored().first)
        let mutation = try #require(entry.mutation)
        #expect(entry.lane == OutboxLane(service: "shop", environment: "production", principal: "ann", name: "notes"))
        #expect(mutation.endpoint == "Save")
        #expect(mutation.method == .put)
        #expect(mutation.target == "/notes/a%20b?draft=true")
        #expect(mutation.headers == [HTTPField.Name("X-Note")!: "yes"])
        #expect(mutation.contentType == "application/x-note")
        #expect(mutation.body == Bytes([0, 1, 255]))
        #expect(mutation.tags == ["notes"])
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        let sent = try #require(rig.stub.requests.first)
        #expect(sent.method == .put)
        #expect(sent.url.string == "https://api.shop.example/v1/notes/a%20b?draft=true")
        #expect(sent.headers[HTTPField.Name("X-Note")!] == "yes")
        #expect(sent.headers[values: .contentType] == ["application/x-note"])
        #expect(sent.headers[values: .accept] == ["*/*"])
        #expect(sent.body.buffered == Bytes([0, 1, 255]))
    }

    @Test func callWithoutABodyHasNone() async throws {
        let rig = try OutboxRig()
        try await rig.outbox.enqueue(.delete("/orders/{id}", ["id": 7]))
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        let sent = try #require(rig.stub.requests.first)
        #expect(sent.body.isNone)
        #expect(!sent.headers.contains(.contentType))
        #expect(sent.headers.contains(.idempotencyKey))
    }

    @Test func hostThatMovedTakesEntriesAlong() async throws {
        let rig = try OutboxRig()
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        let later = try OutboxRig(store: rig.store, service: Service("shop", hosts: [.production: "https://new.shop.example/api/v2"]))
        later.outbox.start()
        await later.outbox.waitUntilIdle()
        #expect(later.stub.requests.map(\.url.string) == ["https://new.shop.example/api/v2/orders"])
    }

    @Test func credentialsAreAddedWhenItIsSentAndNeverStored() async throws {
        let service = Service("shop", hosts: [.production: "https://api.shop.example"]) {
            $0.authenticator = .bearer("hush-token")
            $0.headers["X-API-Key"] = "hush-key"
        }
        let rig = try OutboxRig(service: service)
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        let record = try #require(try await rig.store.records(.all, limit: 1).first)
        #expect(!text(record.payload).contains("hush"))
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(rig.stub.requests.first?.headers[.authorization] == "Bearer hush-token")
        #expect(rig.stub.requests.first?.headers[HTTPField.Name("X-API-Key")!] == "hush-key")
    }

    @Test(arguments: ["Authorization", "Cookie", "X-API-Key"])
    func credentialAmongTheCallsFieldsIsRefused(name: String) async throws {
        let rig = try OutboxRig(sealer: try sealer())
        let error = await #expect(throws: TarmacError.self) {
            try await rig.outbox.enqueue(CreateOrder(number: 1)) { $0.headers[name] = "hush" }
        }
        #expect(error?.code == .invalidParameter)
        #expect(error?.context?.endpoint == "CreateOrder")
        #expect(try await rig.stored().isEmpty)
    }

    @Test func secretIsNotKeptInTheClear() async throws {
        let open = try OutboxRig(store: FlakyStore())
        for call in [{ try await open.outbox.enqueue(SetPassword(phrase: "hush")) }, { try await open.outbox.enqueue(.post("/in", ["password": "hush"])) }] {
            let error = await #expect(throws: TarmacError.self) { try await call() }
            #expect(error?.code == .invalidParameter)
            #expect(error?.suggestion?.contains("sealer") == true)
        }
        let allowed = try OutboxRig(store: FlakyStore()) { $0.allowsUnsealedSecrets = true }
        try await allowed.outbox.enqueue(SetPassword(phrase: "hush"))
        #expect(try await allowed.stored().count == 1)
    }

    @Test func sealedEntryTellsNothingAndIsSent() async throws {
        let rig = try OutboxRig([.status(503)], store: FlakyStore(), sealer: try sealer())
        let id = try await rig.outbox.enqueue(SetPassword(phrase: "hush")) { $0.idempotencyKey = .value("key-of-the-app") }
        let changes = rig.outbox.changes
        rig.outbox.start()
        #expect(await changes.nextPostponed() != nil)
        let record = try #require(try await rig.store.records(.all, limit: 1).first)
        #expect(record.isSealed)
        for bytes in [record.payload, try #require(record.failure)] {
            for word in ["hush", "password", "key-of-the-app", "SetPassword", "503"] { #expect(!text(bytes).contains(word)) }
        }
        #expect(try await rig.outbox.entry(id)?.failure?.status == 503)
        rig.time.advance(by: .seconds(300))
        await rig.outbox.waitUntilIdle()
        #expect(rig.stub.requests.count == 2)
        #expect(text(try #require(rig.stub.requests.last?.body.buffered)).contains("hush"))
    }

    @Test func entryWhoseKeyIsGoneIsADeadLetterThatKeepsEverything() async throws {
        let rig = try OutboxRig(store: FlakyStore(), sealer: try sealer())
        try await rig.outbox.enqueue(SetPassword(phrase: "hush"))
        let other = try OutboxRig(store: rig.store)
        let changes = other.outbox.changes
        other.outbox.start()
        #expect(await changes.nextBuried()?.kind == .unreadable)
        #expect(other.stub.requests.isEmpty)
        #expect(try await other.stored().first?.mutation == nil)
        await other.outbox.shutdown()
        // With the key it can be sent after all.
        rig.outbox.start()
        try await rig.outbox.resend()
        await rig.outbox.waitUntilIdle()
        #expect(rig.stub.requests.count == 1)
    }

    @Test func sealedPayloadOfAnotherEntryIsRefused() async throws {
        let rig = try OutboxRig(store: FlakyStore(), sealer: try sealer())
        let vault = OutboxCoder(sealer: try sealer())
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        let record = try #require(try await rig.store.records(.all, limit: 1).first)
        let moved = OutboxRecord(
            id: OutboxEntry.ID(rawValue: "other"), lane: record.lane, fingerprint: "f", payload: record.payload, isSealed: true, created: record.created)
        #expect(throws: Never.self) { try vault.mutation(in: record) }
        #expect(throws: TarmacError.self) { try vault.mutation(in: moved) }
        // Nor is it sent on behalf of somebody else.
        let other = OutboxRecord(
            id: record.id, lane: OutboxLane(service: "shop", environment: "production", principal: "eve", name: "main"), fingerprint: "f",
            payload: record.payload, isSealed: true, created: record.created)
        #expect(throws: TarmacError.self) { try vault.mutation(in: other) }
    }

    /// Law 10: bytes of a store are hostile input like any other.
    @Test func damagedPayloadIsAnErrorAndNoCrash() throws {
        let vault = OutboxCoder(sealer: nil)
        let lane = OutboxLane(service: "s", environment: "e", name: "l")
        let mutation = OutboxMutation(
            endpoint: "E", tags: [], idempotencyKey: "k", method: .post, target: "/a", host: .origin, headers: [.accept: "b"], contentType: "c",
            body: Bytes("body"))
        let whole = try vault.payload(of: mutation, OutboxEntry.ID(rawValue: "1"), in: lane).array
        func read(_ bytes: [UInt8]) throws -> OutboxMutation {
            try vault.mutation(
                in: OutboxRecord(id: OutboxEntry.ID(rawValue: "1"), lane: lane, fingerprint: "", payload: Bytes(bytes), isSealed: false, created: .distantPast))
        }
        #expect(try read(whole) == mutation)
        for length in 0..<(whole.count - 4) { #expect(throws: TarmacError.self) { try read(Array(whole[..<length])) } }
        var random = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            var bytes = whole
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: .min ... .max, using: &random)
            _ = try? read(bytes)
        }
    }

    // MARK: What is refused

    @Test func secretsAreLookedForInABodyThatHasToBeReadFirst() async throws {
        let rig = try OutboxRig(store: FlakyStore())
        let (pieces, source) = AsyncStream<Bytes>.makeStream()
        for piece in [#"{"pass"#, #"word":"hush"}"#] { source.yield(Bytes(piece)) }
        source.finish()
        let error = await #expect(throws: TarmacError.self) {
            try await rig.outbox.enqueue(.post("/a", body: .stream(ByteStream(pieces), contentType: "application/json")))
        }
        #expect(error?.code == .invalidParameter && error?.suggestion?.contains("sealer") == true)
        #expect(try await rig.stored().isEmpty)
    }

    @Test func bodyThatIsTooLargeIsRefused() async throws {
        let rig = try OutboxRig { $0.maximumBodySize = 10 }
        try await rig.outbox.enqueue(.post("/a", body: .bytes(Bytes([UInt8](repeating: 1, count: 10)))))
        let error = await #expect(throws: TarmacError.self) {
            try await rig.outbox.enqueue(.post("/a", body: .bytes(Bytes([UInt8](repeating: 1, count: 11)))))
        }
        #expect(error?.code == .invalidParameter)
    }

    @Test func fullOutboxSaysSoAndTakesNone() async throws {
        let rig = try OutboxRig { $0.maximumEntries = 2 }
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        let error = await #expect(throws: TarmacError.self) {
            try await rig.outbox.enqueue(contentsOf: [CreateOrder(number: 2), CreateOrder(number: 3)])
        }
        #expect(error?.code == .outboxFull)
        #expect(try await rig.stored().count == 1)
    }

    @Test func serviceTheClientDoesNotKnowIsRefused() async throws {
        struct Stray: Endpoint {
            typealias Value = Void
            static let service = Service("stray", host: "https://stray.example")
            static let route: Route = .post("/a")
        }
        let rig = try OutboxRig()
        let error = await #expect(throws: TarmacError.self) { try await rig.outbox.enqueue(Stray()) }
        #expect(error?.code == .invalidOption)
        #expect(error?.reason.contains("stray") == true)
    }

    @Test func nothingOfARequestIsShown() async throws {
        let rig = try OutboxRig()
        let id = try await rig.outbox.enqueue(.post("/in{?token}", ["token": "hush", "password": "hush", "note": "hush"])) { $0.principal = "hush" }
        let entry = try #require(try await rig.outbox.entry(id))
        var dumped = "\(entry) \(String(reflecting: entry)) \(String(describing: entry.mutation))"
        dump(entry, to: &dumped)
        #expect(!dumped.contains("hush"))
    }

    // MARK: Editing

    @Test func editedDeadLetterIsSentAsItIsNow() async throws {
        let rig = try OutboxRig([.status(422)])
        let changes = rig.outbox.changes
        rig.outbox.start()
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        #expect(await changes.nextBuried() != nil)
        try await rig.outbox.edit(id) { $0.body = Bytes(#"{"number":5}"#) }
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1])
        try await rig.outbox.resend(OutboxFilter(ids: [id]))
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1, 5])
        #expect(Set(rig.keys).count == 1)
    }

    @Test(arguments: ["old", "\"old\""])
    func editedEntryGetsANewKeyIfAskedTo(key: String) async throws {
        let rig = try OutboxRig()
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1)) { $0.idempotencyKey = .value(key) }
        try await rig.outbox.edit(id, key: .mint) { $0.target = "/corrected" }
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(rig.stub.requests.first?.url.path == "/v1/corrected")
        #expect(rig.keys.first != key && rig.keys.first?.hasPrefix("\"") == key.hasPrefix("\""))
    }

    @Test func editIsCheckedLikeAnyInput() async throws {
        let rig = try OutboxRig { $0.maximumBodySize = 100 }
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        let edits: [@Sendable (inout OutboxMutation) -> Void] = [
            { $0.headers[.authorization] = "Bearer hush" }, { $0.target = "ftp://elsewhere" }, { $0.target = "/a\r\nb" },
            { $0.body = Bytes([UInt8](repeating: 1, count: 101)) },
        ]
        for edit in edits { await #expect(throws: TarmacError.self) { try await rig.outbox.edit(id, edit) } }
        #expect(try await rig.outbox.entry(id)?.mutation?.target == "/orders")
    }

    @Test func entryBeingSentIsNotEdited() async throws {
        let rig = try OutboxRig()
        rig.stub.hold()
        rig.outbox.start()
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        try await rig.stub.received()
        let error = await #expect(throws: TarmacError.self) { try await rig.outbox.edit(id) { $0.body = .empty } }
        #expect(error?.code == .outboxEntryUnavailable)
        rig.stub.release()
        await rig.outbox.waitUntilIdle()
        await #expect(throws: TarmacError.self) { try await rig.outbox.edit(id) { $0.body = .empty } }
    }
}
