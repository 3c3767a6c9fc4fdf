import HTTPTypes
import TarmacJSON
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacStreams

/// Lines, JSON lines and JSON text sequences (RFC 7464).
@Suite("Lines and JSON sequences", .timeLimit(.minutes(5)))
struct LineTests {
    private func records<Parser: RecordParser>(_ parser: Parser, _ chunks: [some Sequence<UInt8>]) throws -> [Parser.Record] {
        var parser = parser
        var records: [Parser.Record] = []
        for chunk in chunks where !Array(chunk).isEmpty {
            parser.append(Bytes(Array(chunk)))
            while let record = try parser.next() { records.append(record) }
        }
        try parser.finish()
        while let record = try parser.next() { records.append(record) }
        return records
    }

    private func everySplit<Parser: RecordParser, Value: Equatable>(
        _ text: String, _ parser: Parser, _ expected: [Value], sourceLocation: SourceLocation = #_sourceLocation, _ value: (Parser.Record) -> Value
    ) throws {
        let bytes = Array(text.utf8)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let found = try records(parser, [bytes[..<first], bytes[first..<second], bytes[second...]]).map(value)
                #expect(found == expected, "split at \(first) and \(second)", sourceLocation: sourceLocation)
            }
        }
    }

    private static func text(_ bytes: Bytes) -> String { String(decoding: bytes.array, as: UTF8.self) }

    @Test(
        arguments: [
            ("", [], []), ("\n", [""], []), ("a", ["a"], ["a"]), ("a\n", ["a"], ["a"]), ("a\nb", ["a", "b"], ["a", "b"]),
            ("a\r\nb\r\n", ["a", "b"], ["a", "b"]),
            ("a\rb\n", ["a\rb"], ["a\rb"]), ("a\n\n \t\r\nb\n", ["a", "", " \t", "b"], ["a", "b"]),
            ("\u{FEFF}a\n\u{FEFF}b", ["a", "\u{FEFF}b"], ["a", "\u{FEFF}b"]),
            ("a\r", ["a"], ["a"]), ("起飞\n着陆", ["起飞", "着陆"], ["起飞", "着陆"]),
        ] as [(String, [String], [String])])
    func linesAreFoundWhereverTheChunksAreSplit(text: String, all: [String], filled: [String]) throws {
        try everySplit(text, LineParser(skippingBlank: false), all, Self.text)
        try everySplit(text, LineParser(skippingBlank: true), filled, Self.text)
    }

    @Test(
        arguments: [
            ("", []), ("\u{1E}1\n", ["1\n"]), ("\u{1E}{\"a\":\n1}\n\u{1E}2\n", ["{\"a\":\n1}\n", "2\n"]), ("\u{1E}\u{1E}\u{1E}1\n\u{1E}", ["1\n"]),
            ("\u{1E}\n\u{1E}1\n", ["1\n"]), ("\u{1E}[1]\u{1E}[2]\n", ["[1]", "[2]\n"]), ("\u{1E}12", ["12?"]), ("\u{1E}tru\u{1E}1\n", ["tru?", "1\n"]),
            ("1\n\u{1E}2\n", ["1\n!", "2\n"]), ("\n\u{1E}2\n", ["2\n"]), ("\u{1E}\"a\"", ["\"a\""]), ("\u{1E} 1", [" 1?"]), ("\u{1E}1 ", ["1 "]),
        ] as [(String, [String])])
    func textsAreFoundWhereverTheChunksAreSplit(text: String, texts: [String]) throws {
        try everySplit(text, TextSequenceParser(), texts) { Self.text($0.bytes) + ($0.isStray ? "!" : "") + ($0.mayBeTruncated ? "?" : "") }
    }

    @Test(arguments: ["12345678901\n", "1\n12345678901"])
    func whatIsLargerThanTheLimitIsAnError(text: String) {
        for size in [1, 4, 100] {
            let bytes = Array(text.utf8)
            let chunks = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            #expect(throws: TarmacError.self) { try records(LineParser(skippingBlank: true, limit: 10), chunks) }
            #expect(throws: TarmacError.self) { try records(TextSequenceParser(limit: 10), chunks) }
        }
    }

    // MARK: Through the client

    private func client(_ type: String?, _ chunks: String...) -> Client {
        Client(StubTransport { _ in .chunks(chunks, headers: type.map { [.contentType: $0] } ?? [:]) })
    }

    struct Row: Codable, Equatable, Sendable { var n: Int }

    @Test func linesComeAsText() async throws {
        #expect(try await client("text/plain", "a\nb", "c\r\n\nd").lines(.get("/")).collected() == ["a", "bc", "", "d"])
        #expect(try await client(nil, "a\n").lines(.get("/")).collected() == ["a"])
    }

    @Test func linesAreReadInTheirCharset() async throws {
        let latin = Client(StubTransport { _ in .bytes(Bytes([0xE9, 0x0A, 0x61]), contentType: "text/plain; charset=iso-8859-1") })
        #expect(try await latin.lines(.get("/")).collected() == ["é", "a"])
        let wide = Client(StubTransport { _ in .bytes(Bytes([0x61, 0, 0x0A, 0]), contentType: "text/plain; charset=utf-16le") })
        let error = await failure { _ = try await wide.lines(.get("/")).collected() }
        #expect(error?.code == .decodingFailed)
    }

    @Test(arguments: ["application/x-ndjson", "application/jsonl", "application/json", "text/plain; charset=utf-8", nil])
    func jsonLinesAreDecodedOneByOne(type: String?) async throws {
        let client = client(type, "{\"n\":1}\n\n{\"n\"", ":2}\r\n{\"n\":3}")
        #expect(try await client.records(.get("/"), of: Row.self).collected().map(\.n) == [1, 2, 3])
        #expect(try await client.records(.get("/"), of: JSON.self).collected().map { $0["n"].int } == [1, 2, 3])
    }

    @Test func anotherMediaTypeIsAnError() async throws {
        let error = await failure { _ = try await client("text/html", "<p>").records(.get("/"), of: Row.self).collected() }
        #expect(error?.code == .unacceptableContentType)
        let other = await failure { _ = try await client("application/json", "1").records(.get("/"), of: Row.self, by: .jsonSequence).collected() }
        #expect(other?.code == .unacceptableContentType)
    }

    @Test func aSuffixNamesASequenceToo() async throws {
        #expect(try await client("application/geo+json-seq", "\u{1E}1\n").records(.get("/"), of: Int.self, by: .jsonSequence).collected() == [1])
        let error = await failure { _ = try await client("application/geo+json-seq", "1\n").records(.get("/"), of: Int.self).collected() }
        #expect(error?.code == .unacceptableContentType)
    }

    @Test func aLineThatIsNoValueIsNamed() async throws {
        let client = client("application/x-ndjson", "{\"n\":1}\n\n{\"n\":\"x\"}\n{}\n{\"n\":4}\n")
        let error = await failure { _ = try await client.records(.get("/rows"), of: Row.self).collected() }
        #expect(error?.code == .decodingFailed)
        #expect(error?.reason.hasPrefix("line 2 of the stream") == true)
        #expect(error?.endpoint == "GET /rows")
        let reports = Watched<[String?]>([])
        let rows = try await client.records(.get("/"), of: Row.self, damaged: .skip { error in reports.update { $0.append(error.path) } }).collected()
        #expect(rows.map(\.n) == [1, 4])
        #expect(reports.value == ["$.n", "$.n"])
    }

    @Test func aBodyThatBreaksIsAnErrorAfterItsLines() async throws {
        let client = Client(
            StubTransport { _ in
                var response = Response.broken("1\n2\n3", code: .truncatedBody)
                response.headers[.contentType] = "application/jsonl"
                return response
            })
        var numbers: [Int] = []
        let error = await failure { for try await number in client.records(.get("/"), of: Int.self) { numbers.append(number) } }
        #expect(numbers == [1, 2])
        #expect(error?.code == .truncatedBody)
    }

    @Test func aSequenceOfTextsIsDecoded() async throws {
        let client = client("application/json-seq", "\u{1E}{\"n\":1}\n\u{1E}{\"n\":", "2}\n")
        #expect(try await client.records(.get("/"), of: Row.self, by: .jsonSequence).collected().map(\.n) == [1, 2])
        #expect(try await client.records(.get("/"), of: JSON.self, by: .jsonSequence).collected().count == 2)
    }

    @Test(arguments: ["\u{1E}1\n\u{1E}12\u{1E}3\n", "\u{1E}1\n\u{1E}[1,\u{1E}3\n", "\u{1E}1\n\u{1E}\"a\u{1E}3\n"])
    func aTextThatWasCutOffIsReportedAndTheSequenceGoesOn(text: String) async throws {
        let client = client("application/json-seq", text)
        let error = await failure { _ = try await client.records(.get("/"), of: Int.self, by: .jsonSequence).collected() }
        #expect(error?.code == .truncatedRecord)
        #expect(error?.reason.hasPrefix("text 2") == true)
        let reports = Watched<[TarmacError.Code]>([])
        let skipping = DamagedRecords.skip { error in reports.update { $0.append(error.code) } }
        let numbers = try await client.records(.get("/"), of: Int.self, by: .jsonSequence, damaged: skipping).collected()
        #expect(numbers == [1, 3])
        #expect(reports.value == [.truncatedRecord])
    }

    @Test func whatStandsBeforeTheFirstSeparatorIsNoText() async throws {
        let error = await failure { _ = try await client("application/json-seq", "[1]\n").records(.get("/"), of: [Int].self, by: .jsonSequence).collected() }
        #expect(error?.code == .malformedJSON)
        #expect(error?.reason.contains("separator") == true)
    }
}
