#if Tools
import Foundation
import Tarmac
import TarmacCallLog
import Testing

@testable import TarmacCLI

@Suite("The waterfall of tarmac --trace")
struct WaterfallTests {
    private static let plain = Palette(isOn: false)

    private func entries(_ json: String) throws -> [CallLog.Entry] { try JSONDecoder().decode([CallLog.Entry].self, from: Data(json.utf8)) }

    private func entry(_ id: Int, _ path: String, start: Int = 0, duration: Int, _ more: String) -> String {
        """
        {"id": \(id), "call": \(id), "endpoint": "tarmac get", "service": "command", "hasOwner": false, "tags": [], "start": \(1_000_000 + start),
        "duration": \(duration), "request": \(request(path)), "events": [], \(more)}
        """
    }

    private func request(_ path: String) -> String { #"{"method": "GET", "url": "https://s.example/\#(path)", "headers": []}"# }
    private func response(_ status: Int) -> String { #"{"status": \#(status), "reasonPhrase": "", "headers": []}"# }

    private var retried: String {
        let first = """
            {"number": 1, "start": 4, "request": \(request("a")), "response": \(response(503)), "timings": {"queued": 4, "nameResolution": 4,
            "connect": 6, "tls": 8, "send": 2, "wait": 12, "receive": 4, "total": 40}}
            """
        let second = """
            {"number": 2, "reason": "retry: 503", "start": 50, "request": \(request("a")), "response": \(response(200)),
            "timings": {"queued": 0, "send": 2, "wait": 24, "receive": 4, "total": 30}}
            """
        return "[" + entry(1, "a", duration: 80, #""state": "landed", "response": \#(response(200)), "attempts": [\#(first), \#(second)]"#) + "]"
    }

    @Test func aCallAndItsAttemptsAreDrawnOnOneScale() throws {
        let lines = Waterfall(columns: 81, palette: Self.plain).lines(try entries(retried))
        #expect(
            lines == [
                "1 call, 2 requests, 80 ms",
                "#1 GET s.example/a  " + String(repeating: "━", count: 40) + "  landed 200 in 80 ms",
                "  1                 ··ddcccttttswwwwwwrr~~                    503 in 40 ms",
                "  2 retry: 503                               swwwwwwwwwwwwrr  200 in 30 ms",
                "· queued  d dns  c connect  t tls  s send  w wait  r receive  ~ not known",
            ])
    }

    @Test func longTextsAreCutAndNoLineIsWiderThanTheTerminal() throws {
        let attempt = #"{"number": 1, "start": 0, "request": \#(request("slow")), "failure": {"code": "connectTimeout", "text": "too slow"}}"#
        let slow = entry(
            1, "slow", duration: 40, #""state": "failed", "failure": {"code": "connectTimeout", "text": "too slow"}, "attempts": [\#(attempt)]"#)
        let cached = entry(
            2, "b", start: 20, duration: 20,
            #""state": "landed", "response": {"status": 200, "reasonPhrase": "", "headers": [], "source": "cache"}, "attempts": []"#)
        let lines = Waterfall(columns: 50, palette: Self.plain).lines(try entries("[\(slow), \(cached)]"))
        #expect(
            lines == [
                "2 calls, 1 request, 40 ms",
                "#1 GET s.exampl…  ━━━━━━━━━━━━━━  failed connectT…",
                "  1               ~~~~~~~~~~~~~~  connectTimeout",
                "#2 GET s.exampl…         ━━━━━━━  landed 200 from…",
                "~ not known",
            ])
    }

    @Test func anAttemptWithoutTimingsEndsWhereTheNextBegins() throws {
        let first = #"{"number": 1, "start": 0, "request": \#(request("a")), "response": \#(response(302))}"#
        let second = """
            {"number": 2, "reason": "redirect: 302", "start": 40, "request": \(request("b")), "response": \(response(200)),
            "timings": {"queued": 0, "wait": 40, "total": 40}}
            """
        let call = entry(1, "a", duration: 80, #""state": "landed", "response": \#(response(200)), "attempts": [\#(first), \#(second)]"#)
        let lines = Waterfall(columns: 61, palette: Self.plain).lines(try entries("[\(call)]"))
        #expect(lines[2] == "  1                 ~~~~~~~~~~            302")
        #expect(lines[3] == "  2 redirect: 302             wwwwwwwwww  200 in 40 ms")
    }

    @Test func aCallThatTookNoTimeHasAMark() throws {
        let call = entry(1, "a", duration: 0, #""state": "landed", "response": \#(response(200)), "attempts": []"#)
        let lines = Waterfall(columns: 80, palette: Self.plain).lines(try entries("[\(call)]"))
        #expect(lines.count == 2 && lines[1].contains("  ━ "))
    }

    @Test(arguments: [1, 20, 79, 200])
    func everyWidthIsDrawn(columns: Int) throws {
        let lines = Waterfall(columns: columns, palette: Self.plain).lines(try entries(retried))
        #expect(lines.count == 5 && lines[1].contains("━━━━━━━━━━"))
        if columns >= 79 { #expect(lines.allSatisfy { $0.count <= columns }) }
    }

    @Test func coloursAreForATerminalAlone() throws {
        let entries = try entries(retried), lines = Waterfall(columns: 81, palette: Palette(isOn: true)).lines(entries)
        #expect(lines[1].contains("\u{1B}[1m" + String(repeating: "━", count: 40) + "\u{1B}[0m"))
        #expect(lines[1].hasSuffix("\u{1B}[32mlanded 200 in 80 ms\u{1B}[0m") && lines[2].hasSuffix("\u{1B}[31m503 in 40 ms\u{1B}[0m"))
        #expect(!Waterfall(columns: 81, palette: Self.plain).lines(entries).joined().contains("\u{1B}"))
    }

    @Test func theNumberOfLinesIsBounded() throws {
        let calls = (1...300).map { entry($0, "a", duration: 1, #""state": "landed", "response": \#(response(200)), "attempts": []"#) }
        let lines = Waterfall(columns: 80, palette: Self.plain).lines(try entries("[\(calls.joined(separator: ","))]"))
        #expect(lines.count == Waterfall.most + 2 && lines.last == "… and 100 more lines")
        #expect(Waterfall(columns: 80, palette: Self.plain).lines([]).isEmpty)
    }
}
#endif
