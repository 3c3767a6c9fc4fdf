import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacStreams

/// The rules of WHATWG HTML §9.2.5 and §9.2.6, with the examples of that chapter.
@Suite("Parser of Server-Sent Events")
struct EventStreamParserTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let claim: String
        let text: String
        let events: [ServerSentEvent]
        var testDescription: String { claim }

        init(_ claim: String, _ text: String, _ events: ServerSentEvent...) {
            self.claim = claim
            self.text = text
            self.events = events
        }
    }

    private static func event(_ data: String, _ name: String = "message", id: String = "") -> ServerSentEvent {
        ServerSentEvent(name: name, data: data, lastEventID: id)
    }

    static let rows: [Row] = [
        // The examples of the chapter.
        Row("lines of data are joined", "data: YHOO\ndata: +2\ndata: 10\n\n", event("YHOO\n+2\n10")),
        Row(
            "blocks, a comment, an id that is reset, an event without its blank line",
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event", event("first event", id: "1"), event("second event")),
        Row("data without a colon is an empty line of data", "data\n\ndata\ndata\n\ndata:", event(""), event("\n")),
        Row("one space after the colon is left out", "data:test\n\ndata: test\n\n", event("test"), event("test")),
        // Each rule.
        Row("only the first space is left out", "data:  x\n\n", event(" x")),
        Row("a name", "event: add\ndata: 1\n\ndata: 2\n\n", event("1", "add"), event("2")),
        Row("an empty name is message", "event: add\nevent:\ndata: 1\n\n", event("1")),
        Row("a name of an event without data is forgotten", "event: add\n\ndata: 1\n\n", event("1")),
        Row("an id lasts", "id: 7\ndata: 1\n\ndata: 2\n\n", event("1", id: "7"), event("2", id: "7")),
        Row("an id with NUL is ignored", "id: 7\ndata: 1\n\nid: a\u{0}b\ndata: 2\n\n", event("1", id: "7"), event("2", id: "7")),
        Row("an id of an event without data lasts", "id: 7\n\ndata: 1\n\n", event("1", id: "7")),
        Row("CR ends lines", "data: 1\rdata: 2\r\r", event("1\n2")),
        Row("CRLF ends lines", "data: 1\r\ndata: 2\r\n\r\n", event("1\n2")),
        Row("ends are mixed", "data: 1\rdata: 2\ndata: 3\r\n\r\ndata: 4\n\r", event("1\n2\n3"), event("4")),
        Row("LF CR is two ends", "data: 1\n\rdata: 2\n\r", event("1"), event("2")),
        Row("one byte order mark is left out", "\u{FEFF}data: 1\n\n", event("1")),
        Row("a second one is part of the name", "\u{FEFF}\u{FEFF}data: 1\n\ndata: 2\n\n", event("2")),
        Row("one later on is part of the name", "data: 1\n\n\u{FEFF}data: 2\n\n", event("1")),
        Row("comments are nothing", ":\n: x\n:data: 1\n\n", []),
        Row("other fields are nothing", "Data: 1\n data: 1\ndata : 1\nfoo\n\n"),
        Row("a colon belongs to the value", "data:a:b: c\n\n", event("a:b: c")),
        Row("NUL belongs to the data", "data: a\u{0}b\n\n", event("a\u{0}b")),
        Row(
            "names are whole and in their own case",
            "data:\u{0}\ndata:  2\rData:1\ndata\u{0}:2\ndata:1\r\u{0}data:4\nda-ta:3\rdata_5\ndata:3\rdata:\r\n data:32\ndata:4\n\n",
            event("\u{0}\n 2\n1\n3\n\n4")),
        Row("only a space is left out, and once", "data:\ttest\rdata: \ndata:test\n\n", event("\ttest\n\ntest")),
        Row("a CR that nothing follows is an end", "data:test\r\ndata\ndata:test\r\n\r", event("test\n\ntest")),
        Row("comments hold anything", "data:1\r:\u{0}\n:\r\ndata:2\n:xxxx\rdata:3\n:data:fail\r:xxxx\ndata:4\n\n", event("1\n2\n3\n4")),
        Row("no blank line, no event", "data: 1\n"),
        Row("nothing at all", ""),
        Row("text beyond ASCII", "event: 起飞\nid: é\ndata: 着陆 🛬\n\n", event("着陆 🛬", "起飞", id: "é")),
    ]

    @Test(arguments: rows)
    func everyRuleHoldsWhereverTheChunksAreSplit(row: Row) throws {
        let bytes = Array(row.text.utf8)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let events = try Self.events([bytes[..<first], bytes[first..<second], bytes[second...]])
                #expect(events == row.events, "split at \(first) and \(second)")
            }
        }
        #expect(try Self.events(bytes.map { [$0] }) == row.events, "byte by byte")
    }

    @Test func invalidUTF8BecomesTheReplacementCharacter() throws {
        let bytes = Array("data: a".utf8) + [0xFF, 0xC3] + Array("\ndata: ".utf8) + [0xE8, 0xB5] + Array("b\n\n".utf8)
        for split in 0...bytes.count {
            #expect(try Self.events([bytes[..<split], bytes[split...]]) == [Self.event("a\u{FFFD}\u{FFFD}\n\u{FFFD}b")])
        }
    }

    @Test(
        arguments: [
            ("retry: 1500\n", .milliseconds(1_500)), ("retry: 0\n", .zero), ("retry:0010\n", .milliseconds(10)), ("retry: 10\nretry: 20\n", .milliseconds(20)),
            ("retry\n", nil), ("retry:\n", nil), ("retry: 1.5\n", nil), ("retry: -1\n", nil), ("retry: 1s\n", nil), ("retry:  1\n", nil), ("retry: ١\n", nil),
            ("retry: 10\nretry: x\n", .milliseconds(10)), ("retry: 99999999999999999999999\n", .seconds(86_400)),
        ] as [(String, Duration?)])
    func onlyDigitsAreATimeToReconnect(text: String, time: Duration?) throws {
        var parser = EventStreamParser()
        parser.append(Bytes(text))
        #expect(try parser.next() == nil)
        #expect(parser.reconnectionTime == time)
    }

    @Test func anIDCountsOnceItsBlankLineHasCome() throws {
        var parser = EventStreamParser(lastEventID: "1")
        parser.append(Bytes("id: 2\ndata: x\n"))
        #expect(try parser.next() == nil)
        #expect(parser.lastEventID == "1")
        parser.append(Bytes("\n"))
        #expect(try parser.next()?.lastEventID == "2")
        parser.startOver()
        parser.append(Bytes("data: y\n\n"))
        #expect(try parser.next()?.lastEventID == "2")
    }

    @Test func aFurtherConnectionForgetsWhatWasBegun() throws {
        var parser = EventStreamParser()
        parser.append(Bytes("event: a\nid: 9\ndata: 1\nda"))
        #expect(try parser.next() == nil)
        parser.startOver()
        parser.append(Bytes("\u{FEFF}data: 2\n\n"))
        #expect(try parser.next() == Self.event("2"))
    }

    @Test func aChunkThatComesTooEarlyIsPutBehindTheOther() throws {
        var parser = EventStreamParser()
        parser.append(Bytes("data: 1\n\ndata: 2"))
        #expect(try parser.next() == Self.event("1"))
        parser.append(Bytes("3\n\n"))
        #expect(try parser.next() == Self.event("23"))
        #expect(try parser.next() == nil)
    }

    @Test(arguments: ["data: 12345678901\n\n", "data: 123456\ndata: 123456\n\n", ": a comment that has no end", "data:1\n\nid: 123456789\n"])
    func whatIsLargerThanTheLimitIsAnErrorOfItsOwn(text: String) {
        for size in [1, 3, 100] {
            let bytes = Array(text.utf8)
            let chunks = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            let error = #expect(throws: TarmacError.self) { try Self.events(chunks, limit: 10) }
            #expect(error?.code == .recordTooLarge)
            #expect(error?.description.contains("10 bytes") == true)
        }
    }

    @Test func whatIsAsLargeAsTheLimitIsNot() throws {
        #expect(try Self.events([Array("data:12345\n\ndata:1234\ndata:1234\n\n".utf8)], limit: 10).map(\.data) == ["12345", "1234\n1234"])
    }

    @Test func aLineOfFiveMegabytesIsOneEvent() throws {
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 5_000_000)
        let bytes = Array("data: ".utf8) + line + Array("\n\n".utf8)
        let chunks = stride(from: 0, to: bytes.count, by: 16_384).map { bytes[$0..<min($0 + 16_384, bytes.count)] }
        let events = try Self.events(chunks)
        #expect(events.count == 1)
        #expect(events.first?.data.utf8.count == 5_000_000)
    }

    /// Random streams of the bytes that matter, against a reader that sees the whole text at once.
    @Test(arguments: 0..<200)
    func itAgreesWithAReaderOfTheWhole(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let pieces = ["data", "event", "id", "retry", ":", ": ", "\n", "\r", "\r\n", "\n\n", "a", "起", "\u{0}", "\u{FEFF}", "data: x\n", "id: 3\n", "x"]
        let text = (0..<Int.random(in: 0..<60, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        let bytes = Array(text.utf8)
        var chunks: [ArraySlice<UInt8>] = []
        var position = 0
        while position < bytes.count {
            let end = min(bytes.count, position + Int.random(in: 1...7, using: &random))
            chunks.append(bytes[position..<end])
            position = end
        }
        #expect(try Self.events(chunks) == WholeTextReader.events(text), "\(text.debugDescription)")
    }

    static func events(_ chunks: [some Sequence<UInt8>], limit: Int = 16 << 20) throws -> [ServerSentEvent] {
        var parser = EventStreamParser(maximumEventSize: limit)
        var events: [ServerSentEvent] = []
        for chunk in chunks {
            parser.append(Bytes(Array(chunk)))
            while let event = try parser.next() { events.append(event) }
        }
        return events
    }
}

extension EventStreamParserTests.Row {
    init(_ claim: String, _ text: String, _ events: [ServerSentEvent]) {
        self.claim = claim
        self.text = text
        self.events = events
    }
}

/// The algorithm of WHATWG HTML §9.2.6 word by word, over the whole text.
private enum WholeTextReader {
    static func events(_ text: String) -> [ServerSentEvent] {
        var scalars = Array(text.unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var events: [ServerSentEvent] = []
        var data = "", type = "", id = ""
        for line in lines(scalars) {
            if line.isEmpty {
                if data.isEmpty {
                    type = ""
                    continue
                }
                data.unicodeScalars.removeLast()
                events.append(ServerSentEvent(name: type.isEmpty ? "message" : type, data: data, lastEventID: id))
                (data, type) = ("", "")
                continue
            }
            let colon = line.firstIndex(of: ":")
            let field = String(String.UnicodeScalarView(line[..<(colon ?? line.endIndex)]))
            var value = colon.map { Array(line[($0 + 1)...]) } ?? []
            if value.first == " " { value.removeFirst() }
            let content = String(String.UnicodeScalarView(value))
            switch field {
            case "event": type = content
            case "data":
                data.unicodeScalars.append(contentsOf: value)
                data.unicodeScalars.append("\n")
            case "id": if !value.contains("\u{0}") { id = content }
            default: break
            }
        }
        return events
    }

    /// The complete lines.
    private static func lines(_ scalars: [Unicode.Scalar]) -> [[Unicode.Scalar]] {
        var lines: [[Unicode.Scalar]] = []
        var line: [Unicode.Scalar] = []
        var index = 0
        while index < scalars.count {
            defer { index += 1 }
            switch scalars[index] {
            case "\r":
                if index + 1 < scalars.count, scalars[index + 1] == "\n" { index += 1 }
                lines.append(line)
                line = []
            case "\n":
                lines.append(line)
                line = []
            default: line.append(scalars[index])
            }
        }
        return lines
    }
}
