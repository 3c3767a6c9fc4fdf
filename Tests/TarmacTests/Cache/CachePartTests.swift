import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCache
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacStreams

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Parts of bodies as streams bring them, and as stores keep them (RFC 9111 §3.3, §3.4).
@Suite("Parts of bodies", .timeLimit(.minutes(5)))
struct CachePartTests {
    enum Place: String, CaseIterable, Sendable {
        case memory, files
    }

    private final class Folder: Sendable {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-parts-\(UInt64.random(in: .min ... .max))").path
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private let folder = Folder()

    private func store(_ place: Place) throws -> any CacheStore {
        switch place {
        case .memory: MemoryCacheStore()
        case .files: try FileCacheStore(folder: folder.path)
        }
    }

    private static let fresh: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"e\""]
    private static let digits = "0123456789"
    /// The whole, whose stream breaks off after the given chunks.
    private static func broken(_ chunks: [String], _ headers: HTTPFields = [.contentLength: "10"], code: TarmacError.Code = .connectionLost) -> Response {
        .stream(ByteStream { BreakingSource(chunks, code: code) }, headers: fresh + headers)
    }
    /// A part of the digits, in chunks.
    private static func part(_ bounds: ClosedRange<Int>, _ chunks: [String], tag: String = "\"e\"") -> Response {
        var headers = fresh
        (headers[.contentRange], headers[.eTag]) = ("bytes \(bounds.lowerBound)-\(bounds.upperBound)/10", tag)
        return .chunks(chunks, status: .partialContent, headers: headers)
    }

    private func client(_ store: any CacheStore, _ stub: StubTransport, _ configure: (inout Options) -> Void = { _ in }) -> Client {
        Client(stub, time: ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600))) {
            ($0.cache, $0.cacheStore, $0.retry) = (.http, .store(store), .never)
            configure(&$0)
        }
    }

    /// Answers the requests in order.
    private func stub(_ answers: Response..., capabilities: TransportCapabilities = .everything) -> StubTransport {
        let rest = Watched(answers[...])
        return StubTransport(capabilities: capabilities) { _ in rest.update { $0.popFirst() } ?? .status(.init(code: 418)) }
    }

    /// Reads a body as a stream, and notes how it ended.
    private func read(
        _ client: Client, _ range: String? = nil, rule: CacheRule? = nil, limit: Int = .max
    ) async -> (text: String, error: TarmacError.Code?) {
        let text = Watched("")
        do {
            try await client.stream(.get("/t", as: String.self), configure: { ($0.headers["Range"], $0.cache) = (range, rule) }) { response in
                var count = 0
                for try await chunk in response.body {
                    text.update { $0 += String(decoding: chunk.array, as: UTF8.self) }
                    count += 1
                    if count == limit { break }
                }
            }
        } catch { return (text.value, (error as? TarmacError)?.code) }
        return (text.value, nil)
    }

    private func get(_ client: Client, _ headers: HTTPFields = [:]) async throws -> Response {
        try await client.send(raw: Request(.get, HTTPURL("https://s.example/t"), headers: headers))
    }

    private func ranges(_ client: Client) async throws -> [Range<Int64>] {
        try await client.cache.flush()
        return try await client.cache.entries().flatMap { StoredRanges($0).ranges }
    }

    // MARK: Streams

    @Test(arguments: Place.allCases) func theBeginningOfABrokenStreamIsKept(place: Place) async throws {
        let stub = stub(Self.broken(["01", "23"]), Self.part(4...9, ["456789"]))
        let client = client(try store(place), stub)
        let first = await read(client)
        #expect(first.text == "0123" && first.error == .connectionLost)
        #expect(try await ranges(client) == [0..<4])
        let whole = try await get(client)
        #expect(whole.status == .ok && whole.body.collected == Bytes(Self.digits) && whole.headers[.contentLength] == "10")
        #expect(stub.requests.last?.headers[.range] == "bytes=4-" && stub.requests.last?.headers[.ifRange] == "\"e\"")
        #expect(try await ranges(client) == [0..<10])
        #expect(try await get(client).source.isCache)
    }

    @Test(arguments: [TarmacError.Code.truncatedBody, .connectionLost, .timeout, .idleTimeout, .deadlineExceeded])
    func aBeginningIsKeptHoweverItBrokeOff(code: TarmacError.Code) async throws {
        let client = client(MemoryCacheStore(), stub(Self.broken(["01", "23"], code: code)))
        #expect(await read(client).error == code)
        #expect(try await ranges(client) == [0..<4])
    }

    @Test(arguments: [
        "no length", "a weak tag", "no tag", "a coding", "a lasting failure", "an interceptor", "a reader who leaves", "another status", "a decoding transport",
    ])
    func aBeginningThatCannotBeCompletedIsNotKept(what: String) async throws {
        var headers: HTTPFields = [.contentLength: "10"]
        switch what {
        case "no length": headers = [:]
        case "a coding": headers[.contentEncoding] = "gzip"
        default: break
        }
        var answer = Self.broken(["01", "23"], headers, code: what == "a lasting failure" ? .malformedResponse : .connectionLost)
        switch what {
        case "a weak tag": answer.headers[.eTag] = "W/\"e\""
        case "no tag": answer.headers[.eTag] = nil
        case "another status": answer.status = .nonAuthoritativeInformation
        default: break
        }
        let client = client(MemoryCacheStore(), stub(answer, capabilities: what == "a decoding transport" ? [.decodesContent] : .everything)) {
            if what == "an interceptor" { $0.attemptInterceptors = [Intercepting { request, chain in try await chain.proceed(request) }] }
        }
        _ = await read(client, limit: what == "a reader who leaves" ? 1 : .max)
        #expect(try await client.cache.entries().isEmpty)
    }

    @Test func theBeginningOfSomethingNewerEndsNothingWhole() async throws {
        let client = client(MemoryCacheStore(), stub(.text(Self.digits, headers: Self.fresh), Self.broken(["new"])))
        _ = try await get(client)
        let second = await read(client, rule: .reload)
        #expect(second.text == "new" && second.error == .connectionLost)
        #expect(try await get(client).body.collected == Bytes(Self.digits))
    }

    @Test(arguments: Place.allCases) func theRestIsStreamed(place: Place) async throws {
        let stub = stub(Self.part(0...4, ["01234"]), Self.part(5...9, ["56", "789"]))
        let client = client(try store(place), stub)
        #expect(await read(client, "bytes=0-4").text == "01234")
        try await client.cache.flush()
        let whole = await read(client)
        #expect(whole.text == Self.digits && whole.error == nil)
        #expect(stub.requests.last?.headers[.range] == "bytes=5-")
        #expect(try await ranges(client) == [0..<10])
        #expect(await read(client, "bytes=3-6").text == "3456")
        #expect(stub.requests.count == 2)
    }

    @Test(arguments: Place.allCases) func aGapIsStreamed(place: Place) async throws {
        let stub = stub(Self.part(0...4, ["01234"]), Self.part(8...9, ["89"]), Self.part(5...7, ["5", "67"]))
        let client = client(try store(place), stub)
        for range in ["bytes=0-4", "bytes=8-9"] {
            _ = await read(client, range)
            try await client.cache.flush()
        }
        #expect(try await ranges(client) == [0..<5, 8..<10])
        #expect(await read(client, "bytes=3-8").text == "345678")
        #expect(stub.requests.last?.headers[.range] == "bytes=5-7")
        #expect(try await ranges(client) == [0..<10])
        #expect(await read(client).text == Self.digits)
        #expect(stub.requests.count == 3)
    }

    @Test(arguments: Place.allCases) func aRestThatBreaksOffIsContinued(place: Place) async throws {
        var second = Self.part(5...9, [])
        second.body = .stream(ByteStream { BreakingSource(["56"], code: .truncatedBody) })
        let stub = stub(Self.broken(["01234"]), second, Self.part(7...9, ["789"]))
        let client = client(try store(place), stub)
        _ = await read(client)
        #expect(try await ranges(client) == [0..<5])
        let broken = await read(client)
        #expect(broken.text == "0123456" && broken.error == .truncatedBody)
        #expect(try await ranges(client) == [0..<7])
        #expect(await read(client).text == Self.digits)
        #expect(stub.requests.map { $0.headers[.range] } == [nil, "bytes=5-", "bytes=7-"])
    }

    /// A stream that simply ends too soon is an error of the call, and not the beginning of what follows.
    @Test func aRestThatIsTooShortIsAnError() async throws {
        let stub = stub(Self.part(8...9, ["89"]), Self.part(0...4, ["01234"]), Self.part(5...7, ["56"]))
        let client = client(MemoryCacheStore(), stub)
        for range in ["bytes=8-9", "bytes=0-4"] { _ = await read(client, range) }
        let whole = await read(client)
        #expect(whole.text == "0123456" && whole.error == .truncatedBody)
        #expect(try await ranges(client) == [0..<5, 8..<10])
    }

    /// RFC 9110 §13.1.5: the server has compared the date. Some ignore it, and then the rest is of another version.
    @Test func aRestWithoutTheDateIsNotJoined() async throws {
        var first = Self.broken(["01", "23"]), rest = Self.part(4...9, ["BBBBBB"]), whole = Response.chunks(["AAAABBBBBB"], headers: Self.fresh)
        (first.headers[.eTag], first.headers[.lastModified]) = (nil, "Mon, 01 Dec 2025 00:00:00 GMT")
        first.headers[.date] = "Thu, 01 Jan 2026 00:00:00 GMT"
        (rest.headers[.eTag], whole.headers[.contentLength]) = (nil, "10")
        let stub = stub(first, rest, whole), client = client(MemoryCacheStore(), stub)
        #expect(await read(client).text == "0123")
        #expect(try await get(client).body.collected == Bytes("AAAABBBBBB"))
        #expect(stub.requests.map { $0.headers[.range] } == [nil, "bytes=4-", nil])
    }

    @Test func aStreamOfAnotherVersionIsNotJoined() async throws {
        let stub = stub(Self.part(0...4, ["01234"]), Self.part(5...9, ["FGHIJ"], tag: "\"f\""), .chunks(["new"], headers: Self.fresh))
        let client = client(MemoryCacheStore(), stub)
        _ = await read(client, "bytes=0-4")
        #expect(await read(client).text == "new")
        #expect(stub.requests.last?.headers[.range] == nil)
    }

    /// Each part that is added has the stored ones written again, which is too much for large ones.
    @Test func aLargePartIsNotWrittenAgainForASmallOne() async throws {
        let large = 17 << 20, total = 20 << 20
        let stub = StubTransport { request in
            let bounds = request.headers[.range] == "bytes=0-" ? 0..<large : large - 1..<large + 1
            var headers = Self.fresh
            headers[.contentRange] = "bytes \(bounds.lowerBound)-\(bounds.upperBound - 1)/\(total)"
            var response = Response.bytes(Bytes([UInt8](repeating: 1, count: bounds.count)), headers: headers)
            response.status = .partialContent
            return response
        }
        let client = client(MemoryCacheStore(limit: 128 << 20), stub) { $0.maximumBodySize = 64 << 20 }
        _ = try await get(client, [.range: "bytes=0-"])
        #expect(try await get(client, [.range: "bytes=\(large - 1)-\(large)"]).body.collected?.count == 2)
        #expect(stub.requests.last?.headers[.ifRange] == nil)
        #expect(try await ranges(client) == [0..<Int64(large)])
    }

    // MARK: Stored ranges

    /// Joining, finding and missing, beside a set of single positions.
    @Test(arguments: 0..<20) func rangesAreSetsOfPositions(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            var stored = StoredRanges(), body: [Int64] = []
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let lower = Int64.random(in: 0..<40, using: &random), new = lower..<Int64.random(in: lower + 1...42, using: &random)
                guard let joined = stored.joined(with: new) else {
                    Issue.record("eight ranges are not too many")
                    return
                }
                body = Array(body.prefix(Int(joined.before))) + Array(new) + Array(body.suffix(from: Int(joined.after)))
                stored = joined.ranges
                // The body is the positions in ascending order, each once.
                #expect(body == Array(Set(body)).sorted() && body == stored.ranges.flatMap { Array($0) })
                #expect(zip(stored.ranges, stored.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            }
            let lower = Int64.random(in: 0..<42, using: &random), wanted = lower..<Int64.random(in: lower + 1...43, using: &random)
            let missing = wanted.filter { !body.contains($0) }
            #expect(stored.missing(in: wanted) == missing.first.flatMap { first in missing.last.map { first..<$0 + 1 } })
            #expect(stored.contains(wanted) == missing.isEmpty)
            if let place = stored.place(of: wanted) { #expect(Array(body[Int(place.lowerBound)..<Int(place.upperBound)]) == Array(wanted)) }
        }
    }

    @Test func tooManyRangesAreNotKept() {
        var stored = StoredRanges()
        for n in 0..<Int64(StoredRanges.maximumCount) { stored = stored.joined(with: n * 2..<n * 2 + 1)?.ranges ?? stored }
        #expect(stored.ranges.count == StoredRanges.maximumCount)
        #expect(stored.joined(with: 1000..<1001) == nil)
        #expect(stored.joined(with: 1..<2)?.ranges.ranges.count == StoredRanges.maximumCount - 1)
    }

    private static func entry(_ ranges: [Range<Int64>], of total: Int64) -> CacheEntry {
        let date = Date(timeIntervalSince1970: 1_767_225_600), ranges = StoredRanges(ranges)
        return CacheEntry(
            key: CacheKey(service: "s", environment: "e", url: "https://s.example/t"), status: .partialContent, headers: [.eTag: "\"e\""], requestDate: date,
            responseDate: date, part: ranges.part(of: total), bodyLength: ranges.length)
    }

    @Test(arguments: [[0..<4], [3..<10], [0..<1, 2..<3, 5..<9], [4..<5, 9..<10]] as [[Range<Int64>]])
    func gapsAreEncoded(ranges: [Range<Int64>]) {
        let entry = Self.entry(ranges, of: 10)
        #expect(CacheEntry(encoded: entry.encoded) == entry)
        #expect(StoredRanges(entry).ranges == ranges)
    }

    /// Gaps that no part has are damage, and no reason to stop.
    @Test(arguments: [[5..<6, 4..<5], [0..<1], [4..<4], [4..<11], [4..<9]] as [[Range<Int64>]])
    func impossibleGapsAreRefused(gaps: [Range<Int64>]) {
        var entry = Self.entry([0..<4, 6..<8], of: 10)
        entry.part?.gaps = gaps
        #expect(CacheEntry(encoded: entry.encoded) == nil)
    }
}

/// Chunks, and then an error.
private final class BreakingSource: ByteStreamSource {
    private let rest: Watched<ArraySlice<String>>
    private let code: TarmacError.Code

    init(_ chunks: [String], code: TarmacError.Code) {
        rest = Watched(chunks[...])
        self.code = code
    }

    func next() async throws -> Bytes? {
        if let chunk = rest.update({ $0.popFirst() }) { return Bytes(chunk) }
        throw TarmacError(code, phase: .receiving, "the test breaks it")
    }
}
