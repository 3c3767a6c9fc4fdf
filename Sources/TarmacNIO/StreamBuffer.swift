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
    /// Whether the last chunk is a copy, which small ones can be appended to.
    private var isLastOwn = false
    /// A chunk below this size is copied: what it is a slice of may be much larger.
    private static let small = 4_096

    /// Whether the reader would have to wait.
    var isEmpty: Bool { chunks.isEmpty && ending == nil }

    /// Adds a chunk. Returns `true` if the connection should stop reading.
    mutating func push(_ chunk: ByteBuffer) -> Bool {
        guard chunk.readableBytes > 0 else { return isPaused }
        size += chunk.readableBytes
        if chunk.readableBytes < Self.small || BodyCollector.isSmallPart(chunk) { copy(chunk) } else { append(chunk, isOwn: false) }
        if size >= Self.high { isPaused = true }
        return isPaused
    }

    private mutating func append(_ chunk: ByteBuffer, isOwn: Bool) {
        chunks.append(chunk)
        isLastOwn = isOwn
    }

    private mutating func copy(_ chunk: ByteBuffer) {
        if isLastOwn, !chunks.isEmpty, chunks[chunks.index(before: chunks.endIndex)].readableBytes < Self.small {
            chunks[chunks.index(before: chunks.endIndex)].writeImmutableBuffer(chunk)
        } else {
            var own = ByteBufferAllocator().buffer(capacity: chunk.readableBytes)
            own.writeImmutableBuffer(chunk)
            append(own, isOwn: true)
        }
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
