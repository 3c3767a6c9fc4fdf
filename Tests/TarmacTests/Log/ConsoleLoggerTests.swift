import HTTPTypes
import Tarmac
@testable import TarmacTesting
import Testing

@Suite("Console log")
struct ConsoleLoggerTests {
    @Test(arguments: [("", "← 200, "), ("OK", "← 200 OK, ")])
    func aStatusWithoutAReasonIsItsCode(_ reason: String, _ shown: String) async throws {
        let lines = Watched<[String]>([])
        let stub = StubTransport { _ in .status(.init(code: 200, reasonPhrase: reason)) }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) {
            $0.observers = [ConsoleLogger(.landings) { line in lines.update { $0.append(line) } }]
        }
        try await client.get("/a")
        #expect(lines.value.count == 1 && lines.value.allSatisfy { $0.contains(shown) }, "\(lines.value)")
    }
}
