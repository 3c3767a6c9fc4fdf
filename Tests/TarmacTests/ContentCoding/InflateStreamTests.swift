import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP

@Suite struct InflateStreamTests {
    /// Hands out the given chunks and counts how many were asked for.
    private final class Chunks: ByteStreamSource {
        private let rest: Locked<[[UInt8]]>
        private let asked = Locked(0)

        init(_ chunks: [[UInt8]]) { rest = Locked(chunks) }

        var askedFor: Int { asked.withLock { $0 } }

        func next() async throws -> Bytes? {
            asked.withLock { $0 += 1 }
            return rest.withLock { $0.isEmpty ? nil : Bytes($0.removeFirst()) }
        }
    }

    private func stream(_ chunks: [[UInt8]]) -> ByteStream { ByteStream { Chunks(chunks) } }

    private func collect(_ stream: ByteStream) async throws -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        for try await piece in stream { pieces.append(piece.array) }
        return pieces
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func everySplitGivesTheSameText(_ size: Int) async throws {
        let coded = Coded.gzip + Coded.gzipWithEveryHeaderField + [0x1F]
        let chunks = stride(from: 0, to: coded.count, by: size).map { Array(coded[$0..<min($0 + size, coded.count)]) }
        let pieces = try await collect(ContentDecoder.inflate(stream(chunks), .gzip, limit: .max))
        #expect(String(decoding: pieces.joined(), as: UTF8.self) == Coded.text + Coded.text)
    }

    @Test func garbageAfterTheEndIsReadAndIgnored() async throws {
        let chunks = [Coded.bareDeflate, [1, 2, 3], [4]]
        let pieces = try await collect(ContentDecoder.inflate(stream(chunks), .deflate, limit: .max))
        #expect(String(decoding: pieces.joined(), as: UTF8.self) == Coded.text)
    }

    @Test func aBombChunkComesInSmallPieces() async throws {
        let bomb = try ContentDecoder.inflate(Bytes(Coded.zerosInGzipTwice), .gzip, limit: .max).array
        let chunk = Array(repeatElement(bomb, count: 32).joined())
        var (total, largest) = (0, 0)
        for try await piece in ContentDecoder.inflate(stream([chunk]), .gzip, limit: .max) {
            total += piece.count
            largest = max(largest, piece.count)
        }
        #expect(total == 32 * Coded.mebibyte)
        #expect(largest == 65_536)
    }

    @Test func noChunkIsAskedForBeforeTheLastIsDelivered() async throws {
        let bomb = try ContentDecoder.inflate(Bytes(Coded.zerosInGzipTwice), .gzip, limit: .max).array
        let source = Chunks([bomb, bomb])
        var iterator = ContentDecoder.inflate(ByteStream { source }, .gzip, limit: .max).makeAsyncIterator()
        var received = 0
        while received < Coded.mebibyte, let piece = try await iterator.next() { received += piece.count }
        #expect(source.askedFor == 1)
        _ = try await iterator.next()
        #expect(source.askedFor == 2)
    }

    @Test func theLimitEndsTheStreamAndLetsGoOfTheSource() async throws {
        let bomb = try ContentDecoder.inflate(Bytes(Coded.zerosInGzipTwice), .gzip, limit: .max).array
        struct Reference { weak var source: Chunks? }
        let reference = Locked(Reference())
        let coded = ByteStream {
            let made = Chunks([bomb, bomb])
            reference.withLock { $0.source = made }
            return made
        }
        var iterator = ContentDecoder.inflate(coded, .gzip, limit: 200_000).makeAsyncIterator()
        var received = 0
        let error = await #expect(throws: TarmacError.self) {
            while let piece = try await iterator.next() { received += piece.count }
        }
        #expect(error?.code == .bodyTooLarge)
        #expect(received <= 200_000)
        #expect(reference.withLock { $0.source == nil })
        await #expect(throws: TarmacError.self) { try await iterator.next() }
    }

    @Test(arguments: [0, 1, 40])
    func aStreamThatStopsInTheMiddleIsUndecodable(_ cut: Int) async {
        let half = Array(Coded.gzip.dropLast(cut + 1))
        let error = await #expect(throws: TarmacError.self) {
            try await collect(ContentDecoder.inflate(stream([half]), .gzip, limit: .max))
        }
        #expect(error?.code == .undecodableContent)
    }

    @Test func afterTheEndThereIsNothing() async throws {
        var iterator = ContentDecoder.inflate(stream([Coded.gzip]), .gzip, limit: .max).makeAsyncIterator()
        while try await iterator.next() != nil {}
        #expect(try await iterator.next() == nil)
    }
}
