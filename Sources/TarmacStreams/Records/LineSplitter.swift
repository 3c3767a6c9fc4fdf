import TarmacCore

/// Splits chunks into lines, wherever the chunks are split (pure). A line inside one chunk is not copied.
struct LineSplitter: Sendable {
    /// The end of a line.
    enum Ending: Sendable {
        /// CR, LF or CRLF, whose two bytes may be in different chunks (HTML §9.2.5).
        case any
        /// LF only; the reader handles a CR before it.
        case lineFeed
    }

    /// A complete line without its end.
    enum Line {
        case inChunk(Range<Int>)
        case joined([UInt8])
    }

    /// The chunk being read; empty once it is consumed.
    private(set) var chunk = Bytes.empty
    private var position = 0
    /// The start of a line without its end yet.
    private var partial: [UInt8] = []
    /// Whether the last line ended with a CR at the end of its chunk: a following LF belongs to it.
    private var skipsLineFeed = false
    private let ending: Ending
    private let limit: Int

    init(_ ending: Ending, limit: Int) {
        self.ending = ending
        self.limit = limit
    }

    /// Adds the next chunk. If the last one is not consumed, the new one is appended to it.
    mutating func append(_ next: Bytes) {
        chunk = position < chunk.count ? Bytes(Array(chunk.array[position...]) + next.array) : next
        position = 0
    }

    /// Returns the next complete line of `bytes`, the bytes of ``chunk``; `nil` if more are needed.
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

    /// Returns the text after the last line end; `nil` if there is none.
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
