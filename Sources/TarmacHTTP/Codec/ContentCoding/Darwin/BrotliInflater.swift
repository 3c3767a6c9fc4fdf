#if canImport(Darwin)
import Compression

enum PlatformCodings {
    static let offered: [ContentCoding] = [.gzip, .deflate, .brotli]

    static func makeBrotliInflater() throws(TarmacError) -> any ContentInflater { try BrotliInflater() }
}

/// Decodes Brotli (RFC 7932) with the Compression framework. ``InflateProgress`` interprets the statuses.
final class BrotliInflater: ContentInflater {
    private let stream: UnsafeMutablePointer<compression_stream>
    private var isInitialized = false
    private var progress = InflateProgress(.brotli)

    init() throws(TarmacError) {
        stream = .allocate(capacity: 1)
        let status = compression_stream_init(stream, COMPRESSION_STREAM_DECODE, COMPRESSION_BROTLI)
        guard status == COMPRESSION_STATUS_OK else { throw ContentCoding.brotli.damaged("the decoder cannot start") }
        isInitialized = true
    }

    deinit {
        if isInitialized { compression_stream_destroy(stream) }
        stream.deallocate()
    }

    func step(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(TarmacError) -> InflateStep {
        if progress.isAtEnd { return InflateStep(consumed: input.count) }
        guard let target = output.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return .idle }
        let source = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        // A step with empty input still drains the decoder. Its input pointer is not read.
        stream.pointee.src_ptr = source ?? UnsafePointer(target)
        stream.pointee.src_size = input.count
        stream.pointee.dst_ptr = target
        stream.pointee.dst_size = output.count
        let status = compression_stream_process(stream, 0)
        try progress.note(.init(number: status.rawValue), input: input.count)
        return InflateStep(
            consumed: input.count - stream.pointee.src_size, produced: output.count - stream.pointee.dst_size)
    }

    func finish() throws(TarmacError) { try progress.finish() }
}
#endif
