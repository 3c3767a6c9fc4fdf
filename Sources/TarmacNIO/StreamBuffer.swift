#if NIO
import NIOCore

/// The bytes between a connection and the reader of a streamed body. The buffer is bounded, keeps the order,
/// and ends once.
struct StreamBuffer {
    /// The next step of the reader.
    enum Step {
        /// A chunk. `resumesReading` states that the connection waits for room and there is room again.
        case chunk(ByteBuffer, resumesReading: Bool)
        case end
        case failed(any Error)
        /// There is no chunk yet.
        case wait
    }

    private enum Ending { case end, failed(any Error) }

    /// Reading stops above `high` bytes and continues below `low`.
    static let high = 512 * 1024
    static let low = 128 * 1024

    private var chunks = CircularBuffer<ByteBuffer>(initialCapacity: 8)
    private var size = 0
    private var isPaused = false
    private var ending: Ending?

    /// Whether the reader would have to wait.
    var isEmpty: Bool { chunks.isEmpty && ending == nil }

    /// Adds a chunk. Returns `true` if the connection should stop reading.
    mutating func push(_ chunk: ByteBuffer) -> Bool {
        guard chunk.readableBytes > 0 else { return isPaused }
        chunks.append(chunk)
        size += chunk.readableBytes
        if size >= Self.high { isPaused = true }
        return isPaused
    }

    /// Ends the body. Buffered bytes are still delivered.
    mutating func finish() { if ending == nil { ending = .end } }

    /// Ends the body with an error of the connection, which follows the buffered bytes.
    mutating func fail(_ error: any Error) { if ending == nil { ending = .failed(error) } }

    /// Aborts the body. Buffered bytes are dropped.
    mutating func abort(_ error: any Error) {
        chunks.removeAll()
        size = 0
        ending = .failed(error)
    }

    mutating func next() -> Step {
        if let chunk = chunks.popFirst() {
            size -= chunk.readableBytes
            let resumes = isPaused && size <= Self.low
            if resumes { isPaused = false }
            return .chunk(chunk, resumesReading: resumes)
        }
        return switch ending {
        case .end: .end
        case .failed(let error): .failed(error)
        case nil: .wait
        }
    }
}
#endif
