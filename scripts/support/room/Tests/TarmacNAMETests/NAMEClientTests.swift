import HTTPTypes
import TarmacCore
import TarmacTesting
import Testing

@testable import Tarmac__NAME__

@Suite("__NAME__: calls", .timeLimit(.minutes(5)))
struct __NAME__ClientTests {
    private let stub = StubTransport { _ in .json("{}") }

    private func client(_ rule: __NAME__Rule?) -> Client {
        Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")]) { $0.__name__ = rule }
    }

    private var sent: [String?] { stub.requests.map { $0.headers[.tarmac__NAME__] } }

    @Test func nothingIsSentByDefault() async throws {
        try await client(nil).get("/a")
        #expect(sent == [nil])
    }

    @Test func theTextIsSent() async throws {
        try await client(.text("blue")).get("/a")
        #expect(sent == ["blue"])
    }

    @Test func aCallSwitchesItOff() async throws {
        let client = client(.text("blue"))
        try await client.get("/a") { $0.__name__ = .off }
        try await client.get("/b") { $0.__name__ = .text("red") }
        #expect(sent == [nil, "red"])
    }

    @Test func anInvalidTextFailsBeforeAnythingIsSent() async {
        let error = await #expect(throws: TarmacError.self) { try await client(.text("two\r\nlines")).get("/a") }
        #expect(error?.code == .invalidOption && sent.isEmpty)
    }
}
