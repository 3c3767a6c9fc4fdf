#if Tools
import ArgumentParser
import HTTPTypes
import Tarmac
import TarmacJSON
import TarmacStreams
import Testing

@testable import TarmacCLI

@Suite("tarmac events")
struct EventTests {
    private func text(_ event: ServerSentEvent, isJSON: Bool = false, isTerminal: Bool = false) -> String {
        EventText(isJSON: isJSON, isTerminal: isTerminal, palette: Palette(isOn: false)).text(event)
    }

    @Test func aPipeGetsTheData() {
        #expect(text(ServerSentEvent(name: "x", data: "a\nb", lastEventID: "7")) == "a\nb")
    }

    @Test func aTerminalGetsNameAndIDAndNothingThatMovesItsCursor() {
        #expect(text(ServerSentEvent(name: "x", data: "a\u{1B}[2Jb\n\tc", lastEventID: "7"), isTerminal: true) == "x #7\na [2Jb\n\tc")
        #expect(text(ServerSentEvent(data: "a"), isTerminal: true) == "message\na")
    }

    @Test func jsonIsOneLine() throws {
        let event = ServerSentEvent(name: "x", data: "a\n\"\\\u{1}\u{2028}起", lastEventID: "7")
        let line = text(event, isJSON: true)
        #expect(line == #"{"name":"x","data":"a\n\"\\\u0001\u2028起","id":"7"}"#)
        let json = try ServerSentEvent(data: line).json
        #expect(json["data"].string == event.data)
        #expect(text(ServerSentEvent(data: ""), isJSON: true) == #"{"name":"message","data":""}"#)
    }

    @Test(arguments: [([], "GET"), (["--data", "x"], "POST"), (["-X", "put"], "PUT"), (["-X", "PATCH", "--data", "x"], "PATCH")])
    func theMethodFollowsFromTheBodyUnlessGiven(arguments: [String], method: String) throws {
        #expect(try EventsRunner.method(EventsCommand.parse([":1/x"] + arguments)).rawValue == method)
    }

    @Test(arguments: [["--output", "f"], ["--include"], ["-X", "no method"]])
    func whatMeansNothingIsRefused(arguments: [String]) throws {
        let command = try EventsCommand.parse([":1/x"] + arguments)
        let error = #expect(throws: TarmacError.self) { try EventsRunner(command) }
        #expect(error?.code == .invalidOption)
    }
}
#endif
