#if Tools
import ArgumentParser
import Foundation
import Tarmac
import TarmacJSON
import Testing

@testable import TarmacCLI

/// The languages, the stops and the end of `tarmac demo`.
@Suite(.timeLimit(.minutes(5))) struct TourTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Whether a text has a Chinese character or punctuation mark.
    private static func isChinese(_ text: String) -> Bool { text.unicodeScalars.contains { $0.value >= 0x2E80 } }

    /// The numbers of the places for values, in ascending order.
    private static func places(_ text: String) -> [Int] {
        text.split(separator: "{").compactMap { Int($0.prefix { $0 != "}" }) }.sorted()
    }

    // MARK: Sentences

    @Test(arguments: Sentence.allCases)
    func everySentenceIsInBothLanguagesWithTheSameValues(_ sentence: Sentence) {
        let (english, chinese) = sentence.texts
        #expect(!english.isEmpty && !Self.isChinese(english))
        #expect(Self.isChinese(chinese))
        #expect(Self.places(english) == Array(Self.places(english).indices))
        #expect(Self.places(english) == Self.places(chinese))
    }

    @Test func valuesAreFilledInOnce() {
        #expect(Sentence.landedOf.text(in: .english, "9", "10", "{0}") == "9 of 10 landed, {0} a second.")
        #expect(Sentence.landedOf.text(in: .chinese, "9", "10", "{0}") == "10 次调用中有 9 次成功返回，每秒 {0} 次。")
    }

    @Test(
        arguments: [
            ([:], .english), (["LANG": "zh_CN.UTF-8"], .chinese), (["LANG": "zh"], .chinese), (["LANG": "en_US.UTF-8"], .english),
            (["LC_ALL": "C", "LANG": "zh_CN.UTF-8"], .english), (["LC_ALL": "", "LANG": "zh_TW.UTF-8"], .chinese),
            (["LC_MESSAGES": "zh_CN.UTF-8", "LANG": "en_US.UTF-8"], .chinese), (["LC_MESSAGES": "en_US.UTF-8", "LANG": "zh_CN.UTF-8"], .english),
            (["LC_ALL": "ZH_CN", "LC_MESSAGES": "en_US"], .chinese), (["LC_CTYPE": "zh_CN.UTF-8"], .english),
        ] as [([String: String], TourLanguage)])
    func theTerminalDecidesTheLanguage(_ environment: [String: String], _ language: TourLanguage) {
        #expect(TourLanguage(environment: environment) == language)
    }

    @Test(arguments: [("en", TourLanguage.english), ("zh", .chinese)])
    func theOptionDecidesTheLanguage(_ word: String, _ language: TourLanguage) throws {
        let command = try #require(try TarmacCommand.parseAsRoot(["demo", "--language", word]) as? DemoCommand)
        #expect(command.language == language)
    }

    @Test func anotherLanguageIsRefused() {
        let error = #expect(throws: (any Error).self) { try TarmacCommand.parseAsRoot(["demo", "--language", "fr"]) }
        #expect(error.map { TarmacCommand.exitCode(for: $0) } == .validationFailure)
    }

    // MARK: The board

    @Test(arguments: [("", 0), ("TA104", 5), ("接口", 4), ("请求，重试", 10), ("→ 缓存", 6), ("e\u{301}", 1), ("·", 1)])
    func wideCharactersTakeTwoColumns(_ text: String, _ columns: Int) {
        #expect(text.columns == columns)
        #expect(text.padded(to: 12).columns == 12)
    }

    @Test(arguments: TourLanguage.allCases)
    func theColumnsLineUp(_ language: TourLanguage) {
        let board = DepartureBoard(palette: Palette(isOn: false), language: language)
        for stop in Tour.allStops {
            for status in [Departure.Status.landed, .returned, .silent, .grounded] {
                let row = board.row(stop.code, stop.title.text(in: language), Departure(code: [], status: status, duration: .milliseconds(4)))
                #expect(row.hasSuffix("  4 ms\n") && row.dropLast(5).description.columns == 68, "\(row)")
            }
        }
        let header = board.header("there").split(separator: "\n").map(String.init)
        #expect(header[0].columns == 84)
        #expect(header[2].columns == 68 + 4)
    }

    @Test(arguments: TourLanguage.allCases)
    func everyLineButCodeAndValuesIsInTheLanguage(_ language: TourLanguage) async throws {
        let server = try await DemoServer(port: 0)
        let events = EventFeed()
        let services = [Service.demo(server), .demoShop(server), .demoWeather(server)]
        let flown = try await withClient(
            transport: TransportChoice.nio.factory, services: services,
            configure: { options in
                options.timeout = .seconds(240)
                options.idleTimeout = .seconds(240)
                options.connectTimeout = .seconds(240)
                options.observers = [events]
                language.configure(&options)
            }
        ) { client in
            let tour = Tour(client: client, server: server, events: events, language: language)
            var flown: [Departure] = []
            for stop in Tour.allStops { flown.append(try await stop.fly(tour)) }
            return flown
        }
        await server.stop()
        for departure in flown {
            for remark in departure.remarks { #expect(Self.isChinese(remark) == (language == .chinese), "\(remark)") }
            #expect(!departure.remarks.isEmpty || !departure.output.isEmpty)
        }
        let twice = "   // \(Sentence.twice.text(in: language))"
        #expect(flown.filter { $0.code.contains { $0.hasSuffix(twice) } }.count == 2)
        let words = language == .chinese ? "没有用户 1000，用户的 id 为 1 到 100。" : "There is no user 1000. Users have the ids 1 to 100."
        #expect(
            flown[4].output == [
                "error.code            unacceptableStatus", "error.status          404",
                "error.problem?.detail \(words)", "error.userMessage     \(words)",
            ])
    }

    @Test(arguments: [("zh-CN", "没有这个地点。"), ("ZH", "没有这个地点。"), ("en", "There is no such place."), ("en, zh", "There is no such place.")])
    func theDemoServerAnswersInTheFirstLanguage(_ accepted: String, _ message: String) throws {
        let request = DemoRequest(path: "/seeds/regeo", query: [("location", "nowhere")], headers: [("accept-language", accepted)])
        guard case .bytes(let bytes) = DemoRoutes.answer(request).content else { return #expect(Bool(false), "no bytes") }
        #expect(try JSONDocument(bytes).root["message"].string == message)
    }

    // MARK: The build

    @Test(arguments: TourLanguage.allCases)
    func aDebugBuildSaysSoAndAReleaseDoesNot(_ language: TourLanguage) {
        #expect(Tour.buildRemarks(isDebug: false, in: language) == [])
        let remarks = Tour.buildRemarks(isDebug: true, in: language).joined(separator: "\n")
        #expect(remarks.contains(language == .chinese ? "debug 构建" : "debug build"))
        #expect(remarks.contains("Documentation/Performance.md"))
    }

    // MARK: --stop

    @Test func theStopsAreNumbered() {
        #expect(Tour.allStops.map(\.code) == (101...117).map { "TA\($0)" })
    }

    @Test(arguments: [("TA104", "TA104"), ("ta104", "TA104"), ("Ta117", "TA117")])
    func aStopIsFoundByItsCodeInAnyCase(_ word: String, _ code: String) throws {
        #expect(try Tour.stops(named: word, in: .english).map(\.code) == [code])
        #expect(try Tour.stops(named: nil, in: .english).count == 17)
    }

    @Test(arguments: ["TA999", "104"], TourLanguage.allCases)
    func anUnknownStopListsAllOfThem(_ word: String, _ language: TourLanguage) throws {
        let error = try #require(
            #expect(throws: (any Error).self) { try TarmacCommand.parseAsRoot(["demo", "--stop", word, "--language", language.rawValue]) })
        #expect(TarmacCommand.exitCode(for: error) == .validationFailure)
        let message = TarmacCommand.fullMessage(for: error)
        #expect(message.contains(Sentence.noStop.text(in: language, word)))
        for stop in Tour.allStops { #expect(message.contains("\(stop.code)  \(stop.title.text(in: language))")) }
    }

    @Test(arguments: [("ta105", "zh", "没有用户 1000"), ("TA101", "en", "User 7 is Hana.")])
    func theCommandFliesOneStopAndEndsWithThePages(_ stop: String, _ language: String, _ remark: String) async throws {
        let command = try #require(try TarmacCommand.parseAsRoot(["demo", "--stop", stop, "--language", language]) as? DemoCommand)
        var texts: [String] = []
        try await command.fly { texts.append($0) }
        let (header, row, footer) = (texts.first ?? "", texts.dropFirst().first ?? "", texts.last ?? "")
        #expect(texts.count == 3)
        #expect(header.contains("→ http://127.0.0.1:"))
        #expect(row.contains(stop.uppercased()) && row.contains(remark))
        #expect(footer.contains("Documentation/Start/") && footer.contains("demo --inspect"))
    }

    // MARK: The end

    @Test(arguments: TourLanguage.allCases)
    func theEndNamesPagesThatExistAndCommandsThatParse(_ language: TourLanguage) throws {
        let ending = TourEnding(language: language, program: "tarmac", page: nil)
        #expect(ending.pages.last?.name.contains(".zh-CN") == (language == .chinese))
        for page in ending.pages { #expect(FileManager.default.fileExists(atPath: Self.root.appendingPathComponent(page.name).path), "\(page.name)") }
        for command in ending.commands {
            let words = command.name.split(separator: " ").map(String.init)
            #expect(words.first == "tarmac")
            #expect(throws: Never.self) { try TarmacCommand.parseAsRoot(Array(words.dropFirst())) }
        }
        for line in ending.lines { #expect(Self.isChinese(line) == (language == .chinese), "\(line)") }
    }

    @Test(arguments: [(TourLanguage.english, "Documentation/Start/README.md"), (.chinese, "Documentation/Start/README.zh-CN.md")])
    func theLastLineIsTheStartPageOrTheInspector(_ language: TourLanguage, _ start: String) {
        let address = "http://127.0.0.1:8079/key"
        let without = TourEnding(language: language, program: "tarmac", page: nil).lines.last ?? ""
        let with = TourEnding(language: language, program: "tarmac", page: address).lines.last ?? ""
        #expect(without.contains(start + " "))
        #expect(with.contains(address))
    }

    @Test(arguments: TourLanguage.allCases)
    func theEndHasTheInspectorOrTheCommandForIt(_ language: TourLanguage) {
        let (address, command) = ("http://127.0.0.1:8079/key", "tarmac demo --inspect")
        let with = TourEnding(language: language, program: "tarmac", page: address).lines.joined(separator: "\n")
        let without = TourEnding(language: language, program: "tarmac", page: nil).lines.joined(separator: "\n")
        #expect(with.contains(address) && !with.contains(command))
        #expect(without.contains(command) && !without.contains("http"))
    }
}
#endif
