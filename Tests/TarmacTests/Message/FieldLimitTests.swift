import Foundation
import HTTPTypes
import Tarmac
@testable import TarmacCache
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacTesting
@testable import TarmacBackground
@testable import TarmacTransfer
import Testing

/// HTTPTypes ends the process at 65,535 fields. Each list of fields whose length is not Tarmac's choice ends before.
@Suite("Lists of header fields have an end", .timeLimit(.minutes(5)))
struct FieldLimitTests {
    private static let tooMany = 70_000
    private static let name = HTTPField.Name("A")!

    @Test func aFullListTakesNoField() throws {
        var fields = HTTPFields()
        for _ in 0..<HTTPFields.sourceLimit { try fields.add(HTTPField(name: Self.name, value: "1")) }
        try fields.checkCount()
        let error = #expect(throws: TarmacError.self) { try fields.add(HTTPField(name: Self.name, value: "1")) }
        #expect(error?.code == .headersTooLarge && error?.phase == .waiting)
        #expect(fields.count == HTTPFields.sourceLimit)
    }

    @Test func aPseudoFieldIsNone() throws {
        var fields = HTTPFields()
        let pseudo = try #require(HTTPField.Name(parsed: ":status"))
        #expect(throws: TarmacError.self) { try fields.add(HTTPField(name: pseudo, value: "200"), orThrow: .invalidParameter) }
        #expect(fields.isEmpty)
    }

    @Test func fieldsOfACallAreCounted() async {
        let client = Client(transport: .stub { _ in .text("ok") }, services: [Service("s", host: "https://s.example")])
        let error = await #expect(throws: TarmacError.self) {
            _ = try await client.get("/") { for _ in 0..<Self.tooMany { $0.headers.append("A", "1") } }
        }
        #expect(error?.code == .invalidParameter)
    }

    @Test func fieldsFromParametersAreCounted() async {
        let client = Client(transport: .stub { _ in .text("ok") }, services: [Service("s", host: "https://s.example")])
        let error = await #expect(throws: TarmacError.self) { try await client.send(ManyFields(numbers: Array(repeating: 1, count: Self.tooMany))) }
        #expect(error?.code == .invalidParameter)
    }

    private struct ManyFields: Endpoint, Encodable {
        typealias Value = String
        static let route: Route = .get("/")
        @Header("A") var numbers: [Int]
        init(numbers: [Int]) { self.numbers = numbers }
    }

    @Test func fieldsOfARawRequestAreCounted() async throws {
        let client = Client(transport: .stub { _ in .text("ok") }, services: [Service("s", host: "https://s.example")])
        let fields = HTTPFields((0..<65_000).map { _ in HTTPField(name: Self.name, value: "1") })
        let request = Request(.get, try HTTPURL("https://s.example/"), headers: fields)
        let error = await #expect(throws: TarmacError.self) { _ = try await client.send(raw: request) }
        #expect(error?.code == .invalidParameter)
    }

    @Test func fieldsOfAStoredEntryAreCounted() {
        var entry = CacheEntry(
            key: CacheKey(service: "s", environment: "", url: "https://s.example/"), requestDate: Date(timeIntervalSince1970: 0),
            responseDate: Date(timeIntervalSince1970: 0))
        entry.headers = HTTPFields((0..<HTTPFields.sourceLimit).map { _ in HTTPField(name: Self.name, value: "1") })
        #expect(CacheEntry(encoded: entry.encoded)?.headers.count == HTTPFields.sourceLimit)
        entry.headers.append(HTTPField(name: Self.name, value: "1"))
        #expect(CacheEntry(encoded: entry.encoded) == nil)
    }

    @Test(arguments: [
        (#""status":200"#, 2, true), (#""status":200"#, 17_000, false), (#""status":5000"#, 2, false), (#""status":-1"#, 2, false),
    ])
    func theHeadOfABackgroundDownloadIsChecked(status: String, count: Int, isTaken: Bool) throws {
        let folder = NSTemporaryDirectory() + "fields-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let store = try BackgroundResultStore(folder: folder)
        var request = Request(.get, try HTTPURL("https://s.example/f"))
        request.transferKey = String(repeating: "a", count: 64)
        let label = try #require(BackgroundLabel(request)), body = folder + "/new"
        try Data("hi".utf8).write(to: URL(fileURLWithPath: body))
        try store.put(label, status: .ok, headers: [:], isDecoded: false, body: body)
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder).first { $0.hasSuffix(".head") })
        let field = String(decoding: try JSONEncoder().encode(HTTPField(name: Self.name, value: "1")), as: UTF8.self)
        let text = "{\(status),\"isDecoded\":false,\"headers\":[\(Array(repeating: field, count: count).joined(separator: ","))]}"
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        #expect((try store.response(label, to: request) != nil) == isTaken)
    }

    private static func named(_ prefix: String, _ count: Int) -> HTTPFields {
        HTTPFields((0..<count).map { HTTPField(name: HTTPField.Name("\(prefix)-\($0)")!, value: "1") })
    }

    /// Each answer that confirms a stored response may bring further names.
    @Test func fieldsOfValidationsAreAtMostAsManyAsThoseOfOneMessage() {
        var stored: HTTPFields = [.eTag: "\"1\"", .contentLength: "2", .cacheControl: "no-cache"]
        for number in 0..<8 {
            var newer = Self.named("n\(number)", 16_000)
            newer[.cacheControl] = "max-age=\(number)"
            stored = CacheValidation.merged(stored, with: newer)
        }
        #expect(stored.count == HTTPFields.sourceLimit - 1)
        #expect(stored[.cacheControl] == "max-age=7" && stored[.contentLength] == "2" && stored[.eTag] == "\"1\"")
    }

    @Test(arguments: [HTTPRequest.Method.get, .head]) func aStoredResponseDoesNotGrowWithEachAnswer(method: HTTPRequest.Method) async throws {
        let count = Watched(0)
        let stub = StubTransport { request in
            count.update { $0 += 1 }
            if count.value == 1 { return .text("ok", headers: [.eTag: "\"1\"", .cacheControl: "no-cache"]) }
            var fields = Self.named("n\(count.value)", 16_000)
            (fields[.eTag], fields[.cacheControl]) = ("\"1\"", "no-cache")
            if request.headers.contains(.ifNoneMatch) { return .status(.notModified, headers: fields) }
            fields[.contentLength] = "2"
            return .status(.ok, headers: fields)
        }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) { $0.cache = .http }
        let url = try HTTPURL("https://s.example/")
        _ = try await client.send(raw: Request(.get, url))
        for _ in 0..<6 { _ = try await client.send(raw: Request(method, url)) }
        for entry in try await client.cache.entries() { #expect(entry.headers.count <= HTTPFields.sourceLimit) }
        #expect(try await client.get("/", as: String.self) == "ok")
        await client.shutdown()
    }

    /// An entry that has grown too large for the store is none.
    @Test func anEntryThatGrowsBeyondItsPartOfTheStoreIsGone() async throws {
        let store = MemoryCacheStore(limit: 40_000), url = "https://s.example/"
        let key = CacheKey(service: "s", environment: "e", principal: "", url: url), date = Date(timeIntervalSince1970: 1_767_225_600)
        var entry = CacheEntry(key: key, headers: [.eTag: "\"1\""], requestDate: date, responseDate: date, bodyLength: 2)
        #expect(await store.publish(entry, body: Bytes("ok")))
        entry.headers[Self.name] = String(repeating: "x", count: 20_000)
        #expect(await !store.update(entry))
        #expect(await store.statistics().bytes < 10_000)
    }

    @Test func limitsOfStoresAreAddedWithinBounds() async throws {
        let client = Client(transport: .stub { _ in .text("ok") }, services: [Service("s", host: "https://s.example")]) {
            ($0.cache, $0.cacheStore) = (.http, .store(MemoryCacheStore(limit: .max)))
        }
        try await client.get("/")
        #expect(try await client.cache.statistics().limit == .max)
        await client.shutdown()
    }
}
