#if NIO
import NIOCore
import TarmacCore

/// Collects a body that is delivered at once. A single chunk is passed on without a copy, unless most of its buffer is something else, and
/// several chunks are joined.
struct BodyCollector {
    private let limit: Int
    private var first: ByteBuffer?
    private var joined: [UInt8] = []
    private let expected: Int

    /// The maximum memory to reserve for an announced length. A server may announce more than it sends.
    private static let trusted = 1 << 22

    init(limit: Int, announced: Int?) {
        self.limit = limit
        expected = min(announced ?? 0, limit, Self.trusted)
    }

    private var count: Int { joined.isEmpty ? first?.readableBytes ?? 0 : joined.count }

    /// Appends a chunk. Returns `false` if the body is then larger than the limit.
    mutating func append(_ chunk: ByteBuffer) -> Bool {
        guard chunk.readableBytes <= limit - count else { return false }
        if first == nil {
            first = chunk
        } else {
            join(chunk)
        }
        return true
    }

    private mutating func join(_ chunk: ByteBuffer) {
        if joined.isEmpty, let first {
            joined.reserveCapacity(max(expected, 2 * (first.readableBytes + chunk.readableBytes)))
            joined.append(contentsOf: first.readableBytesView)
        }
        joined.append(contentsOf: chunk.readableBytesView)
    }

    /// Returns the body.
    consuming func finish() -> Bytes {
        if !joined.isEmpty { return Bytes(joined) }
        guard let first else { return .empty }
        return Self.isSmallPart(first) ? Bytes(Array(first.readableBytesView)) : Bytes(first)
    }

    /// Whether a cache that keeps the chunk would keep a buffer that is much larger. A connection reads into one buffer, over HTTP/2 for all
    /// its streams, and each body is a slice of it.
    static func isSmallPart(_ chunk: ByteBuffer) -> Bool {
        chunk.storageCapacity > 4_096 && chunk.storageCapacity / 4 > chunk.readableBytes
    }
}
#endif
