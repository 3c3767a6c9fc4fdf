#if Tools
import ArgumentParser
import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

@testable import TarmacCLI

/// `--pin` and what is said when none matches (QSP-3, QSP-4).
@Suite struct PinTests {
    private static let one = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
    private static let two = "sha256//BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA="

    private func plan(_ arguments: String...) throws -> CallPlan { try CallPlan(.get, CallArguments.parse(arguments)) }

    @Test func pinsAreForTheHostOfTheURL() throws {
        let sets = try plan("https://a.example:8443/x", "--pin", Self.one, "--pin", Self.two).endpoint.connection.pins.sets
        #expect(sets.map(\.host) == ["a.example"])
        #expect(sets.first?.pins == [.key(Self.one), .key(Self.two)])
        #expect(sets.first?.reportsOnly == false)
        #expect(try plan("https://a.example", "--pin", Self.one, "--pin-report-only").endpoint.connection.pins.sets.first?.reportsOnly == true)
        #expect(try plan("https://a.example").endpoint.connection.pins == .none)
    }

    @Test func aSinglePinIsEnoughHere() throws {
        let plan = try plan("https://a.example", "--pin", Self.one)
        _ = try Client(transport: .stub { _ in .json("{}") }).request(for: plan.endpoint)
    }

    @Test(arguments: ["nonsense", "sha256/AAAA", "sha1/AAAAAAAAAAAAAAAAAAAAAAAAAAA="])
    func whatIsNoPinIsRefusedByName(_ text: String) throws {
        let plan = try plan("https://a.example", "--pin", text)
        let error = #expect(throws: TarmacError.self) { try Client(transport: .stub { _ in .json("{}") }).request(for: plan.endpoint) }
        #expect(error?.reason.contains("\"\(text)\"") == true)
        #expect(error.map { ExitStatus($0) } == .refusedInput)
    }

    @Test(arguments: [["http://a.example", "--pin", one], [":8080", "--pin", one], ["https://a.example", "--pin-report-only"]])
    func pinsThatMeanNothingAreRefused(_ arguments: [String]) {
        let error = #expect(throws: TarmacError.self) { try CallPlan(.get, CallArguments.parse(arguments)) }
        #expect(error?.code == .invalidOption)
    }

    @Test func curlIsToldInItsOwnWay() throws {
        let words = CurlOptions.words(try CallArguments.parse(["https://a.example", "--pin", Self.one, "--pin", Self.two]))
        #expect(words.contains(["--pinnedpubkey", "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=;\(Self.two)"]))
    }

    @Test func theKeysThatWereShownCanBeCopied() {
        let report = PinReport(host: "a.example", presented: [], expected: [.key(Self.one)], limitation: "it is dark")
        let text = ErrorReport(palette: Palette(isOn: false)).text(report.error)
        #expect(text.contains("The pin is not among the keys of a.example.") && text.contains("It showed no certificate.") && text.contains("it is dark"))
        #expect(text.contains("pinMismatch") && text.contains("Try:"))
        #expect(ExitStatus(report.error) == .tls)
    }
}
#endif
