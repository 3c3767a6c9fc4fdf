import Tarmac

/// The bytes between a session and a reader, and who waits for them. Touched under the buffer's lock.
struct StreamBufferState {
    typealias Reader = CheckedContinuation<Bytes?, any Error>

    let spills: Bool
    let highWater: Int
    private var chunks: [Bytes] = []
    private var first = 0
    private var buffered = 0
    private var spill: Spill?
    private var isHeld = false
    private var reader: Reader?
    private var end: Result<Void, any Error>?
    private var isClosed = false

    init(spills: Bool, highWater: Int) {
        self.spills = spills
        self.highWater = highWater
    }

    /// Hands the chunk to a waiting reader, or keeps it; `holds` when the session has to stop.
    mutating func append(_ chunk: Bytes) throws(TarmacError) -> (reader: Reader?, holds: Bool) {
        guard !isClosed, end == nil else { return (nil, false) }
        if let reader = reader.take() { return (reader, false) }
        if spills, spill != nil || buffered + chunk.count > highWater {
            try spill(chunk)
            return (nil, false)
        }
        chunks.append(chunk)
        buffered += chunk.count
        guard !spills, buffered >= highWater, !isHeld else { return (nil, false) }
        isHeld = true
        return (nil, true)
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

    mutating func finish(_ result: Result<Void, any Error>) -> Reader? {
        guard !isClosed, end == nil else { return nil }
        end = result
        return reader.take()
    }

    mutating func fail(_ error: any Error) -> (reader: Reader?, releases: Bool) {
        guard !isClosed else { return (nil, false) }
        end = .failure(error)
        drop()
        return (reader.take(), release(below: .max))
    }

    mutating func close() -> (isFirst: Bool, reader: Reader?, releases: Bool) {
        guard !isClosed else { return (false, nil, false) }
        isClosed = true
        drop()
        return (true, reader.take(), release(below: .max))
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
    /// What did not fit into memory: the bytes from `start` to `end` of a file.
    private struct Spill {
        let file: TemporaryFile
        var start: Int64 = 0
        var end: Int64 = 0
    }

    private mutating func spill(_ chunk: Bytes) throws(TarmacError) {
        var spill = if let spill { spill } else { Spill(file: try TemporaryFile()) }
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
