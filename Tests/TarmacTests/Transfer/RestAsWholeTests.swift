import Foundation
import HTTPTypes
import TarmacCache
import TarmacStreams
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacTransfer

/// Servers that send the bytes that a Range asks for, and say 200 or 203.
@Suite("Parts under the status of the whole", .timeLimit(.minutes(5)))
struct RestAsWholeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var first: HTTPFields = [.eTag: "\"1\"", .contentLength: "5000", .acceptRanges: "bytes"]
        var status = 200
        /// The fields of the answer to a range.
        let rest: @Sendable (Range<Int>) -> HTTPFields
    }

    static let rows: [Row] = [
        Row(testDescription: "same tag, no length") { _ in [.eTag: "\"1\""] },
        Row(testDescription: "same tag, length") { [.eTag: "\"1\"", .contentLength: "\($0.count)"] },
        Row(testDescription: "no tag, length") { [.contentLength: "\($0.count)"] },
        Row(testDescription: "weak tag, length") { [.eTag: "W/\"1\"", .contentLength: "\($0.count)"] },
        Row(testDescription: "no tag, no length") { _ in [:] },
        Row(testDescription: "no tag, Content-Range") { [.contentRange: "bytes \($0.lowerBound)-\($0.upperBound - 1)/5000"] },
        Row(testDescription: "same tag, Content-Range, no length") {
            [.eTag: "\"1\"", .contentRange: "bytes \($0.lowerBound)-\($0.upperBound - 1)/5000"]
        },
        Row(testDescription: "other tag, Content-Range") { [.eTag: "\"2\"", .contentRange: "bytes \($0.lowerBound)-\($0.upperBound - 1)/5000"] },
        Row(testDescription: "203, same tag, Content-Range", status: 203) {
            [.eTag: "\"1\"", .contentRange: "bytes \($0.lowerBound)-\($0.upperBound - 1)/5000"]
        },
        Row(testDescription: "203, same tag, length", status: 203) { [.eTag: "\"1\"", .contentLength: "\($0.count)"] },
        Row(testDescription: "unknown total, same tag, length", first: [.eTag: "\"1\"", .acceptRanges: "bytes"]) {
            [.eTag: "\"1\"", .contentLength: "\($0.count)"]
        },
        Row(testDescription: "identity coding named, length") { [.eTag: "\"1\"", .contentEncoding: "identity", .contentLength: "\($0.count)"] },
        Row(testDescription: "two lengths") { [.eTag: "\"1\"", .contentLength: "\($0.count)", .acceptRanges: "none"] },
        Row(testDescription: "by date", first: Self.dated) { [.lastModified: "Mon, 01 Jan 2024 00:00:00 GMT", .contentLength: "\($0.count)"] },
        Row(testDescription: "by date, Content-Range", first: Self.dated) {
            [.contentLength: "\($0.count)", .contentRange: "bytes \($0.lowerBound)-\($0.upperBound - 1)/5000"]
        },
    ]

    private static let service = Service("s", host: "https://s.example")
    private static let dated: HTTPFields = [
        .lastModified: "Mon, 01 Jan 2024 00:00:00 GMT", .date: "Tue, 02 Jan 2024 00:00:00 GMT", .contentLength: "5000",
    ]

    private func range(_ request: Request, _ total: Int) -> Range<Int>? {
        guard let text = request.headers[.range]?.dropFirst(6) else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let from = Int(parts[0])!, to = Int(parts[1]).map { min($0 + 1, total) } ?? total
        return from..<to
    }

    @Test(arguments: rows) func aResumedDownloadIsWhole(row: Row) async throws {
        let bytes = noise(5000), count = Locked(0)
        let stub = StubTransport { request in
            let number = count.withLock {
                $0 += 1; return $0
            }
            guard let range = range(request, 5000) else {
                if number == 1 { return .stream(ByteStream { CutOffSource([Bytes(Array(bytes[..<2000]))]) }, headers: row.first) }
                return .bytes(Bytes(bytes), headers: row.first)
            }
            return .stream(ByteStream { ChunkSource([Bytes(Array(bytes[range]))]) }, status: .init(code: row.status), headers: row.rest(range))
        }
        let client = Client(transport: .stub(stub), services: [Self.service]) { $0.resume = .automatic { $0.base = .zero } }
        try await expectWhole(bytes, client, stub)
    }

    @Test(arguments: ["200 Content-Range", "200 length", "200 no length", "200 Content-Range no tag", "203 Content-Range", "later 200"])
    func parallelRangesAreWhole(kind: String) async throws {
        let total = 400_000, bytes = noise(total), count = Locked(0)
        let stub = StubTransport { request in
            let number = count.withLock {
                $0 += 1; return $0
            }
            guard let range = range(request, total) else { return .bytes(Bytes(bytes), headers: [.eTag: "\"1\"", .contentLength: "\(total)"]) }
            var fields: HTTPFields = [.eTag: "\"1\"", .acceptRanges: "bytes"]
            let isPart = kind == "later 200" && number == 1
            if kind.contains("Content-Range") || isPart { fields[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)" }
            if kind != "200 no length" { fields[.contentLength] = "\(range.count)" }
            if kind.contains("no tag") { fields[.eTag] = nil }
            return .stream(
                ByteStream { ChunkSource([Bytes(Array(bytes[range]))]) },
                status: isPart ? .partialContent : kind.hasPrefix("203") ? .nonAuthoritativeInformation : .ok,
                headers: fields)
        }
        let client = Client(transport: .stub(stub), services: [Self.service]) {
            $0.resume = .automatic { $0.base = .zero }
            $0.download = DownloadRule { ($0.parallelRanges, $0.minimumRange) = (4, 65_536) }
        }
        try await expectWhole(bytes, client, stub)
    }

    /// Expects that a download brings the whole file, however often it must ask.
    private func expectWhole(_ bytes: [UInt8], _ client: Client, _ stub: StubTransport) async throws {
        try await withFolder { folder in
            try await client.send(Download(.get("/f"), to: "\(folder)/f"))
            let got = content("\(folder)/f")
            #expect(got == bytes, "\(got?.count ?? -1) bytes; \(stub.requests.map { $0.headers[.range] ?? "all" })")
        }
    }

    /// The cache asks for the rest of what it has.
    @Test(arguments: rows) func aCompletedAnswerIsWholeOrFails(row: Row) async throws {
        let digits = Array("0123456789".utf8), count = Locked(0)
        let fresh: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]
        let stub = StubTransport { request in
            let number = count.withLock {
                $0 += 1; return $0
            }
            guard let range = range(request, 10) else {
                if number == 1 { return .stream(ByteStream { CutOffSource([Bytes("0123")]) }, headers: fresh + [.contentLength: "10"]) }
                return .bytes(Bytes(digits), headers: fresh)
            }
            var fields = row.rest(range)
            if let text = fields[.contentRange] { fields[.contentRange] = text.replacingOccurrences(of: "/5000", with: "/10") }
            fields[.cacheControl] = "max-age=60"
            return .bytes(Bytes(Array(digits[range])), status: .init(code: row.status), headers: fields)
        }
        let client = Client(transport: .stub(stub), services: [Self.service]) {
            ($0.cache, $0.cacheStore, $0.retry) = (.http, .store(MemoryCacheStore()), .never)
        }
        _ = try? await client.stream(.get("/t", as: String.self)) { response in for try await _ in response.body {} }
        var texts: [String] = []
        for _ in 0..<2 { texts.append((try? await client.get("/t", as: String.self)) ?? "error") }
        #expect(texts.allSatisfy { $0 == "0123456789" || $0 == "error" }, "\(texts); \(stub.requests.map { $0.headers[.range] ?? "all" })")
    }

    @Test(arguments: ["Content-Range", "no Content-Range"]) func aPartUnder200IsNotStoredAsTheWhole(kind: String) async throws {
        let digits = Array("0123456789".utf8)
        let stub = StubTransport { request in
            var fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]
            guard request.headers[.range] != nil else { return .bytes(Bytes(digits), headers: fields) }
            if kind == "Content-Range" { fields[.contentRange] = "bytes 0-3/10" }
            return .bytes(Bytes("0123"), headers: fields)
        }
        let client = Client(transport: .stub(stub), services: [Self.service]) { $0.cache = .http }
        _ = try await client.send(raw: Request(.get, HTTPURL("https://s.example/t"), headers: [.range: "bytes=0-3"]))
        #expect(try await client.get("/t", as: String.self) == "0123456789")
    }

    /// One slot: the request that replaces a stream must not wait for it.
    @Test(arguments: [200, 206, 304, 412, 416]) func aStreamThatIsReplacedHoldsNoSlot(status: Int) async throws {
        let stub = StubTransport { request in
            var headers: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]
            switch request.headers[.range] {
            case "bytes=0-999":
                (headers[.contentRange], headers[.contentLength]) = ("bytes 0-999/4000", "1000")
                return .bytes(Bytes([UInt8](repeating: 65, count: 1000)), status: .partialContent, headers: headers)
            case .some:
                headers[.eTag] = status == 206 ? "\"2\"" : "\"1\""
                headers[.contentLength] = "3000"
                return .chunks([String(repeating: "A", count: 3000)], status: .init(code: status), headers: headers)
            case nil:
                headers[.contentLength] = "4000"
                return .chunks([String(repeating: "A", count: 4000)], headers: headers)
            }
        }
        let client = Client(transport: .stub(stub), services: [Self.service], concurrency: 1) { ($0.cache, $0.deadline) = (.http, .seconds(60)) }
        _ = try await client.send(raw: Request(.get, HTTPURL("https://s.example/f"), headers: [.range: "bytes=0-999"]))
        try await withFolder { folder in
            try await client.send(Download(.get("/f"), to: "\(folder)/f"))
            #expect(content("\(folder)/f") == [UInt8](repeating: 65, count: 4000))
        }
        await client.shutdown()
    }
}

private final class ChunkSource: ByteStreamSource {
    private let rest: Locked<ArraySlice<Bytes>>
    init(_ chunks: [Bytes]) { rest = Locked(chunks[...]) }
    func next() async throws -> Bytes? { rest.withLock { $0.popFirst() } }
}

private final class CutOffSource: ByteStreamSource {
    private let rest: Locked<ArraySlice<Bytes>>
    init(_ chunks: [Bytes]) { rest = Locked(chunks[...]) }
    func next() async throws -> Bytes? {
        if let chunk = rest.withLock({ $0.popFirst() }) { return chunk }
        throw TarmacError(.connectionLost, phase: .receiving, "cut")
    }
}

private func + (one: HTTPFields, other: HTTPFields) -> HTTPFields {
    var sum = one
    for field in other { sum[field.name] = field.value }
    return sum
}
