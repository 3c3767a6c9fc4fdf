#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacJSON
import TarmacStreams
import Testing

/// What httpbin answers.
@Suite("httpbin: responses", .interop, .timeLimit(.minutes(5)))
struct HTTPBinResponseTests {
    @Test(arguments: TransportChoice.allCases, [("/gzip", "gzipped"), ("/deflate", "deflated")])
    func compressedBodiesAreInflated(_ transport: TransportChoice, _ coding: (path: String, mark: String)) async throws {
        try await transport.httpbin { client in
            let landed = try await client.send(.get(coding.path, as: JSON.self))
            #expect(landed[coding.mark].bool == true)
        }
    }

    @Test(arguments: TransportChoice.allCases, [200, 201, 202, 204, 400, 403, 404, 409, 418, 422, 429, 500, 502, 503])
    func statusIsTold(_ transport: TransportChoice, _ code: Int) async throws {
        try await transport.httpbin { client in
            let url = try HTTPURL("\(InteropServers.required().httpbin)/status/\(code)")
            #expect(try await client.send(raw: Request(.get, url)).status.code == code)
            if (200..<300).contains(code) {
                try await client.send(.get("/status/{code}", ["code": code]))
            } else {
                let error = try await #require(throws: TarmacError.self) {
                    try await client.send(.get("/status/{code}", ["code": code]))
                }
                #expect(error.code == .unacceptableStatus)
                #expect(error.status?.code == code)
            }
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func askedForFieldsAreThere(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let landed = try await client.landed(for: .get("/response-headers", ["X-Gate": "A1", "Freeform": "yes"], as: JSON.self))
            #expect(landed.headers[try #require(HTTPField.Name("X-Gate"))] == "A1")
            #expect(landed.headers[try #require(HTTPField.Name("Freeform"))] == "yes")
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func cookiesAreNotKept(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let landed = try await client.landed(for: .get("/cookies/set", ["flight": "TM1"], as: JSON.self))
            #expect(landed.url.path == "/cookies")
            #expect(try landed.json["cookies"].object?.isEmpty == true)
            #expect(try await client.send(.get("/cookies", as: JSON.self))["cookies"].object?.isEmpty == true)
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func aSlowAnswerMeetsTheTimeout(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let error = try await #require(throws: TarmacError.self) {
                try await client.send(.get("/delay/5")) { $0.timeout = .milliseconds(300) }
            }
            #expect(error.code == .timeout)
            #expect(try await client.send(.get("/delay/1", as: JSON.self))["url"].string?.hasSuffix("/delay/1") == true)
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func chunkedBytesArriveWhole(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let letters = try await client.send(.get("/range/100000", ["chunk_size": 1000], as: String.self))
            #expect(letters.utf8.elementsEqual((0..<100_000).map { UInt8(ascii: "a") + UInt8($0 % 26) }))
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func drippingBytesStream(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let count = try await client.stream(.get("/drip", ["numbytes": 10, "duration": 1, "delay": 0])) { response in
                var count = 0
                for try await chunk in response.body { count += chunk.count }
                return count
            }
            #expect(count == 10)
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func leavingAStreamEarlyLeavesTheClientUsable(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let first = try await client.stream(.get("/drip", ["numbytes": 20, "duration": 10, "delay": 0])) { response in
                for try await chunk in response.body { return chunk.count }
                return 0
            }
            #expect(first > 0)
            try await client.send(.get("/get"))
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func linesOfJSONStream(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let text = try await client.send(.get("/stream/20", as: String.self))
            #expect(text.split(separator: "\n").count == 20)
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func textAndImagesLand(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let text = try await client.send(.get("/encoding/utf8", as: String.self))
            #expect(text.contains("∮ E⋅da"))
            let image = try await client.send(.get("/image/png", as: Data.self))
            #expect(image.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func aPageIsNoJSON(_ transport: TransportChoice) async throws {
        try await transport.httpbin { client in
            let error = try await #require(throws: TarmacError.self) { try await client.send(.get("/html", as: JSON.self)) }
            #expect(error.code == .unacceptableContentType)
        }
    }
}
#endif
