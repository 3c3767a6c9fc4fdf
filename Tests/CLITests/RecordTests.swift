#if Tools
import ArgumentParser
import Foundation
import HTTPTypes
import Tarmac
import TarmacCallLog
import TarmacHAR
import TarmacTesting
import Testing

@testable import TarmacCLI

/// `--har`, `--trace` and the timings of `--verbose`.
@Suite("Recorded commands", .timeLimit(.minutes(5)))
struct RecordTests {
    private func withFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try await body(folder)
    }

    /// Runs a command as the program does, against a demo server. `URL` in the arguments is the server, `DIR` a folder.
    private func run(_ arguments: [String]) async throws -> (result: Result<Void, any Error>, calls: [CallLog.Entry]) {
        let server = try await DemoServer(port: 0)
        let flown = try await withFolder { folder in
            try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(folder)/file.json"))
            let words = arguments.map { $0.replacingOccurrences(of: "URL", with: server.url).replacingOccurrences(of: "DIR", with: folder) }
            let result = await Self.fly(words + ["--har", "\(folder)/calls.har"])
            return (result, try Self.calls("\(folder)/calls.har"))
        }
        await server.stop()
        return flown
    }

    private static func fly(_ words: [String]) async -> Result<Void, any Error> {
        do {
            var command = try #require(try TarmacCommand.parseAsRoot(words) as? any AsyncParsableCommand)
            return .success(try await command.run())
        } catch {
            return .failure(error)
        }
    }

    private static func calls(_ path: String) throws -> [CallLog.Entry] {
        try HAR(parsing: Bytes(Array(try Data(contentsOf: URL(fileURLWithPath: path))))).entries
    }

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    // MARK: --har

    @Test(arguments: [
        (["get", "URL/users/7", "--output", "DIR/body"], "GET", 1), (["post", "URL/login", "name=ann", "password=runway", "--output", "DIR/body"], "POST", 1),
        (["get", "URL/redirect/2", "--output", "DIR/body"], "GET", 3), (["download", "URL/bytes/1000", "--output", "DIR/body"], "GET", 1),
        (["upload", "DIR/file.json", "URL/echo"], "PUT", 1), (["events", "URL/events?count=2&ms=0", "--once"], "GET", 1),
    ])
    func everyCommandWritesItsRequests(arguments: [String], method: String, requests: Int) async throws {
        let (result, calls) = try await run(arguments)
        #expect(throws: Never.self) { try result.get() }
        let call = try #require(calls.first)
        #expect(calls.count == 1 && call.state == .landed && call.status == 200 && call.request?.method == method)
        #expect(call.attempts.count == requests && call.attempts.last?.timings != nil)
    }

    @Test func aFailureIsWrittenToo() async throws {
        let (result, calls) = try await run(["get", "URL/status/503"])
        #expect(throws: TarmacError.self) { try result.get() }
        #expect(calls.map(\.state) == [.failed] && calls.map(\.status) == [503])
    }

    @Test func anInterruptedCallIsWrittenToo() async throws {
        let server = try await DemoServer(port: 0)
        try await withFolder { folder in
            let words = ["get", "\(server.url)/slow?ms=60000", "--har", "\(folder)/calls.har"]
            let flight = Task { await Self.fly(words) }
            await eventually { server.requests(to: "/slow") != 0 }
            flight.cancel()
            let result = await flight.value
            #expect(throws: CancellationError.self) { try result.get() }
            let calls = try Self.calls("\(folder)/calls.har")
            #expect(calls.map(\.state) == [.cancelled])
        }
        await server.stop()
    }

    @Test func theArchiveIsForItsUserAloneAndHasNoSecret() async throws {
        let server = try await DemoServer(port: 0)
        try await withFolder { folder in
            let path = "\(folder)/calls.har"
            #expect(FileManager.default.createFile(atPath: path, contents: Data("old".utf8), attributes: [.posixPermissions: 0o644]))
            let words = [
                "get", "\(server.url)/users/7?token=s3cretValue", "-H", "Authorization: Bearer s3cretValue", "--output", "\(folder)/body", "--har", path,
            ]
            let result = await Self.fly(words)
            #expect(throws: Never.self) { try result.get() }
            #expect(try Self.mode(path) == 0o600)
            let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
            #expect(text.contains("/users/7") && !text.contains("s3cretValue"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["body", "calls.har"])
        }
        await server.stop()
    }

    @Test(arguments: ["-", "/", "/no/such/folder/calls.har", "/dev/null"])
    func whatCannotBecomeAnArchiveIsRefusedBeforeSending(path: String) throws {
        let arguments = try RecordArguments.parse(["--har=\(path)"])
        let error = #expect(throws: TarmacError.self) { try CallRecording(arguments) }
        #expect(error?.code == .invalidOption && error?.reason.hasPrefix("--har: ") == true && error?.suggestion != nil)
    }

    @Test func anArchiveThatCannotBeWrittenFailsTheCommandUnlessItFailedBefore() async throws {
        let notes = Watched<[String]>([])
        let recording = try await withFolder { folder in
            try CallRecording(RecordArguments.parse(["--har", "\(folder)/calls.har"]), terminal: Self.terminal) { note in notes.update { $0.append(note) } }
        }
        let error = await #expect(throws: TarmacError.self) { try await recording.during {} }
        #expect(error?.code == .unwritableFile && notes.value.isEmpty)
        await #expect(throws: CancellationError.self) { try await recording.during { throw CancellationError() } }
        #expect(notes.value.count == 1 && notes.value.first?.hasPrefix("--har: ") == true)
    }

    @Test func nothingIsRecordedUnlessAskedFor() throws {
        let recording = try CallRecording(RecordArguments.parse([]))
        var options = Options()
        recording.configure(&options)
        #expect(recording.log == nil && options.log == nil)
        #expect(try CallRecording(RecordArguments.parse(["--trace"])).log?.bodies == CallLog.Bodies.none)
    }

    @Test(arguments: [["demo"], ["inspect"]])
    func theCommandsOfTheDemoServerRecordToo(command: [String]) throws {
        #expect(throws: Never.self) { try TarmacCommand.parseAsRoot(command + ["--har", "calls.har", "--trace"]) }
    }

    // MARK: --trace

    private static let terminal = Terminal(outputIsTerminal: false, errorIsTerminal: false, columns: 80, environment: [:])

    @Test(arguments: [HTTPResponse.Status.ok, .serviceUnavailable])
    func theCallsAreDrawnAtTheEndAlsoOfAFailure(status: HTTPResponse.Status) async throws {
        let notes = Watched<[String]>([])
        let recording = try CallRecording(RecordArguments.parse(["--trace"]), terminal: Self.terminal) { note in notes.update { $0.append(note) } }
        let stub = StubTransport { _ in .text("hello", status: status) }
        _ = try? await recording.during {
            try await withClient(transport: .stub(stub), services: [Service("s", host: "https://s.example")], configure: recording.configure) { client in
                try await client.get("/a")
                #expect(notes.value.isEmpty)
            }
        }
        let lines = notes.value.first?.split(separator: "\n") ?? []
        #expect(notes.value.count == 1 && lines.first?.hasPrefix("1 call, 1 request, ") == true)
        #expect(lines.dropFirst().first?.hasPrefix("#1 GET s.example/a") == true && lines.dropFirst(2).first?.contains("  \(status.code) in ") == true)
    }

    // MARK: --verbose

    @Test func aTimingLineSaysWhatIsKnown() {
        let whole = TimingLine(
            queued: .milliseconds(2), nameResolution: .milliseconds(1), connect: .milliseconds(12), tls: .milliseconds(20), send: .zero,
            wait: .milliseconds(31), receive: .milliseconds(2), bytesSent: 7, bytesReceived: 431, isReused: false, version: "HTTP/2",
            remoteAddress: "127.0.0.1:8080")
        #expect(
            whole.text
                == "queued 2 ms, dns 1 ms, connect 12 ms, tls 20 ms, sent 0 ms, waiting 31 ms, receiving 2 ms; 7 bytes sent, 431 received; "
                + "new connection, HTTP/2, 127.0.0.1:8080")
        let failed = TimingLine(queued: .zero, bytesSent: 0, bytesReceived: 0)
        #expect(failed.text == "queued 0 ms; 0 bytes sent, 0 received")
        #expect(TimingLine(queued: .zero, bytesSent: 0, bytesReceived: 9, isReused: true).text.hasSuffix("; reused connection"))
    }

    @Test func eachAttemptHasOneTimingLine() async throws {
        let notes = Watched<[String]>([]), count = Watched(0)
        let stub = StubTransport { _ in
            count.update { $0 += 1 }
            return count.value == 1 ? .redirect(to: "/b") : .text("hello")
        }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: ManualTime()) {
            $0.observers = [VerboseLog { note in notes.update { $0.append(note) } }]
        }
        try await client.get("/a")
        let timings = notes.value.filter { $0.contains("queued 0 ms") }
        #expect(timings.count == 2 && timings[0].contains(" attempt 1: ") && timings[1].contains(" attempt 2: "), "\(notes.value)")
        #expect(notes.value.filter { $0.contains("bytes sent") }.count == 2)
        #expect(notes.value.contains { $0.contains("→ GET https://s.example/a") })
    }
}
#endif
