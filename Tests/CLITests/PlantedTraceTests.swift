#if Tools
import ArgumentParser
import HTTPTypes
import Tarmac
import TarmacTesting
import Testing

@testable import TarmacCLI

/// Law 9 for what `--trace` and `--verbose` write on standard error.
@Suite("Planted secrets in --trace and --verbose", .timeLimit(.minutes(1)))
struct PlantedTraceTests {
    private static let secret = "zqx7KplantedVw3"

    private func client(_ recording: CallRecording, _ write: @escaping @Sendable (String) -> Void) -> Client {
        let server = StubTransport { request in
            let echo = "\(request.url.string) \(request.headers[.authorization] ?? "")"
            if request.url.path == "/lost" { throw TarmacError(.connectionLost, phase: .receiving, "lost \(echo)") }
            if request.url.path == "/moved" { return .redirect(to: "/there?token=\(Self.secret)") }
            return .json(#"{"page":7}"#, headers: [.setCookie: "sid=\(Self.secret)", .location: "https://s.example/?token=\(Self.secret)"])
        }
        return Client(transport: .stub(server), services: [Service("s", host: "https://s.example")]) {
            recording.configure(&$0)
            $0.observers = [VerboseLog(write: write)]
            $0.attemptInterceptors = [VerboseHeads(redactor: .standard, palette: Palette(isOn: false), note: write)]
            $0.retry = .never
        }
    }

    @Test func neitherShowsAPlantedSecret() async throws {
        let lines = Watched<[String]>([])
        let write: @Sendable (String) -> Void = { line in lines.update { $0.append(line) } }
        let recording = try CallRecording(
            try RecordArguments.parse(["--trace"]), terminal: Terminal(outputIsTerminal: false, errorIsTerminal: false, columns: 400, environment: [:]),
            note: write)
        let client = client(recording, write)
        try? await recording.during {
            for path in ["/page", "/moved", "/lost"] {
                let request = try Request(
                    .post, "https://s.example\(path)?page=7&access_token=\(Self.secret)",
                    headers: [.authorization: "Bearer \(Self.secret)", .contentType: "application/json", .cookie: "sid=\(Self.secret)"],
                    body: .bytes(Bytes(#"{"password":"\#(Self.secret)"}"#)))
                _ = try? await client.send(raw: request)
            }
        }
        let text = lines.value.joined(separator: "\n")
        #expect(!text.contains(Self.secret))
        for told in ["3 calls", "page=7", "POST", "Authorization", "connectionLost"] { #expect(text.contains(told), "\(told)") }
        await client.shutdown()
    }
}
#endif
