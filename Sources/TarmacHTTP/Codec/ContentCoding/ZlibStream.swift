internal import CZlib

/// The `z_stream` of zlib, at a constant address, because zlib keeps a pointer to it.
final class ZlibStream {
    private let stream: UnsafeMutablePointer<z_stream>

    /// - Parameter windowBits: the window bits for `inflateInit2`: +16 for gzip, negative for raw deflate.
    init(windowBits: Int32, _ coding: ContentCoding) throws(TarmacError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw coding.damaged("zlib cannot start, status \(status)") }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    /// Resets the stream for another member.
    func reset() {
        inflateReset(stream)
    }

    /// Decodes as much as the two buffers allow.
    func inflate(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer, _ coding: ContentCoding
    ) throws(TarmacError) -> (InflateStep, isAtEnd: Bool) {
        point(to: input, output)
        let (given, room) = (stream.pointee.avail_in, stream.pointee.avail_out)
        let status = CZlib.inflate(stream, Z_NO_FLUSH)
        let step = InflateStep(
            consumed: Int(given - stream.pointee.avail_in), produced: Int(room - stream.pointee.avail_out))
        switch status {
        case Z_OK, Z_BUF_ERROR: return (step, false)
        case Z_STREAM_END: return (step, true)
        default: throw coding.damaged(reason(status))
        }
    }

    // The counters of zlib have 32 bits. The next step reads the rest of a larger buffer.
    private func point(to input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer) {
        let bytes = input.bindMemory(to: UInt8.self)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
        stream.pointee.avail_in = uInt(clamping: bytes.count)
        stream.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = uInt(clamping: output.count)
    }

    private func reason(_ status: Int32) -> String {
        if status == Z_NEED_DICT { return "it needs a preset dictionary" }
        return stream.pointee.msg.map { String(cString: $0) } ?? "zlib status \(status)"
    }
}
