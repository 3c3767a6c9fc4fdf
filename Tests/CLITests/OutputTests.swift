#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacCore
import TarmacTesting
import Testing

@testable import TarmacCLI

@Suite(.timeLimit(.minutes(5))) struct OutputTests {
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

    @Test(arguments: ["X-Vault-Token", "PRIVATE-TOKEN", "X-Amz-Security-Token", "X-Goog-Api-Key", "X-Session-Id"])
    func headsMaskFieldsByTheirWords(_ name: String) throws {
        let headers: HTTPFields = [try #require(HTTPField.Name(name)): "s3cretValue", .userAgent: "tarmac"]
        let request = Request(.get, try HTTPURL("https://a.example/x?X-Amz-Signature=s3cretValue&sort_key=up"), headers: headers)
        let heads = [HeadText.request(request, redactor: .standard, Self.plain), HeadText.response(.ok, headers, redactor: .standard, Self.plain)]
        for head in heads { #expect(!head.contains("s3cretValue") && head.contains("tarmac"), "\(head)") }
        #expect(heads[0].contains("sort_key=up"))
    }

    /// The names that a call hides count for what is shown of it.
    @Test func headsOfACallMaskItsNames() async throws {
        let notes = Watched<[String]>([])
        let stub = StubTransport { _ in .status(.ok, headers: [HTTPField.Name("X-Shoe")!: "s3cretValue"]) }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
            $0.interceptors = [VerboseHeads(redactor: .standard, palette: Self.plain) { note in notes.update { $0.append(note) } }]
            $0.secretNames = ["X-Shoe"]
        }
        try await client.get("/a", ["xshoe": "s3cretValue"])
        #expect(notes.value.count == 2 && notes.value.allSatisfy { !$0.contains("s3cretValue") }, "\(notes.value)")
    }

    // MARK: Errors

    @Test(arguments: [
        (TarmacError.Code.invalidURL, Int32(2)), (.connectionRefused, 3), (.untrustedCertificate, 4), (.deadlineExceeded, 5), (.unacceptableStatus, 6),
        (.undecodableContent, 7), (.malformedJSON, 7), (.redirectRefused, 8), (.clientShutDown, 1), (.unwritableFile, 1),
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

    @Test(arguments: [(ENOSPC, "device"), (EIO, "error"), (EBADF, "descriptor")])
    func aWriteThatFailsSaysWhy(_ number: Int32, _ word: String) {
        let error = Console.failure(WriteFault(number: number)) as? TarmacError
        #expect(error?.code == .unwritableFile)
        #expect(error?.reason.contains(word) == true)
        #expect(error.map { ExitStatus($0) } == .other)
    }

    @Test func onlyAReaderWhoLeftIsABrokenPipe() {
        #expect(Console.failure(WriteFault(number: EPIPE)) is BrokenPipe)
    }

    @Test func thePagesOfTheCommandLineListTheExitStatuses() throws {
        for name in ["Documentation/CommandLine.md", "Documentation/CommandLine.zh-CN.md"] {
            let text = try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
            for status in ExitStatus.allCases { #expect(text.contains("| \(status.rawValue) |"), "\(name): \(status)") }
        }
    }

    private var root: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
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

    @Test(arguments: [
        (TarmacError.Code.redirectRefused, "raise it with redirects = .follow(limit:)", ".follow"), (.unacceptableContentType, "set x", "set x"),
        (.selfSignedCertificate, "trust = .systemAnd(pemFile:)", ".systemAnd"), (.connectTimeout, "raise connectTimeout", "raise"),
    ])
    func adviceIsForThoseAtACommandLine(_ code: TarmacError.Code, _ suggestion: String, _ word: String) {
        let text = ErrorReport(palette: Self.plain).text(TarmacError(code, "so", suggestion: suggestion))
        #expect(text.contains("Try: ") && !text.contains(word))
    }

    @Test func adviceNamesNoArgumentTheCommandLacks() {
        let error = TarmacError(.malformedJSON, "so")
        #expect(ErrorReport(palette: Self.plain).text(error).contains("--include"))
        let text = ErrorReport(palette: Self.plain, isCall: false).text(error)
        #expect(text.contains("Try: ") && !text.contains("--include"))
    }

    @Test(arguments: [TarmacError.Code.untrustedCertificate, .expiredCertificate], [true, false])
    func whoIsNotTrustedCanBe(code: TarmacError.Code, isCall: Bool) {
        #expect(ErrorReport(palette: Self.plain, isCall: isCall).text(TarmacError(code, "so")).contains("--cacert"))
    }

    @Test func whoeverAnswersInPlainTextIsAskedForHTTP() {
        #expect(ErrorReport(palette: Self.plain).text(TarmacError(.tlsHandshakeFailed, "so")).contains("Try: Does the port speak https?"))
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

    @Test(
        arguments: [
            (TransferProgress(), "| waiting for the answer  2 s"), (TransferProgress(totalToSend: 9), "| waiting for the answer  2 s"),
            (TransferProgress(sent: 9, totalToSend: 9), "| 9 B sent, waiting for the answer  2 s"),
            (TransferProgress(sent: 9), "↑  9 B  4 B/s"), (TransferProgress(sent: 9, totalToSend: 9, received: 4), "↓  4 B  2 B/s"),
        ] as [(TransferProgress, String)])
    func whileNothingMovesItSaysSo(_ progress: TransferProgress, _ text: String) {
        #expect(ProgressLine(progress: progress, elapsed: .seconds(2)).text(columns: 80) == text)
        #expect(ProgressLine(progress: progress, elapsed: .seconds(2)).text(columns: 5).count <= 5)
    }

    private func bar(_ time: ManualTime, isTerminal: Bool = true) -> (bar: ProgressBar, drawn: Watched<[String]>) {
        let drawn = Watched<[String]>([])
        let terminal = Terminal(outputIsTerminal: false, errorIsTerminal: isTerminal, columns: 80, environment: [:])
        return (ProgressBar(terminal, time: time, draw: { text in drawn.update { $0.append(text) } }), drawn)
    }

    @Test func theBarComesAfterASecondAndTenTimesASecond() async throws {
        let time = ManualTime()
        let (bar, drawn) = bar(time)
        bar.begin()
        try await time.hasSleepers()
        time.advance(by: .milliseconds(999))
        bar.update(TransferProgress(received: 1_024))
        #expect(drawn.value.isEmpty)
        for count in 1...3 {
            time.advance(by: .milliseconds(count == 1 ? 1 : 100))
            try await drawn.wait { $0.count == count }
            try await time.hasSleepers()
        }
        #expect(drawn.value.last == "\r\u{1B}[K↓  1.0 KiB  853 B/s")
        bar.end()
        #expect(drawn.value.last == "\r\u{1B}[K")
        bar.update(TransferProgress(received: 2))
        time.advance(by: .seconds(1))
        bar.end()
        #expect(drawn.value.count == 4)
    }

    @Test func theBarComesWhileNothingArrives() async throws {
        let time = ManualTime()
        let (bar, drawn) = bar(time)
        bar.begin()
        defer { bar.end() }
        try await time.hasSleepers()
        time.advance(by: .seconds(1))
        try await drawn.wait { $0 == ["\r\u{1B}[K- waiting for the answer  1 s"] }
    }

    @Test func whatIsWrittenBesideTheBarHasALineOfItsOwn() async throws {
        let time = ManualTime()
        let (bar, drawn) = bar(time)
        bar.begin()
        defer { bar.end() }
        try await time.hasSleepers()
        bar.makingRoom { drawn.update { $0.append("first") } }
        time.advance(by: .seconds(1))
        try await drawn.wait { $0.count == 2 }
        bar.makingRoom { drawn.update { $0.append("second") } }
        #expect(drawn.value.suffix(2) == ["\r\u{1B}[K", "second"])
    }

    @Test(arguments: [true, false])
    func aFastTransferOrAPipeDrawsNothing(_ isTerminal: Bool) async throws {
        let time = ManualTime()
        let (bar, drawn) = bar(time, isTerminal: isTerminal)
        bar.begin()
        bar.update(TransferProgress(received: 1))
        if isTerminal { try await time.hasSleepers() }
        bar.end()
        time.advance(by: .seconds(5))
        #expect(drawn.value.isEmpty)
    }
}
#endif
