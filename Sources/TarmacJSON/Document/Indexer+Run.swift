extension Indexer {
    /// Validates `bytes` and returns their tape, or the error that names the first fault.
    static func run(
        _ bytes: UnsafeRawBufferPointer, options: JSONDocument.Options
    ) throws(JSONError) -> (tape: TapeBuffer, count: Int) {
        let limit = min(options.sizeLimit, TapeWord.largestInput)
        guard bytes.count <= limit else {
            throw JSONError(
                .sizeExceeded, expected: "at most \(limit) bytes", found: "\(bytes.count) bytes")
        }
        let length = lengthWithoutTrailingWhitespace(bytes)
        guard length > 0, let base = bytes.baseAddress else {
            throw JSONError(
                .unexpectedEnd, offset: bytes.count, line: 1, column: 1, expected: "a value", found: "nothing")
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            throw JSONError(
                .byteOrderMark, offset: 0, line: 1, column: 1, expected: "a value",
                found: "a byte order mark (RFC 8259 §8.1)")
        }
        let start = base.assumingMemoryBound(to: UInt8.self)
        let last = start[length - 1]
        let first = bytes.first { !isWhitespace($0) }
        if (first == 0x7B || first == 0x5B) && (last == 0x7D || last == 0x5D) {
            return try run(start, length: length, readable: length, bytes: bytes, options: options)
        }
        // A bare scalar or a truncated document: index a copy that ends in NUL, the
        // byte that stops every scan. The tape holds offsets, which are the same in both.
        return try withTerminatedCopy(start, length) { copy throws(JSONError) in
            try run(copy, length: length, readable: length + 1, bytes: bytes, options: options)
        }
    }

    private static func run(
        _ start: UnsafePointer<UInt8>, length: Int, readable: Int, bytes: UnsafeRawBufferPointer,
        options: JSONDocument.Options
    ) throws(JSONError) -> (tape: TapeBuffer, count: Int) {
        let indexer = Indexer(
            start: start, end: start + readable, limit: start + length, depthLimit: options.depthLimit)
        // Documents of the wild take 0.3 to 1 byte of tape a byte of text.
        var tape = TapeBuffer(capacity: length / 12 + 16)
        var count = 0
        var openContainer = -1
        let failure = indexer.index(into: &tape, count: &count, openContainer: &openContainer)
        guard let failure else {
            // One word more: a null that stands for what is not there. The indexer left room for it.
            tape.words[count] = TapeWord(.null, offset: 0, extent: 0).bits
            tape.trim(to: count + 1)
            return (tape, count)
        }
        defer { tape.free() }
        throw FaultReport(
            bytes: bytes, words: UnsafeBufferPointer(start: tape.words, count: count),
            openContainer: openContainer, mask: KeyMask(options)
        ).error(failure)
    }

    private static func lengthWithoutTrailingWhitespace(_ bytes: UnsafeRawBufferPointer) -> Int {
        var length = bytes.count
        while length > 0, isWhitespace(bytes[length - 1]) { length -= 1 }
        return length
    }

    private static func withTerminatedCopy<Result>(
        _ start: UnsafePointer<UInt8>, _ length: Int,
        _ body: (UnsafePointer<UInt8>) throws(JSONError) -> Result
    ) throws(JSONError) -> Result {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: length + 1)
        defer { copy.deallocate() }
        copy.initialize(from: start, count: length)
        copy[length] = 0
        return try body(copy)
    }
}
