import HTTPTypes
import TarmacTesting
import Testing

import Tarmac

/// A redirect to another origin takes along no field that lets someone in or says who asks.
@Suite("Redirects to strangers", .timeLimit(.minutes(5)))
struct RedirectCallerTests {
    private func received(_ name: String, redirectedTo place: String) async throws -> [String?] {
        let field = try #require(HTTPField.Name(name))
        let stub = StubTransport { request in request.url.path == "/a" ? .status(.temporaryRedirect, headers: [.location: place]) : .status(.ok) }
        let client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")])
        try await client.send(.get("/a", as: Void.self)) { $0.headers[name] = "ann-7" }
        await client.shutdown()
        return stub.requests.map { $0.headers[field] }
    }

    @Test(arguments: ["Ticket", "X-Acme-Key", "X-Access", "X-User-Id", "X-Tenant-Id", "X-Api-Key", "Authorization"])
    func aStrangerDoesNotLearnWhoAsks(name: String) async throws {
        #expect(try await received(name, redirectedTo: "https://other.example/b") == ["ann-7", nil])
        #expect(try await received(name, redirectedTo: "https://s.example:8443/b") == ["ann-7", nil])
        #expect(try await received(name, redirectedTo: "/b") == ["ann-7", "ann-7"])
    }

    @Test(arguments: ["X-App-Version", "X-Device-Model", "X-Request-Id", "Accept-Language"])
    func otherFieldsGoAlong(name: String) async throws {
        #expect(try await received(name, redirectedTo: "https://other.example/b") == ["ann-7", "ann-7"])
    }
}
