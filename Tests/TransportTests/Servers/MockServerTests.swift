#if MockServer && NIO
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacJSON
import TarmacNIO
import TarmacTesting
import TarmacURLSession
import Testing

struct MockServerTests {
    @Test(arguments: [TransportFactory.asyncHTTPClient, .urlSession])
    func answersByMethodAndPathAndRemembersWhatCame(_ transport: TransportFactory) async throws {
        try await MockServer.run(
            .get("/users/7") { _ in .json(#"{"name": "Ann"}"#) }, .post("/users") { .json(String(decoding: try bytes($0), as: UTF8.self)) }
        ) { server in
            try await withClient(transport: transport) { client in
                let user = try await client.get("\(server.url.string)users/{id}", ["id": 7, "q": "a&b=c d"], as: JSON.self)
                #expect(user["name"].string == "Ann")
                let made = try await client.post("\(server.url.string)users", ["name": "Bo"], as: JSON.self)
                #expect(made["name"].string == "Bo")
            }
            let seen = try await server.received(count: 2)
            #expect(seen.map(\.method) == [.get, .post])
            #expect(seen[0].url.query == "q=a%26b%3Dc%20d")
            #expect(seen[1].headers[.contentType] == "application/json")
        }
    }

    @Test func whatHasNoRouteIsA404ThatNamesIt() async throws {
        try await MockServer.run { server in
            await withClient(transport: .asyncHTTPClient) { client in
                let error = await #expect(throws: TarmacError.self) { try await client.get("\(server.url.string)nowhere") }
                #expect(error?.response?.status == .notFound)
                #expect(error?.response.map { String(decoding: $0.body.array, as: UTF8.self) }?.contains("GET /nowhere") == true)
            }
        }
    }

    @Test func streamsArriveInPiecesAndHeadHasNoBody() async throws {
        try await MockServer.run(
            .get("/stream") { _ in .chunks(["one", "two"]) }, .init(.head, "/page") { _ in .text("four") }
        ) { server in
            try await withClient(transport: .asyncHTTPClient) { client in
                #expect(try await client.get("\(server.url.string)stream", as: String.self) == "onetwo")
                let head = try await client.landed(for: .head("\(server.url.string)page"))
                #expect(head.headers[.contentLength] == "4")
            }
        }
    }

    private func bytes(_ request: Request) throws -> [UInt8] {
        guard case .bytes(let bytes) = request.body.content else { return [] }
        return bytes.array
    }
}
#endif
