import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
import TarmacCache
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacSQLite
import TarmacStreams

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Parts that are larger than a chunk of the database, completed by streams: the store gives up the stored bytes when they
/// are replaced or removed, and they are still to be read.
@Suite("Large parts of bodies", .timeLimit(.minutes(5)))
struct LargePartTests {
    private static let body: [UInt8] = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    private static let parts = ["bytes=0-399999", "bytes=700000-1048575"]
    private static let fresh: HTTPFields = [.cacheControl: "max-age=600", .eTag: "\"e\""]

    private let files = CacheFiles()

    /// Answers with the range that was asked for. The third answer has other fields.
    private func stub(third: HTTPFields = [:]) -> StubTransport {
        let count = Watched(0)
        return StubTransport { request in
            let number = count.update { count in
                count += 1
                return count
            }
            let bounds = (request.headers[.range] ?? "bytes=0-").dropFirst(6).split(separator: "-").compactMap { Int($0) }
            let range = bounds[0]..<(bounds.count == 2 ? bounds[1] + 1 : Self.body.count)
            var response = Response.stream(ByteStream { Pieces(Self.body[range]) }, headers: Self.fresh)
            if number == 3 { for field in third { response.headers[field.name] = field.value } }
            response.status = range.count == Self.body.count ? .ok : .partialContent
            if response.status == .partialContent { response.headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(Self.body.count)" }
            return response
        }
    }

    private func client(_ stub: StubTransport) throws -> Client {
        let store = try files.open(limit: 16 << 20)
        return Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: ManualTime(date: CacheFiles.date)) {
            ($0.cache, $0.cacheStore, $0.retry) = (.http, .store(store), .never)
        }
    }

    private func read(_ client: Client, _ range: String? = nil, each: (Int) async throws -> Void = { _ in }) async throws -> [UInt8] {
        let bytes = Watched<[UInt8]>([])
        try await client.stream(.get("/t", as: String.self), configure: { ($0.headers["Range"], $0.headers["Accept-Language"]) = (range, "de") }) { response in
            for try await chunk in response.body {
                bytes.update { $0 += chunk.array }
                try await each(bytes.value.count)
            }
        }
        return bytes.value
    }

    /// A client whose store has the beginning and the end of the body.
    private func client(third: HTTPFields = [:]) async throws -> (Client, StubTransport) {
        let stub = stub(third: third), client = try client(stub)
        for part in Self.parts {
            _ = try await read(client, part)
            try await client.cache.flush()
        }
        #expect(try await client.cache.entries().first?.part?.gaps == [400_000..<700_000])
        return (client, stub)
    }

    private func entries(_ client: Client) async throws -> [CacheEntry] {
        try await client.cache.flush()
        return try await client.cache.entries()
    }

    @Test func aGapIsStreamed() async throws {
        let (client, stub) = try await client()
        #expect(try await read(client) == Self.body)
        #expect(stub.requests.last?.headers[.range] == "bytes=400000-699999")
        let entries = try await entries(client)
        #expect(entries.map(\.bodyLength) == [1 << 20] && entries.first?.part == nil)
        #expect(try await read(client) == Self.body)
        #expect(stub.requests.count == 3)
    }

    // RFC 9111 §5.2.2.5
    @Test func aGapThatMustNotBeStoredIsStreamedAndThePartsAreRemoved() async throws {
        let (client, stub) = try await client(third: [.cacheControl: "no-store"])
        #expect(try await read(client) == Self.body)
        #expect(try await entries(client).isEmpty)
        #expect(stub.requests.count == 3)
    }

    @Test func aReaderWhoLeavesKeepsNothingThatMustNotBeStored() async throws {
        struct Left: Error {}
        let (client, _) = try await client(third: [.cacheControl: "no-store"])
        await #expect(throws: (any Error).self) { try await read(client) { _ in throw Left() } }
        #expect(try await entries(client).isEmpty)
    }

    @Test func aGapOfAnotherVariantIsStreamed() async throws {
        let (client, stub) = try await client(third: [.vary: "Accept-Language"])
        #expect(try await read(client) == Self.body)
        let entries = try await entries(client)
        #expect(entries.map(\.variant) == ["accept-language:de"] && entries.first?.part == nil)
        #expect(try await read(client) == Self.body)
        #expect(stub.requests.count == 3)
    }

    @Test func twoCallsMayFillTheSameGap() async throws {
        let (client, stub) = try await client()
        let other = Watched<[UInt8]>([])
        let own = try await read(client) { count in
            // The other call replaces the entry while this one still reads its first bytes.
            guard other.value.isEmpty, count < 400_000 else { return }
            let bytes = try await read(client)
            other.update { $0 = bytes }
            try await client.cache.flush()
        }
        #expect(own == Self.body && other.value == Self.body)
        #expect(stub.requests.count == 4)
        #expect(try await entries(client).map(\.part) == [nil])
    }

    /// Nothing that a store could use in place of the removed entry.
    @Test func aPartThatIsRemovedWhileItIsReadIsAnError() async throws {
        let (client, _) = try await client()
        let error = await #expect(throws: TarmacError.self) {
            try await read(client) { _ in try await client.cache.removeAll() }
        }
        #expect(error?.code == .storeFailed)
    }
}

private final class Pieces: ByteStreamSource {
    private let rest: Watched<ArraySlice<UInt8>>

    init(_ bytes: ArraySlice<UInt8>) { rest = Watched(bytes) }

    func next() async -> Bytes? {
        rest.update { rest in
            let piece = rest.prefix(50_000)
            rest = rest.dropFirst(piece.count)
            return piece.isEmpty ? nil : Bytes(Array(piece))
        }
    }
}
