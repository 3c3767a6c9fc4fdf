#if Tools
import HTTPTypes
import Tarmac
import TarmacJSON
import Testing

@Suite("httpbin: redirects", .interop, .timeLimit(.minutes(5)))
struct HTTPBinRedirectTests {
    @Test(arguments: TransportChoice.allCases, ["redirect", "relative-redirect", "absolute-redirect"])
    func hopsAreFollowed(_ transport: TransportChoice, _ kind: String) async throws {
        try await transport.httpbin { client in
            let landed = try await client.landed(for: .get("/\(kind)/3", as: JSON.self))
            #expect(landed.url.path == "/get")
            #expect(landed.attempts == 4)
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func theLimitHolds(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let error = try await #require(throws: TarmacError.self) {
                try await client.send(.get("/relative-redirect/4")) { $0.redirects = .follow(limit: 2) }
            }
            #expect(error.code == .redirectRefused && error.reason.contains("the limit"))
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func aRedirectCanBeTheAnswer(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let url = try HTTPURL("\(InteropServers.required().httpbin)/relative-redirect/1")
            let response = try await client.send(raw: Request(.get, url)) { $0.redirects = .off }
            #expect(response.status == .found)
            #expect(response.headers[.location] == "/get")
        }
    }

    @Test(arguments: TransportChoice.allCases, [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func aPostBecomesWhatTheStatusAsks(_ transport: TransportChoice, _ rule: (status: Int, method: String)) async throws {
        try await transport.httpbin { client in
            let call = InlineEndpoint(
                .post("/redirect-to{?url,status_code}"), ["url": "/anything", "status_code": rule.status, "name": "ann"],
                landing: Landing<JSON>.json)
            let echo = try await client.send(call)
            #expect(echo["method"].string == rule.method)
            #expect(echo["json"]["name"].string == (rule.method == "POST" ? "ann" : nil))
        }
    }
}
#endif
