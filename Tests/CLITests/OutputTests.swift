#if Tools
import HTTPTypes
import Tarmac
import Testing

@testable import TarmacCLI

@Suite struct OutputTests {
    private static let plain = Palette(isOn: false)

    private func layout(_ json: String, _ palette: Palette = plain) -> String {
        Array(json.utf8).withUnsafeBytes { JSONLayout.text($0, palette: palette) }
    }

    // MARK: JSON

    @Test func jsonIsLaidOutAndEveryTokenStays() {
        let text = #" {"a" : [1.10, -2e3,{ } ,[ ]],"b\"":"x\u00e9, {:","c":null,"d":true}"#
        #expect(
            layout(text) == """
                {
                  "a": [
                    1.10,
                    -2e3,
                    {},
                    []
                  ],
                  "b\\"": "x\\u00e9, {:",
                  "c": null,
                  "d": true
                }
                """)
    }

    @Test(arguments: ["7", "\"x\"", "[]", "{}", "true"])
    func aLoneValueStaysOnItsLine(_ json: String) {
        #expect(layout(json) == json)
    }

    @Test func keysAndValuesDifferInColour() {
        let text = layout(#"{"a":"b","n":1,"z":null}"#, Palette(isOn: true))
        #expect(text.contains("\u{1B}[34m\"a\"\u{1B}[0m: \u{1B}[32m\"b\"\u{1B}[0m"))
        #expect(text.contains("\u{1B}[36m1\u{1B}[0m"))
        #expect(text.contains("\u{1B}[35mnull\u{1B}[0m"))
    }

    @Test func whatIsNotJSONIsShownAsItIs() throws {
        #expect(try BodyPrinter.text(Bytes("{oops"), .json, Self.plain) == "{oops")
    }

    @Test func textIsReadInItsCharset() throws {
        #expect(try BodyPrinter.text(Bytes([0xCD, 0xA3, 0xBB, 0xFA, 0xC6, 0xBA]), .text(charset: "gbk"), Self.plain) == "停机坪")
    }

    // MARK: What is shown how

    @Test(
        arguments: [
            ("application/json", "{}", BodyStyle.json), ("application/problem+json", "{}", .json), ("text/html; charset=gbk", "<", .text(charset: "gbk")),
            ("text/plain", "x", .raw), ("text/plain; charset=UTF-8", "x", .raw), ("image/png", "\u{0}", .withheld), ("application/octet-stream", "text", .raw),
            ("application/octet-stream", "a\u{0}b", .withheld), (nil, "text", .raw), (nil, "\u{1}", .withheld), ("application/x-ndjson", "{}", .raw),
        ] as [(String?, String, BodyStyle)])
    func aTerminalIsSparedWhatItCannotShow(_ type: String?, _ beginning: String, _ expected: BodyStyle) {
        #expect(BodyStyle(isTerminal: true, mediaType: MediaType(type), beginning: Bytes(beginning)) == expected)
        #expect(BodyStyle(isTerminal: false, mediaType: MediaType(type), beginning: Bytes(beginning)) == .raw)
    }

    @Test(
        arguments: [
            (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false), (true, ["NO_COLOR": ""], true), (true, ["TERM": "dumb"], false),
        ] as [(Bool, [String: String], Bool)])
    func coloursAreForTerminalsThatWantThem(_ isTerminal: Bool, _ environment: [String: String], _ isOn: Bool) {
        let terminal = Terminal(outputIsTerminal: isTerminal, errorIsTerminal: isTerminal, columns: 80, environment: environment)
        #expect(terminal.palette.isOn == isOn)
        #expect(terminal.errorPalette.isOn == isOn)
    }

    @Test func headsMaskSecrets() throws {
        let headers: HTTPFields = [.authorization: "Bearer s3cret", .accept: "*/*"]
        let request = Request(.get, try HTTPURL("https://a.example/x?token=s3cret&page=1"), headers: headers)
        let masked = HeadText.request(request, redactor: .standard, Self.plain)
        #expect(masked.contains("GET https://a.example/x?token=‹masked›&page=1"))
        #expect(!masked.contains("s3cret"))
        #expect(HeadText.request(request, redactor: nil, Self.plain).contains("Bearer s3cret"))
        #expect(HeadText.response(.notFound, [:], redactor: nil, Self.plain) == "HTTP 404 Not Found")
    }

    // MARK: Errors

    @Test(arguments: [
        (TarmacError.Code.invalidURL, Int32(2)), (.connectionRefused, 3), (.untrustedCertificate, 4), (.deadlineExceeded, 5), (.unacceptableStatus, 6),
        (.undecodableContent, 7), (.malformedJSON, 7), (.redirectLoop, 8), (.clientShutDown, 1), (.unwritableFile, 1),
    ])
    func everyKindOfFailureHasItsStatus(_ code: TarmacError.Code, _ status: Int32) {
        #expect(ExitStatus(TarmacError(code)).rawValue == status)
    }

    @Test func otherEndsHaveTheirStatuses() {
        #expect(ExitStatus(CancellationError()) == .interrupted)
        #expect(ExitStatus(BrokenPipe()) == .brokenPipe)
        #expect(ExitStatus(TarmacError(.callerFailed, cause: BrokenPipe())) == .brokenPipe)
        for status in ExitStatus.allCases where status != .brokenPipe { #expect(ExitStatus.table.contains("\(status.rawValue)")) }
    }

    @Test(arguments: TarmacError.Category.allCases)
    func everyCategoryHasAStatusThatIsNotSuccess(_ category: TarmacError.Category) {
        #expect(ExitStatus(category) != .landed)
    }

    @Test func anErrorIsOneParagraphWithWhatToTry() {
        let error = TarmacError(.connectionRefused, phase: .connecting, "nobody listens on 127.0.0.1:1")
            .with(context: .init(endpoint: "get", service: "s", request: "GET http://127.0.0.1:1/", attempts: 1, duration: .milliseconds(12)))
        #expect(
            ErrorReport(palette: Self.plain).text(error) == """
                ✕ Nobody listens on 127.0.0.1:1.
                  connectionRefused · GET http://127.0.0.1:1/ · 1 attempt · after 12 ms
                  Try: Check the address, and that the server is running and reachable from here.
                """)
    }

    @Test func aServersWordsCannotMoveTheCursor() {
        let error = TarmacError(.unacceptableStatus, "the server answered 500").with(serverCode: "7", message: "bad\u{1B}[2J\nnews")
        let text = ErrorReport(palette: Self.plain).text(error)
        #expect(text.contains("The server says: bad [2J news (7)"))
        #expect(!text.contains("\u{1B}"))
    }

    // MARK: Progress

    @Test func aKnownLengthMakesABar() {
        let line = ProgressLine(progress: TransferProgress(received: 1 << 20, totalToReceive: 4 << 20), elapsed: .seconds(2)).text(columns: 80)
        #expect(line.hasPrefix("████████░"))
        #expect(line.contains("25%"))
        #expect(line.contains("1.0 MiB of 4.0 MiB"))
        #expect(line.contains("512 KiB/s"))
        #expect(line.hasSuffix("6 s left"))
    }

    @Test func anUnknownLengthMakesAnAmount() {
        let line = ProgressLine(progress: TransferProgress(received: 1_500), elapsed: .seconds(1)).text(columns: 80)
        #expect(line == "↓  1.5 KiB  1.5 KiB/s")
    }

    @Test func anUploadCountsWhatIsSent() {
        let line = ProgressLine(progress: TransferProgress(sent: 50, totalToSend: 100), elapsed: .seconds(1)).text(columns: 80)
        #expect(line.contains("50%"))
        #expect(line.contains("↑  50 B of 100 B"))
    }

    @Test(arguments: [1, 10, 20, 40, 79])
    func aLineFitsItsColumns(_ columns: Int) {
        for total in [nil, 100] as [Int64?] {
            let line = ProgressLine(progress: TransferProgress(received: 50, totalToReceive: total), elapsed: .seconds(1)).text(columns: columns)
            #expect(line.count <= columns)
        }
    }

    @Test(arguments: [(0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (150 << 20, "150 MiB"), (5 << 40, "5.0 TiB")] as [(Int64, String)])
    func sizesAreReadable(_ bytes: Int64, _ text: String) {
        #expect(ProgressLine.size(bytes) == text)
    }

    @Test func theBarComesAfterASecondAndTenTimesASecond() {
        let start = ContinuousClock.now
        let now = Locked(start)
        let drawn = Locked<[String]>([])
        let terminal = Terminal(outputIsTerminal: false, errorIsTerminal: true, columns: 80, environment: [:])
        let bar = ProgressBar(terminal, now: { now.withLock { $0 } }, draw: { text in drawn.withLock { $0.append(text) } })
        for milliseconds in [0, 500, 999, 1_000, 1_050, 1_100, 1_150, 1_201] {
            now.withLock { $0 = start + .milliseconds(milliseconds) }
            bar.update(TransferProgress(received: 1))
        }
        #expect(drawn.withLock { $0.count } == 3)
        bar.end()
        #expect(drawn.withLock { $0.last } == "\r\u{1B}[K")
        bar.update(TransferProgress(received: 2))
        #expect(drawn.withLock { $0.count } == 4)
    }

    @Test func aFastTransferDrawsNothing() {
        let drawn = Locked(0)
        let terminal = Terminal(outputIsTerminal: false, errorIsTerminal: true, columns: 80, environment: [:])
        let start = ContinuousClock.now
        let bar = ProgressBar(terminal, now: { start }, draw: { _ in drawn.withLock { $0 += 1 } })
        bar.update(TransferProgress(received: 1))
        bar.end()
        #expect(drawn.withLock { $0 } == 0)
    }
}
#endif
