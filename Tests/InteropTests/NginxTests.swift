#if Tools
import Foundation
import HTTPTypes
import Tarmac
import TarmacJSON
import Testing

@Suite("nginx", .interop, .timeLimit(.minutes(3)))
struct NginxTests {
    @Test(arguments: TransportChoice.allCases)
    func aLargeFileLandsUnchanged(_ transport: TransportChoice) async throws {
        let original = try InteropServers.required().largeFile
        try await withTemporaryFile { path in
            try await transport.nginx { client in
                let landed = try await client.send(Download(.get("/large.bin"), to: path))
                #expect(landed.response.status == .ok)
            }
            #expect(FileManager.default.contentsEqual(atPath: path, andPath: original))
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func aFileComesBackAsItWasPut(_ transport: TransportChoice) async throws {
        let bytes = Bytes((0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
        try await withTemporaryFile { path in
            try bytes.data.write(to: URL(fileURLWithPath: path))
            try await transport.nginx { client in
                let name = "/dav/\(UUID().uuidString)"
                try await client.send(.put(name, body: try .file(path)))
                #expect(try await client.send(.get(name, as: Data.self)) == bytes.data)
                try await client.send(.delete(name))
                let error = try await #require(throws: TarmacError.self) { try await client.send(.get(name)) }
                #expect(error.status == .notFound)
            }
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func jsonComesCompressedAndLandsWhole(_ transport: TransportChoice) async throws {
        try await transport.nginx { client in
            let json = try await client.send(.get("/hello.json", as: JSON.self))
            #expect(json["greeting"].string == "hello")
            #expect(json["numbers"].array?.count == 2001)
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func aRangeIsAPart(_ transport: TransportChoice) async throws {
        try await transport.nginx { client in
            let url = try HTTPURL("\(InteropServers.required().nginx)/large.bin")
            let response = try await client.send(raw: Request(.get, url, headers: [.range: "bytes=100-199"]))
            #expect(response.status == .partialContent)
            #expect(response.body.collected?.count == 100)
            #expect(response.headers[.contentRange]?.hasPrefix("bytes 100-199/") == true)
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func anUnchangedFileIsNotSentAgain(_ transport: TransportChoice) async throws {
        try await transport.nginx { client in
            let url = try HTTPURL("\(InteropServers.required().nginx)/large.bin")
            let tag = try #require(try await client.send(raw: Request(.head, url)).headers[.eTag])
            let response = try await client.send(raw: Request(.get, url, headers: [.ifNoneMatch: tag]))
            #expect(response.status == .notModified)
            #expect(response.body.collected?.count == 0)
        }
    }

    @Test(arguments: TransportChoice.allCases)
    func manyCallsAtOnceLandOnce(_ transport: TransportChoice) async throws {
        try await transport.nginx { client in
            let landed = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<200 { group.addTask { try await client.send(.get("/protocol", as: String.self)) } }
                return try await group.reduce(into: [String]()) { $0.append($1) }
            }
            #expect(landed == Array(repeating: "HTTP/1.1", count: 200))
        }
    }

    private func withTemporaryFile(_ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }
}
#endif
