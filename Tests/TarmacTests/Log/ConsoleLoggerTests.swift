import HTTPTypes
import Tarmac
@testable import TarmacTesting
import Testing

@Suite("Console log")
struct ConsoleLoggerTests {
    /// The server's own phrase may repeat a secret.
    @Test(arguments: ["", "OK", "no such token hunter2"])
    func aLineHasTheRegisteredPhrase(_ reason: String) async throws {
        let lines = Watched<[String]>([])
        let stub = StubTransport { _ in .status(.init(code: 200, reasonPhrase: reason)) }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
            $0.observers = [ConsoleLogger(.landings) { line in lines.update { $0.append(line) } }]
        }
        try await client.get("/a")
        #expect(lines.value.count == 1 && lines.value.allSatisfy { $0.contains("← 200 OK, ") }, "\(lines.value)")
    }

    @Test func aWarningOfEveryCallIsWrittenOnce() async throws {
        let lines = Watched<[String]>([])
        let client = Client(transport: .stub { _ in .status(.ok) }, services: [Service("s", host: "http://s.example")]) {
            $0.allowsInsecureHTTP = true
            $0.observers = [ConsoleLogger { line in lines.update { $0.append(line) } }]
        }
        for _ in 0..<3 { try await client.get("/a") }
        #expect(lines.value.count { $0.contains("⚠️") } == 1 && lines.value.count { $0.contains("←") } == 3)
    }
}
