extension ContentDecoder {
    /// Decodes a whole body. It holds at most `limit` + 1 bytes of output, and usually allocates once.
    static func inflate(_ bytes: Bytes, _ coding: ContentCoding, limit: Int) throws(TarmacError) -> Bytes {
        guard !bytes.isEmpty else { return .empty }
        let inflater = try coding.makeInflater()
        return try bytes.withUnsafeBytes { input throws(TarmacError) in
            try inflate(input, with: inflater, capacity: firstCapacity(input, coding), limit: max(0, limit))
        }
    }

    private static func inflate(
        _ input: UnsafeRawBufferPointer, with inflater: any ContentInflater, capacity: Int, limit: Int
    ) throws(TarmacError) -> Bytes {
        // One byte more than the limit distinguishes a body of exactly the limit from a larger one.
        var output = GrowingBuffer(capacity: capacity, ceiling: limit == .max ? .max : limit + 1)
        var rest = input
        while true {
            output.makeRoom()
            let step = try inflater.step(rest, into: output.free)
            if step == .idle { break }
            rest = UnsafeRawBufferPointer(rebasing: rest[step.consumed...])
            output.fill(step.produced)
            if output.count > limit { throw .inflatedBodyTooLarge(limit: limit) }
        }
        try inflater.finish()
        return output.finish()
    }

    /// Returns the first capacity of the output.
    ///
    /// It is the size in the last four bytes of gzip (RFC 1952 §2.3.1), if deflate can reach that size, plus
    /// one, so that the end is seen without growing. Otherwise it is four times the input.
    private static func firstCapacity(_ input: UnsafeRawBufferPointer, _ coding: ContentCoding) -> Int {
        let guess = input.count.multipliedReportingOverflow(by: 4)
        guard coding == .gzip, input.count >= 18 else { return guess.overflow ? input.count : guess.partialValue }
        let size = input[(input.count - 4)...].reversed().reduce(0) { $0 << 8 | Int($1) }
        // The compression ratio of deflate is at most 1032.
        return size / 1_032 <= input.count ? size + 1 : guess.partialValue
    }
}
