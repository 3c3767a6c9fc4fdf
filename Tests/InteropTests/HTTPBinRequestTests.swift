#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacJSON
import Testing

/// What httpbin says it received.
@Suite("httpbin: requests", .interop, .timeLimit(.minutes(5)))
struct HTTPBinRequestTests {
    @Test(arguments: TransportChoice.allCases, ["GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"])
    func methodArrives(_ transport: TransportChoice, _ method: String) async throws {
        try await transport.httpbin { client in
            let call = InlineEndpoint(.method(method, "/anything"), landing: Landing<JSON>.json)
            let landed = try await client.send(call)
            #expect(landed["method"].string == method)
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func headLandsWithoutBody(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let landed = try await client.landed(for: .head("/get"))
            #expect(landed.status == .ok)
            #expect(landed.response.body.collected?.count == 0)
            #expect(landed.headers[.contentLength].flatMap { Int($0) } ?? 0 > 0)
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func optionsNamesWhatIsAllowed(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let allowed = try await client.landed(for: .options("/get")).headers[.allow]
            #expect(allowed?.contains("GET") == true)
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func queryArrivesAsItWas(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let echo = try await client.send(.get("/get", ["q": "a b&c=d+e/ü", "page": 2, "tag": ["x", "y"]], as: JSON.self))
            #expect(echo["args"]["q"].string == "a b&c=d+e/ü")
            #expect(echo["args"]["page"].string == "2")
            #expect(echo["args"]["tag"].array?.compactMap(\.string) == ["x", "y"])
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func bodiesArriveInBothFormats(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let json = try await client.send(.post("/post", ["name": "停机坪", "count": 3], as: JSON.self))
            #expect(json["json"]["name"].string == "停机坪")
            #expect(json["json"]["count"].int == 3)
            let form = try await client.send(.post("/post", ["name": "停机坪 & more"], as: JSON.self)) { $0.bodyFormat = .form }
            #expect(form["form"]["name"].string == "停机坪 & more")
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func headerFieldsArrive(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let echo = try await client.send(.get("/headers", as: JSON.self)) {
                $0.headers["X-Tower"] = "cleared; runway=\"27L\""
                $0.userAgent = "Interop/1.0"
            }
            #expect(echo["headers"]["X-Tower"].string == "cleared; runway=\"27L\"")
            #expect(echo["headers"]["User-Agent"].string == "Interop/1.0")
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func basicCredentialsOpenTheDoor(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let credentials = Data("ann:wing".utf8).base64EncodedString()
            let open = try await client.send(.get("/basic-auth/ann/wing", as: JSON.self)) {
                $0.headers["Authorization"] = "Basic \(credentials)"
            }
            #expect(open["authenticated"].bool == true)
            let error = try await #require(throws: TarmacError.self) {
                try await client.send(.get("/basic-auth/ann/wing", as: JSON.self))
            }
            #expect(error.code == .unacceptableStatus)
            #expect(error.status == .unauthorized)
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func aStreamOfUnknownLengthArrivesWhole(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let line = Bytes(String(repeating: "0123456789abcdef", count: 1024))
            let chunks = AsyncStream { continuation in
                for _ in 0..<16 { continuation.yield(line) }
                continuation.finish()
            }
            let body = Body.stream(ByteStream(chunks), contentType: "text/plain")
            let echo = try await client.send(.post("/anything", body: body, as: JSON.self))
            #expect(echo["data"].string?.utf8.count == 16 * line.count)
        }
    }
}
#endif
