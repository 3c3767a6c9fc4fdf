#if Tools
import ArgumentParser
import Foundation
import HTTPTypes
import Tarmac
import TarmacOutbox
import TarmacSQLite
import TarmacTesting
import Testing

@testable import TarmacCLI

/// `tarmac outbox`: dead letters are seen and helped from outside of the app.
@Suite("tarmac outbox", .timeLimit(.minutes(5))) struct OutboxCommandTests {
    private let folder: URL
    private var path: String { folder.appendingPathComponent("shop.db").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// A file as an app leaves it: one dead letter, and one entry behind it.
    private func fill() async throws -> [OutboxEntry.ID] {
        let stub = StubTransport { _ in .status(.unprocessableContent) }
        let client = Client(transport: .stub(stub), services: [Service("shop", host: "https://shop.example")])
        let outbox = try Outbox(client: client, store: SQLiteOutboxStore(SQLiteDatabase(path: path)))
        let ids = [
            try await outbox.enqueue(.post("/orders{?hush}", ["hush": "value", "note": "value"])), try await outbox.enqueue(.delete("/orders/7")),
        ]
        outbox.start()
        await outbox.waitUntilIdle()
        await outbox.shutdown()
        await client.shutdown()
        return ids
    }

    private func entries() async throws -> [OutboxEntry] {
        try await SQLiteOutboxStore(inspecting: path).records(.all, limit: 10).map { OutboxEntry($0, sealer: nil) }
    }

    @Test func reportTellsWhatItIsAndWhyItIsStillThereAndNoValue() async throws {
        let ids = try await fill()
        let records = try await SQLiteOutboxStore(inspecting: path).records(.all, limit: 10)
        let texts = records.map(OutboxReport(palette: Palette(isOn: false)).text)
        #expect(texts[0].contains(ids[0].rawValue))
        #expect(texts[0].contains("dead"))
        #expect(texts[0].contains("POST /orders?…"))
        #expect(texts[0].contains("422"))
        #expect(texts[1].contains("waiting"))
        #expect(texts[1].contains("DELETE /orders/7"))
        #expect(!texts.joined().contains("value"))
    }

    @Test func retryRevivesWhatIsMeant() async throws {
        _ = try await fill()
        try await OutboxRetryCommand.parse(["--db", path, "--dead"]).run()
        #expect(try await entries().map(\.state) == [.waiting, .waiting])
    }

    @Test func dropTakesOutWhatIsMeant() async throws {
        let ids = try await fill()
        try await OutboxDropCommand.parse(["--db", path, ids[0].rawValue]).run()
        #expect(try await entries().map(\.id) == [ids[1]])
        try await OutboxDropCommand.parse(["--db", path, "--lane", "other"]).run()
        #expect(try await entries().count == 1)
    }

    @Test func largeBodyIsShownByItsSizeAndGoesWithItsEntry() async throws {
        let client = Client(transport: .stub(StubTransport { _ in .status(.ok) }), services: [Service("shop", host: "https://shop.example")])
        let rule = OutboxRule { $0.maximumBodySize = 10 }
        let outbox = try Outbox(client: client, store: SQLiteOutboxStore(SQLiteDatabase(path: path)), rule: rule)
        let source = folder.appendingPathComponent("film")
        try Data("hello outbox".utf8).write(to: source)
        let id = try await outbox.enqueue(Upload(.file(source.path), to: InlineEndpoint<Void>.post("/a")))
        let record = try #require(try await SQLiteOutboxStore(inspecting: path).records(.all, limit: 1).first)
        #expect(OutboxReport(palette: Palette(isOn: false)).text(record).contains("POST /a, a file of 12 bytes"))
        #expect(FileManager.default.fileExists(atPath: "\(path)-outbox/\(id)"))
        try await OutboxDropCommand.parse(["--db", path, id.rawValue]).run()
        #expect(!FileManager.default.fileExists(atPath: "\(path)-outbox/\(id)"))
        await client.shutdown()
    }

    @Test func nothingIsChangedThatNobodyNamed() {
        #expect(throws: (any Error).self) { try OutboxDropCommand.parse(["--db", path]) }
        #expect(throws: (any Error).self) { try OutboxRetryCommand.parse(["--db", path]) }
        #expect(throws: Never.self) { try OutboxListCommand.parse(["--db", path]) }
        #expect(throws: Never.self) { try OutboxDropCommand.parse(["--db", path, "--all"]) }
    }

    @Test func fileThatIsNotThereIsNotMade() async throws {
        await #expect(throws: TarmacError.self) { try await OutboxListCommand.parse(["--db", path]).run() }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func damagedFileStaysWhereItIs() async throws {
        try Data("not a database, and long enough to be read as one".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let error = await #expect(throws: TarmacError.self) { try await OutboxListCommand.parse(["--db", path]).run() }
        #expect(error?.code == .storeFailed)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["shop.db"])
        #expect(error?.description.contains("moved aside") == false)
    }
}
#endif
