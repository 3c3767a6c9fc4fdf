import HTTPTypes
import TarmacTesting
import Testing

import Tarmac

/// Hosts and URLs that are known at run time only.
@Suite struct HostTextTests {
    private let stub = StubTransport { _ in .status(.ok) }

    @Test func aServiceTakesItsHostFromAVariable() async throws {
        let host = ["https://s.example", "v2"].joined(separator: "/")
        let client = Client(transport: .stub(stub), services: [Service("s", host: host) { $0.headers["X-Key"] = "k" }])
        try await client.get("/a")
        #expect(stub.requests.first?.url.string == "https://s.example/v2/a")
        #expect(stub.requests.first?.headers.contains { $0.name.rawName == "X-Key" } == true)
    }

    @Test(arguments: ["", "localhost:8080", "ftp://s.example", "https://"])
    func aWrongHostIsTheErrorOfTheCallAndSaysWhy(host: String) async throws {
        let client = Client(transport: .stub(stub), services: [Service("s", host: host)])
        let error = await #expect(throws: TarmacError.self) { try await client.get("/a") }
        #expect(error?.code == .invalidURL && error?.phase == .building)
        #expect(error?.reason.contains("\"\(host)\" is not valid: ") == true)
        if !host.contains("://") { #expect(error?.suggestion == "write it as https://host/path") }
        #expect(stub.requests.isEmpty)
    }

    @Test func aRequestTakesItsURLFromAVariable() async throws {
        let url = "https://s.example/a?b=c"
        #expect(try Request(.put, url, headers: [.accept: "*/*"], body: .text("x")).description == "PUT https://s.example/a?…")
        _ = try await Client(transport: .stub(stub)).send(raw: try Request(.post, url))
        #expect(stub.requests.first?.url.string == url)
    }

    @Test func aRequestOfAWrongURLIsRefused() {
        let error = #expect(throws: TarmacError.self) { try Request(.get, "/a") }
        #expect(error?.code == .invalidURL)
    }

    @Test func aBodyTakesAnArray() async throws {
        let array: [UInt8] = [1, 2, 3]
        try await Client(transport: .stub(stub)).post("https://s.example/a", body: .bytes(array, contentType: "image/png"))
        let request = try #require(stub.requests.first)
        #expect(request.body.buffered.map(Array.init) == array && request.body.isReplayable)
        #expect(request.headers[.contentType] == "image/png")
        #expect(Body.bytes(array).contentType == "application/octet-stream")
    }
}
