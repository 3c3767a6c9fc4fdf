import TarmacCore

/// The bytes between a session and a reader, and who waits for them. Touched under the buffer's lock.
struct StreamBufferState {
    typealias Reader = CheckedContinuation<Bytes?, any Error>

    /// What is left to do for a chunk that was taken.
    enum Step {
        case kept
        case answers(Reader)
        /// The session has to stop.
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
    /// Whether a thread hands chunks to the pourer's sink: what comes meanwhile from another waits, and so does the end.
    private var isPouring = false
    private var end: Result<Void, any Error>?
    private var isClosed = false

    init(spills: Bool, highWater: Int) {
        self.spills = spills
        self.highWater = highWater
    }

    /// Says who gets the chunk, or keeps it.
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

    /// The next chunk, the end, or nothing yet: then the reader waits.
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
        // Who pours is told the end by the one that hands it a chunk just now.
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
    /// Who waits.
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

    /// Takes every chunk as it arrives, and waits for the end alone.
    struct Pourer {
        typealias Sink = @Sendable (Bytes) throws -> Void
        typealias Continuation = CheckedContinuation<Void, any Error>
        let sink: Sink
        let continuation: Continuation
    }

    enum PourStep {
        case sink(Bytes, Pourer.Sink)
        /// The session pours what comes.
        case wait
        case done(Pourer.Continuation, Result<Void, any Error>)
    }

    /// What is there goes first, by the caller.
    mutating func pour(_ pourer: Pourer) -> PourStep {
        self.pourer = pourer
        isPouring = true
        return nextPour()
    }

    /// A chunk has gone through the sink, outside of the lock.
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
    /// What did not fit into memory: the bytes from `start` to `end` of a file.
    private struct Spill {
        // Without a name nothing of it is left by a process that is killed.
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

    // An emptied file is given up, so that a reader who has caught up is served from memory again.
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
