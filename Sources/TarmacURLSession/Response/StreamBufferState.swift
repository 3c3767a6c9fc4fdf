import TarmacCore

/// The bytes between a session and a reader, and the waiting readers. The lock of the buffer protects it.
struct StreamBufferState {
    typealias Reader = CheckedContinuation<Bytes?, any Error>

    /// The remaining work for an accepted chunk.
    enum Step {
        case kept
        case answers(Reader)
        /// The session must be suspended.
        case holds
        case pours(Pourer.Sink)
    }

    let spills: Bool
    let highWater: Int
    private var chunks: [Bytes] = []
    private var first = 0
    private var buffered = 0
    private var spill: Spill?
    private var isHeld = false
    private var reader: Reader?
    private var pourer: Pourer?
    /// Whether a thread is passing chunks to the pourer's sink. Chunks from other threads and the end wait for
    /// it.
    private var isPouring = false
    private var end: Result<Void, any Error>?
    private var isClosed = false

    init(spills: Bool, highWater: Int) {
        self.spills = spills
        self.highWater = highWater
    }

    /// Returns the receiver of a chunk, or keeps the chunk.
    mutating func append(_ chunk: Bytes) throws(TarmacError) -> Step {
        guard !isClosed, end == nil else { return .kept }
        if let reader = reader.take() { return .answers(reader) }
        if let pourer, !isPouring {
            isPouring = true
            return .pours(pourer.sink)
        }
        if spills, spill != nil || buffered + chunk.count > highWater {
            try spill(chunk)
            return .kept
        }
        chunks.append(chunk)
        buffered += chunk.count
        guard !spills, buffered >= highWater, !isHeld else { return .kept }
        isHeld = true
        return .holds
    }

    /// Returns the next chunk or the end. Otherwise the reader waits.
    mutating func next(for reader: Reader) -> (answer: Result<Bytes?, any Error>?, releases: Bool) {
        if isClosed, end == nil { return (.failure(CancellationError()), false) }
        if first < chunks.count { return (.success(takeChunk()), release(below: highWater / 2)) }
        if let spilled = readSpill() { return (spilled, false) }
        if let end { return (end.map { nil }, false) }
        self.reader = reader
        return (nil, false)
    }

    mutating func finish(_ result: Result<Void, any Error>) -> Waiter? {
        guard !isClosed, end == nil else { return nil }
        end = result
        return takeWaiter()
    }

    mutating func fail(_ error: any Error) -> (waiter: Waiter?, releases: Bool) {
        guard !isClosed else { return (nil, false) }
        end = .failure(error)
        drop()
        return (takeWaiter(), release(below: .max))
    }

    mutating func close() -> (isFirst: Bool, waiter: Waiter?, releases: Bool) {
        guard !isClosed else { return (false, nil, false) }
        isClosed = true
        drop()
        return (true, takeWaiter(), release(below: .max))
    }

    private mutating func takeWaiter() -> Waiter? {
        if let reader = reader.take() { return .reader(reader) }
        // The thread that is passing a chunk to the sink reports the end to the pourer.
        return isPouring ? nil : pourer.take().map { .pourer($0.continuation) }
    }

    private mutating func takeChunk() -> Bytes {
        let chunk = chunks[first]
        chunks[first] = .empty
        first += 1
        buffered -= chunk.count
        if first == chunks.count {
            chunks.removeAll(keepingCapacity: true)
            first = 0
        }
        return chunk
    }

    private mutating func release(below limit: Int) -> Bool {
        guard isHeld, buffered <= limit else { return false }
        isHeld = false
        return true
    }

    private mutating func drop() {
        chunks = []
        first = 0
        buffered = 0
        spill = nil
    }
}

extension StreamBufferState {
    /// The task that waits.
    enum Waiter {
        case reader(Reader)
        case pourer(Pourer.Continuation)

        func end(with result: Result<Void, any Error>) {
            switch self {
            case .reader(let reader): reader.resume(with: result.map { nil })
            case .pourer(let pourer): pourer.resume(with: result)
            }
        }
    }

    /// A reader that receives every chunk as it arrives, and waits only for the end.
    struct Pourer {
        typealias Sink = @Sendable (Bytes) throws -> Void
        typealias Continuation = CheckedContinuation<Void, any Error>
        let sink: Sink
        let continuation: Continuation
    }

    enum PourStep {
        case sink(Bytes, Pourer.Sink)
        /// The session passes on the chunks that arrive.
        case wait
        case done(Pourer.Continuation, Result<Void, any Error>)
    }

    /// Starts to pass chunks on. The caller passes on the buffered chunks first.
    mutating func pour(_ pourer: Pourer) -> PourStep {
        self.pourer = pourer
        isPouring = true
        return nextPour()
    }

    /// Notes that a chunk has been passed to the sink, outside of the lock.
    mutating func poured(_ result: Result<Void, any Error>) -> PourStep {
        if case .failure = result { return endPour(result) }
        return nextPour()
    }

    private mutating func nextPour() -> PourStep {
        guard let pourer else { return .wait }
        if isClosed, end == nil { return endPour(.failure(CancellationError())) }
        if first < chunks.count { return .sink(takeChunk(), pourer.sink) }
        if let spilled = readSpill() {
            do { return .sink(try spilled.get() ?? .empty, pourer.sink) } catch { return endPour(.failure(error)) }
        }
        if let end { return endPour(end) }
        isPouring = false
        return .wait
    }

    private mutating func endPour(_ result: Result<Void, any Error>) -> PourStep {
        isPouring = false
        return pourer.take().map { .done($0.continuation, result) } ?? .wait
    }
}

extension StreamBufferState {
    /// The bytes that do not fit into memory: those from `start` to `end` of a file.
    private struct Spill {
        // The file has no name, so a killed process leaves nothing behind.
        let file: TemporaryFile
        var start: Int64 = 0
        var end: Int64 = 0
    }

    private mutating func spill(_ chunk: Bytes) throws(TarmacError) {
        var spill = if let spill { spill } else { Spill(file: try TemporaryFile(isNamed: false)) }
        try chunk.withUnsafeBytes { bytes throws(TarmacError) in try spill.file.write(bytes, at: spill.end) }
        spill.end += Int64(chunk.count)
        self.spill = spill
    }

    // An empty file is closed, so that a reader that has caught up reads from memory again.
    private mutating func readSpill() -> Result<Bytes?, any Error>? {
        guard var spill else { return nil }
        do {
            let chunk = try spill.file.read(Int(min(spill.end - spill.start, Int64(highWater / 4))), at: spill.start)
            spill.start += Int64(chunk.count)
            self.spill = spill.start < spill.end ? spill : nil
            return .success(chunk)
        } catch {
            return .failure(error)
        }
    }
}
