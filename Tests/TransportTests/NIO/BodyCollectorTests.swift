#if NIO
import NIOCore
import Tarmac
@testable import TarmacNIO
import Testing

/// Over HTTP/2, the responses that arrive together are slices of one buffer.
struct BodyCollectorTests {
    private static func collect(_ count: Int, of buffer: ByteBuffer) throws -> Bytes {
        var collector = BodyCollector(limit: .max, announced: count)
        let chunk = try #require(buffer.getSlice(at: 7, length: count))
        let isTaken = collector.append(chunk)
        #expect(isTaken)
        return collector.finish()
    }

    private static func shares(_ body: Bytes, _ buffer: ByteBuffer) -> Bool {
        buffer.withUnsafeReadableBytes { whole in
            body.withUnsafeBytes { part in part.baseAddress.map { whole.baseAddress! <= $0 && $0 < whole.baseAddress! + whole.count } ?? false }
        }
    }

    @Test func keptBodyDoesNotKeepTheBufferOfItsConnection() throws {
        let buffer = ByteBuffer(repeating: 120, count: 65_536)
        let body = try Self.collect(200, of: buffer)
        #expect(body == Bytes(String(repeating: "x", count: 200)))
        #expect(!Self.shares(body, buffer))
    }

    @Test(arguments: [(65_536, 60_000), (2_048, 200)]) func bodyThatFillsItsBufferIsNotCopied(size: Int, count: Int) throws {
        let buffer = ByteBuffer(repeating: 120, count: size)
        #expect(Self.shares(try Self.collect(count, of: buffer), buffer))
    }

    /// A reader that pauses would keep a read buffer for each event.
    @Test(arguments: [1, 20, 3_000]) func aStreamThatWaitsKeepsLittleMoreThanItsBytes(size: Int) throws {
        var stream = TarmacNIO.StreamBuffer(), count = 0
        while count < 200_000 {
            let buffer = ByteBuffer(repeating: 120, count: 65_536)
            _ = stream.push(try #require(buffer.getSlice(at: 7, length: size)))
            count += size
        }
        stream.finish()
        var (bytes, kept) = (0, 0)
        while case .chunk(let chunk, _) = stream.next() {
            bytes += chunk.readableBytes
            kept += chunk.storageCapacity
            #expect(chunk.readableBytesView.allSatisfy { $0 == 120 })
        }
        #expect(bytes == count && kept < 3 * bytes)
    }
}
#endif
