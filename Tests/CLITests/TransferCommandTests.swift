#if Tools
import ArgumentParser
import Tarmac
import Testing

@testable import TarmacCLI

@Suite("tarmac download and upload")
struct TransferCommandTests {
    @Test func aLogGetsALineForEachTenthAndOneEveryTenSeconds() {
        var lines = ProgressLines()
        let told = (0...1000).compactMap { lines.line(for: TransferProgress(totalToSend: 0, received: Int64($0), totalToReceive: 1000), at: .milliseconds($0)) }
        #expect(told.count == 11)
        #expect(told.last == "1000 B of 1000 B, 100%")
        #expect(
            lines.line(for: TransferProgress(totalToSend: 0, received: 1000, totalToReceive: 1000, rate: 2048), at: .seconds(12))
                == "1000 B of 1000 B, 100%, 2.0 KiB/s")
        var unknown = ProgressLines()
        #expect(unknown.line(for: TransferProgress(totalToSend: 0, received: 512), at: .zero) == "512 B")
        #expect(unknown.line(for: TransferProgress(totalToSend: 0, received: 600), at: .seconds(9)) == nil)
        #expect(unknown.line(for: TransferProgress(totalToSend: 0, received: 700), at: .seconds(10)) == "700 B")
    }

    @Test(arguments: [("https://s.example/a/f.bin?x=1", "f.bin"), ("https://s.example/a%20b.txt", "a b.txt")])
    func theFileIsNamedAfterTheURL(url: String, name: String) throws {
        #expect(try DownloadName.path(nil, for: HTTPURL(url)) == name)
    }

    @Test(arguments: ["https://s.example/", "https://s.example/a/", "https://s.example/..%2Fx", "https://s.example/%0A"])
    func aURLThatNamesNoFileIsRefused(url: String) throws {
        let url = try HTTPURL(url)
        #expect(throws: TarmacError.self) { try DownloadName.path(nil, for: url) }
    }

    @Test func theCommandsAreUnderstood() throws {
        let download = try #require(
            try TarmacCommand.parseAsRoot(["download", "https://s.example/f", "-o", "x", "--sha256", "ab", "--parallel", "4", "--resume"]) as? DownloadCommand)
        #expect(download.parallel == 4)
        #expect(download.transfer.resume)
        let upload = try #require(try TarmacCommand.parseAsRoot(["upload", "f", "https://s.example/", "--tus"]) as? UploadCommand)
        #expect(upload.tus)
        let form = try #require(try TarmacCommand.parseAsRoot(["upload", "f", "https://s.example/", "--multipart", "photo"]) as? UploadCommand)
        #expect(form.multipart == "photo")
    }

    @Test func transfersTrustWhomTheyAreToldTo() throws {
        let pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", url = try HTTPURL("https://s.example/f")
        for command in [["download", "\(url)"], ["upload", "f", "\(url)"]] {
            func connection(_ arguments: [String]) throws -> ConnectionSettings {
                let parsed = try TarmacCommand.parseAsRoot(command + arguments)
                return try #require((parsed as? DownloadCommand)?.transfer ?? (parsed as? UploadCommand)?.transfer).trust.settings(for: url)
            }
            #expect(try connection(["--cacert", "root.pem"]).trust == .systemAnd(pemFile: "root.pem"))
            #expect(try connection(["--pin", pin]).pins.sets.first?.pins == [.key(pin)])
            #expect(try connection(["--pin", pin, "--pin-report-only"]).pins.sets.first?.reportsOnly == true)
            for wrong in [["--insecure", "--cacert", "root.pem"], ["--pin-report-only"]] { #expect(throws: TarmacError.self) { try connection(wrong) } }
        }
    }

    /// How a command connects is said in the same words for all of them.
    @Test(arguments: [
        ["get", "https://s.example/f"], ["post", "https://s.example/f"], ["events", "https://s.example/f"], ["download", "https://s.example/f"],
        ["upload", "f", "https://s.example/f"],
    ])
    func everyCommandThatSendsTakesEveryOptionOfAConnection(command: [String]) throws {
        let pin = "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        let options = [
            ["--insecure"], ["--cacert", "root.pem"], ["--pin", pin], ["--pin", pin, "--pin-report-only"], ["--timeout", "9"], ["--transport", "nio"],
            ["--transport", "urlsession"], ["-H", "X-A: 1"], ["--header", "X-A: 1"], ["-v"], ["--verbose"], ["--har", "calls.har"],
            ["--trace"],
        ]
        for option in options { #expect(throws: Never.self) { try TarmacCommand.parseAsRoot(command + option) } }
    }

    @Test(arguments: [(["--gzip", "--tus"], true), (["--gzip", "--ietf"], true), (["--gzip"], false), (["--gzip", "--multipart", "a"], false)])
    func resumableUploadsAreNotCompressed(arguments: [String], isRefused: Bool) throws {
        let command = try #require(try TarmacCommand.parseAsRoot(["upload", "f", "https://s.example/"] + arguments) as? UploadCommand)
        if isRefused {
            #expect(throws: TarmacError.self) { try command.check() }
        } else {
            try command.check()
        }
    }

    @Test func anUploadHasTheUsualLimitsOfTime() throws {
        let target = try HTTPURL("https://s.example/")
        let table: [([String], TimeLimit?)] = [([], nil), (["--timeout", "90"], .seconds(90))]
        for (arguments, deadline) in table {
            let command = try #require(try TarmacCommand.parseAsRoot(["upload", "f", "https://s.example/"] + arguments) as? UploadCommand)
            let options = try command.options(to: target)
            #expect(options.timeout == nil)
            #expect(options.deadline == deadline)
        }
    }

    @Test(arguments: ["abc", "", "ab", String(repeating: "g", count: 64), String(repeating: "a", count: 65)])
    func whatIsNoSHA256IsRefusedByItsArgument(text: String) {
        let error = #expect(throws: TarmacError.self) { try DownloadCommand.digest(text) }
        #expect(error?.reason == "--sha256 needs 64 hex digits")
    }

    @Test func aDigestIsTakenAsSha256sumPrintsIt() throws {
        let text = String(repeating: "0f", count: 32)
        #expect(try DownloadCommand.digest(text) == .sha256(text))
        #expect(try DownloadCommand.digest(nil) == nil)
    }

    @Test func whatAnInterruptionLeavesIsTold() {
        #expect(TransferDisplay.kept(TransferProgress(totalToReceive: 9)) == nil)
        let down = TransferDisplay.kept(TransferProgress(received: 1 << 20, totalToReceive: 4 << 20))
        #expect(down == "1.0 MiB of 4.0 MiB are kept beside the file. The same command goes on from there, where the server allows it.")
        #expect(TransferDisplay.kept(TransferProgress(sent: 7, totalToSend: 9))?.hasPrefix("7 B of 9 B were sent;") == true)
    }

    @Test func whatIsThereAlreadyHasNoRate() {
        let whole = TransferProgress(totalToSend: 0, received: 1000, totalToReceive: 1000, rate: 0)
        var lines = ProgressLines()
        #expect(lines.line(for: whole, at: .zero) == "1000 B of 1000 B, 100%")
        #expect(!ProgressLine(progress: whole, elapsed: .seconds(1)).text(columns: 80).contains("B/s"))
        let stalled = TransferProgress(totalToSend: 0, received: 10, totalToReceive: 1000, rate: 0)
        #expect(ProgressLine(progress: stalled, elapsed: .seconds(1)).text(columns: 80).hasSuffix("0 B/s"))
    }

    @Test func ratesAreThoseOfNowAndSoIsWhatIsLeft() {
        // Half of it was there before: its average since the start would be half a mebibyte a second.
        let progress = TransferProgress(totalToSend: 0, received: 1 << 20, totalToReceive: 2 << 20, rate: 1024)
        let bar = ProgressLine(progress: progress, elapsed: .seconds(2)).text(columns: 100)
        #expect(bar.hasSuffix("1.0 MiB of 2.0 MiB  1.0 KiB/s  17 min 4 s left"))
        var lines = ProgressLines()
        #expect(lines.line(for: progress, at: .seconds(2)) == "1.0 MiB of 2.0 MiB, 50%, 1.0 KiB/s, 17 min 4 s left")
    }
}
#endif
