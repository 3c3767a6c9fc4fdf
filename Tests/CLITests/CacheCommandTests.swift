#if Tools
import ArgumentParser
import Foundation
import HTTPTypes
import Tarmac
import TarmacCache
import TarmacSQLite
import TarmacTesting
import Testing

@testable import TarmacCLI

/// `tarmac cache` and `--cache`: what is kept is seen and removed from outside of the app.
@Suite("tarmac cache", .timeLimit(.minutes(5))) struct CacheCommandTests {
    private let folder: URL
    private var path: String { folder.appendingPathComponent("answers.db").path }
    private let report = CacheReport(palette: Palette(isOn: false))

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    /// A file as an app leaves it: `/a?token=…` of a service with a tag, and `/b`.
    private func fill(as name: String = "") async throws {
        let stub = StubTransport { request in
            let headers: HTTPFields = [.cacheControl: "max-age=600", .contentType: "text/plain", .authenticationInfo: "hush"]
            return Response(status: .ok, headers: headers, body: .bytes(Bytes("content")), url: request.url)
        }
        let database = try SQLiteDatabase(path: path), store = try SQLiteCacheStore(database, limit: 10 << 20)
        let client = Client(transport: .stub(stub), services: [Service("shop", host: "https://shop.example")]) {
            ($0.cache, $0.cacheStore, $0.timeout) = (.http, .store(store), .seconds(120))
            if !name.isEmpty { $0.principal = name }
        }
        try await client.get("/a?page=1") { $0.tags = ["feed"] }
        try await client.get("/b")
        await client.shutdown()
        try database.close()
    }

    private func entries() async throws -> [CacheEntry] {
        try await SQLiteCacheStore(inspecting: path).list(.all, after: nil, limit: 10).sorted { $0.key.url < $1.key.url }
    }

    @Test func reportTellsWhatIsStoredAndNoSecret() async throws {
        try await fill()
        var entry = try await entries()[0]
        #expect(report.line(entry).contains(CacheReport.id(entry)))
        #expect(report.line(entry).contains("GET 200  7 B  https://shop.example/a?page=1"))
        entry.headers[.setCookie] = "id=hush"
        let text = report.text(entry)
        #expect(text.contains("Content-Type: text/plain") && text.contains("body: 7 bytes") && text.contains("feed"))
        #expect(text.contains("Set-Cookie") && !text.contains("id=hush"))
        entry.part = .init(offset: 10, total: 100)
        entry.shownURL = "https://shop.example/\u{1B}[2J"
        #expect(report.text(entry).contains("body: 7 bytes from 10 of 100"))
        #expect(!report.text(entry).contains("\u{1B}") && !report.line(entry).contains("\u{1B}"))
    }

    @Test func noKeyIsShownForWhoIsNobody() async throws {
        try await fill()
        let texts = try await entries().map(report.text)
        #expect(!texts.joined().contains(" of "))
    }

    @Test(arguments: [
        ("4:shop10:production0:0:0:", ""), ("4:shop10:production3:ann0:0:", "ann"), ("4:shop10:production0:7:account5:ann-7", "ann-7"),
        ("somebody", "somebody"), ("4:shop9:production", "4:shop9:production"), ("", ""),
    ])
    func whoseItIsIsToldByName(_ text: String, _ name: String) {
        #expect(CacheReport.principal(text) == name)
    }

    @Test func whatIsThisMachinesMayBeTypedShort() throws {
        #expect(try CacheSelectionArguments.parse(["--url", ":8080/users"]).selection.url == "http://localhost:8080/users")
        #expect(try CacheSelectionArguments.parse(["--prefix", ":8080"]).selection.urlPrefix == "http://localhost:8080")
        #expect(try CacheSelectionArguments.parse(["--prefix", "https://a.exa"]).selection.urlPrefix == "https://a.exa")
    }

    @Test func sumsAreTold() {
        var statistics = CacheStatistics()
        (statistics.entries, statistics.bytes, statistics.limit) = (3, 2048, 10 << 20)
        #expect(CacheReport.text(statistics, isSealed: false, file: 4096) == "entries  3\nsize     2.0 KiB of 10.0 MiB\nfile     4.0 KiB")
        #expect(CacheReport.text(statistics, isSealed: true, file: 4096).hasSuffix("sealed"))
    }

    @Test(arguments: [
        (["--url", "https://shop.example/b"], 1), (["--prefix", "https://shop.example/"], 0), (["--prefix", "https://shop.example/a"], 1),
        (["--tag", "feed"], 1), (["--tag", "other"], 2), (["--service", "shop"], 0), (["--service", "other"], 2), (["--principal", "ann"], 2),
        (["--service", "shop", "--tag", "feed"], 1), (["--all"], 0),
    ])
    func purgeRemovesWhatIsMeant(arguments: [String], left: Int) async throws {
        try await fill()
        try await CachePurgeCommand.parse(["--store", path] + arguments).run()
        #expect(try await entries().count == left)
    }

    @Test(arguments: [("ann", 0), ("an", 2), ("anna", 2)])
    func somebodysAreNamedAsTheAppNamesThem(name: String, left: Int) async throws {
        try await fill(as: "ann")
        try await CachePurgeCommand.parse(["--store", path, "--principal", name]).run()
        #expect(try await entries().count == left)
    }

    @Test func oneEntryIsNamedByItsID() async throws {
        try await fill()
        let entry = try await entries()[0]
        try await CacheShowCommand.parse([CacheReport.id(entry), "--store", path]).run()
        try await CacheShowCommand.parse(["https://shop.example/b", "--store", path]).run()
        let error = await #expect(throws: TarmacError.self) { try await CacheShowCommand.parse(["https://shop.example/none", "--store", path]).run() }
        #expect(error?.code == .notCached)
        try await CachePurgeCommand.parse(["--store", path, "--id", CacheReport.id(entry)]).run()
        #expect(try await entries().map(\.key.url) == ["https://shop.example/b"])
    }

    @Test func nothingIsRemovedThatNobodyNamed() {
        #expect(throws: (any Error).self) { try CachePurgeCommand.parse(["--store", path]) }
        #expect(throws: (any Error).self) { try CachePurgeCommand.parse(["--store", path, "--id", "xyz"]) }
        #expect((try? CacheListCommand.parse([]))?.place.store == CacheArgument.own)
        #expect(throws: Never.self) { try CacheListCommand.parse(["--store", path]) }
        #expect(throws: (any Error).self) { try CacheListCommand.parse(["--store", path, "--limit", "0"]) }
    }

    @Test func anEmptyCacheIsListedAndCounted() async throws {
        _ = try SQLiteCacheStore(SQLiteDatabase(path: path))
        try await CacheListCommand.parse(["--store", path]).run()
        try await CacheStatsCommand.parse(["--store", path]).run()
        try await CachePurgeCommand.parse(["--store", path, "--all"]).run()
        #expect(try await entries().isEmpty)
    }

    @Test(arguments: ["list", "stats", "purge --all", "show https://shop.example/"])
    func fileThatIsNotThereIsNotMade(words: String) async throws {
        let command = try TarmacCommand.parseAsRoot(["cache"] + words.split(separator: " ").map(String.init) + ["--store", path])
        guard var command = command as? any AsyncParsableCommand else {
            Issue.record("it is another command")
            return
        }
        do {
            try await command.run()
            Issue.record("it works")
        } catch let error as TarmacError { #expect(error.code == .unreadableFile && error.description.contains(path)) }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func fileWithoutACacheIsRefusedAndStays() async throws {
        try Data("not a database, and long enough to be read as one".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let error = await #expect(throws: TarmacError.self) { try await CacheListCommand.parse(["--store", path]).run() }
        #expect(error?.code == .storeFailed)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["answers.db"])
        #expect(error?.description.contains("moved aside") == false)
    }

    // MARK: --cache

    @Test func whatMayBeKeptIsAnsweredFromTheFile() async throws {
        let answer = "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: 2\r\n\r\nok"
        let server = try ScriptedServer([.loop([.readRequest, .write(answer)])])
        defer { server.stop() }
        let url = server.url("/a").string
        for _ in 0..<3 { try await GetCommand.parse([url, "--cache", path, "--timeout", "120"]).run() }
        #expect(server.requests.count == 1)
        #expect(try await entries().map(\.key.url) == [url])
        // Without the file it is asked.
        try await GetCommand.parse([url, "--timeout", "120"]).run()
        #expect(server.requests.count == 2)
        // A change has it asked anew (RFC 9111 §4.4).
        try await PutCommand.parse([url, "a=1", "--cache", path, "--timeout", "120"]).run()
        #expect(try await entries().isEmpty)
    }

    /// A file of the user's is neither moved nor given a lock.
    @Test func aFileThatIsNoDatabaseIsLeftAlone() async throws {
        try Data("notes".utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let error = await #expect(throws: TarmacError.self) { try await GetCommand.parse(["http://127.0.0.1:9/", "--cache", path]).run() }
        #expect(error?.code == .storeFailed)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["answers.db"])
        #expect(FileManager.default.contents(atPath: path) == Data("notes".utf8))
    }

    /// Neither tables nor another journal mode are written into the database of another program.
    @Test func theDatabaseOfAnotherProgramIsLeftAlone() async throws {
        let own = folder.appendingPathComponent("own.db").path
        let database = try SQLiteDatabase(path: own)
        _ = try SQLiteCacheStore(database)
        try database.close()
        #expect(!SQLiteDatabase.isForeign(own))
        // The same file with the mark of TarmacSQLite's tables under another name.
        var foreign = try #require(FileManager.default.contents(atPath: own))
        while let mark = foreign.range(of: Data("tarmac_schema".utf8)) { foreign.replaceSubrange(mark, with: Data("recipe_schema".utf8)) }
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(file))
        }
        try foreign.write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        let error = await #expect(throws: TarmacError.self) { try await GetCommand.parse(["http://127.0.0.1:9/", "--cache", path]).run() }
        #expect(error?.code == .storeFailed)
        #expect(error?.reason.contains("another program") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["answers.db"])
        #expect(FileManager.default.contents(atPath: path) == foreign)
    }

    /// A person's answer, and whether it is yes.
    private static let answers: [(String?, Bool)] = [
        ("y\n", true), ("Yes\n", true), ("\n", false), ("n\n", false), ("no, yes\n", false), ("", false), (nil, false),
    ]

    /// An app's transfers or its outbox, for example.
    @Test(arguments: answers)
    func aFileOfAnotherStoreGetsACacheOnlyIfAPersonSaysYes(answer: String?, isYes: Bool) async throws {
        let database = try SQLiteDatabase(path: path)
        _ = try SQLiteTransferStore(database)
        try database.close()
        #expect(SQLiteDatabase.isForeign(path))
        let questions = Watched<[String]>([])
        func open(_ canAsk: Bool) throws -> SQLiteCacheStore {
            let confirmation = Confirmation(canAsk: canAsk) { question in
                questions.update { $0.append(question) }
                return answer
            }
            return try CacheArgument.store(path, confirmation: confirmation) { _ in }
        }
        // A pipe is not asked.
        let error = #expect(throws: TarmacError.self) { try open(false) }
        #expect(error?.code == .storeFailed && error?.suggestion?.contains("name another file") == true)
        #expect(questions.value.isEmpty && SQLiteDatabase.isForeign(path))
        if isYes {
            #expect(try await open(true).list(.all, after: nil, limit: 1).isEmpty)
        } else {
            #expect(throws: TarmacError.self) { try open(true) }
        }
        #expect(questions.value.count == 1 && questions.value.first?.hasSuffix("[y/N] ") == true)
        #expect(SQLiteDatabase.isForeign(path) == !isYes)
    }

    @Test func aCacheOfAnAppIsUsedWithoutAQuestion() async throws {
        try await fill()
        let confirmation = Confirmation(canAsk: true) { question in
            Issue.record("\(question)")
            return "y"
        }
        #expect(try await CacheArgument.store(path, confirmation: confirmation) { _ in }.list(.all, after: nil, limit: 10).count == 2)
        let new = folder.appendingPathComponent("new.db").path
        #expect(try await CacheArgument.store(new, confirmation: confirmation) { _ in }.list(.all, after: nil, limit: 10).isEmpty)
    }

    @Test func whatIsOnlyExplainedMakesNoFile() async throws {
        try await GetCommand.parse(["https://shop.example/", "--cache", path, "--curl"]).run()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(arguments: [["--cache", "", "-v"], ["--cache", "a.db", "--output", "b"]])
    func whatDoesNotGoTogetherIsRefused(arguments: [String]) throws {
        let call = try GetCommand.parse(["https://shop.example/"] + arguments).call
        let error = #expect(throws: TarmacError.self) { try CallPlan(.get, call) }
        #expect(error?.code == .invalidOption)
    }
}
#endif
