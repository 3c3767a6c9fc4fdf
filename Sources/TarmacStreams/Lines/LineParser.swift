import TarmacCore

/// Parses lines from the chunks of a body, wherever they are split (pure).
///
/// A line ends with LF, or CRLF; the last line needs no end. A byte order mark at the start is left out.
struct LineParser: RecordParser {
    /// Whether lines with only white space are skipped.
    let skipsBlank: Bool
    private var lines: LineSplitter
    private var isFirst = true
    private var last: [UInt8]?

    init(skippingBlank: Bool, limit: Int = .max) {
        skipsBlank = skippingBlank
        lines = LineSplitter(.lineFeed, limit: limit)
    }

    mutating func begin(_ opening: StreamOpening) {
        lines = LineSplitter(.lineFeed, limit: opening.options.value(of: Settings.maximumRecordSize))
        isFirst = true
    }

    mutating func append(_ chunk: Bytes) { lines.append(chunk) }

    mutating func next() throws(TarmacError) -> Bytes? {
        if let last {
            self.last = nil
            return Bytes(last).withUnsafeBytes { take($0) }
        }
        let chunk = lines.chunk
        if chunk.isEmpty { return nil }
        return try chunk.withUnsafeBytes { bytes throws(TarmacError) in
            while let line = try lines.next(in: bytes) {
                if let record = take(line, of: bytes) { return record }
            }
            return nil
        }
    }

    mutating func finish() { last = lines.rest() }

    private mutating func take(_ line: LineSplitter.Line, of bytes: UnsafeRawBufferPointer) -> Bytes? {
        switch line {
        case .inChunk(let range): take(UnsafeRawBufferPointer(rebasing: bytes[range]))
        case .joined(let joined): Bytes(joined).withUnsafeBytes { take($0) }
        }
    }

    private mutating func take(_ whole: UnsafeRawBufferPointer) -> Bytes? {
        var line = whole[...]
        if isFirst, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        isFirst = false
        if line.last == LineSplitter.carriageReturn { line = line.dropLast() }
        if skipsBlank, line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return nil }
        return Bytes([UInt8](line))
    }
}
