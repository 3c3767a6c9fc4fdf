#if NIO
import NIOCore
import TarmacCore

/// Gathers a body that is wanted in one piece. One chunk is handed on as it came; more are joined.
struct BodyCollector {
    private let limit: Int
    private var first: ByteBuffer?
    private var joined: [UInt8] = []
    private let expected: Int

    /// A server may announce more than it sends: this much is reserved on its word.
    private static let trusted = 1 << 22

    init(limit: Int, announced: Int?) {
        self.limit = limit
        expected = min(announced ?? 0, limit, Self.trusted)
    }

    private var count: Int { joined.isEmpty ? first?.readableBytes ?? 0 : joined.count }

    /// Takes a chunk; `false` when the body is larger than the limit with it.
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

    /// The body.
    consuming func finish() -> Bytes {
        if !joined.isEmpty { return Bytes(joined) }
        return first.map { Bytes($0) } ?? .empty
    }
}
#endif
