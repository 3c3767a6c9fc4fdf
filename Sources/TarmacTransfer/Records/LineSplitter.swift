import TarmacCore

/// Finds lines in chunks that are split anywhere (pure). A line inside one chunk is not copied.
struct LineSplitter: Sendable {
    /// What ends a line.
    enum Ending: Sendable {
        /// CR, LF or CRLF, the two halves of which may come in different chunks (HTML §9.2.5).
        case any
        /// LF alone; a CR before it is the reader's business.
        case lineFeed
    }

    /// A complete line without its end.
    enum Line {
        case inChunk(Range<Int>)
        case joined([UInt8])
    }

    /// What is being read; empty once nothing of it is left.
    private(set) var chunk = Bytes.empty
    private var position = 0
    /// The beginning of a line whose end has not come yet.
    private var partial: [UInt8] = []
    /// Whether the last line ended with a CR, the last byte of its chunk: an LF that follows belongs to it.
    private var skipsLineFeed = false
    private let ending: Ending
    private let limit: Int

    init(_ ending: Ending, limit: Int) {
        self.ending = ending
        self.limit = limit
    }

    /// Takes the next chunk. One that comes before the last was read to its end is put behind it.
    mutating func append(_ next: Bytes) {
        chunk = position < chunk.count ? Bytes(Array(chunk.array[position...]) + next.array) : next
        position = 0
    }

    /// The next complete line of `bytes`, which are those of ``chunk``; `nil` when more is needed.
    ///
    /// Throws `TarmacError(.recordTooLarge)` for a line longer than the limit, complete or not.
    mutating func next(in bytes: UnsafeRawBufferPointer) throws(TarmacError) -> Line? {
        skipLineFeed(bytes)
        let start = position
        guard let end = lineEnd(bytes, from: start) else {
            try keep(bytes, from: start)
            return nil
        }
        position = end + 1
        skipsLineFeed = ending == .any && bytes[end] == Self.carriageReturn
        guard partial.count + (end - start) <= limit else { throw .recordTooLarge(limit: limit) }
        if partial.isEmpty { return .inChunk(start..<end) }
        partial.append(contentsOf: bytes[start..<end])
        defer { partial = [] }
        return .joined(partial)
    }

    /// What was left without an end; `nil` when there is nothing.
    mutating func rest() -> [UInt8]? {
        defer { partial = [] }
        return partial.isEmpty ? nil : partial
    }

    private mutating func skipLineFeed(_ bytes: UnsafeRawBufferPointer) {
        guard skipsLineFeed, position < bytes.count else { return }
        skipsLineFeed = false
        if bytes[position] == Self.lineFeed { position += 1 }
    }

    private func lineEnd(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        let takesReturn = ending == .any
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == Self.lineFeed || takesReturn && byte == Self.carriageReturn { return index }
            index += 1
        }
        return nil
    }

    private mutating func keep(_ bytes: UnsafeRawBufferPointer, from start: Int) throws(TarmacError) {
        guard partial.count + (bytes.count - start) <= limit else { throw .recordTooLarge(limit: limit) }
        partial.append(contentsOf: bytes[start...])
        chunk = .empty
        position = 0
    }

    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
}

extension TarmacError {
    static func recordTooLarge(limit: Int) -> TarmacError {
        TarmacError(
            .recordTooLarge, phase: .receiving, "an event, line or text of the stream is larger than the limit of \(limit) bytes",
            suggestion: "raise maximumRecordSize if the server means it")
    }
}
