import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

struct EndpointNameTests {
    private struct LogIn: Endpoint, Encodable {
        static let route: Route = .post("/login")
        typealias Value = String
        var name: String
    }

    /// What a user typed must not become what a call is called in logs.
    @Test func aParameterCalledNameDoesNotNameTheCall() async throws {
        let stub = StubTransport { _ in .status(.forbidden) }
        let client = Client(stub)
        do {
            _ = try await client.send(LogIn(name: "ann"))
            Issue.record("it was let in")
        } catch let error as TarmacError {
            #expect(error.endpoint == "LogIn")
            #expect(!error.description.contains("ann"))
        }
        #expect(stub.requests.first?.body.buffered == Bytes(#"{"name":"ann"}"#))
        #expect(LogIn(name: "ann").with { $0.timeout = .seconds(3) }.endpointName == "LogIn")
        await client.shutdown()
    }
}
