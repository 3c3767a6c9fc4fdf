internal import CZlib
import TarmacCore

/// The compressor of zlib, at a constant address, because zlib keeps a pointer to it.
final class GzipStream {
    private static let pieceSize = 65_536
    private let stream: UnsafeMutablePointer<z_stream>

    init() throws(TarmacError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // The window has 15 bits, and 16 selects the gzip header.
        let status = deflateInit2_(
            stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw TarmacError(.unsupported, phase: .sending, "zlib cannot start, status \(status)") }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    func deflate(_ bytes: Bytes, into out: inout [UInt8]) throws(TarmacError) {
        try bytes.withUnsafeBytes { pointer throws(TarmacError) in
            var rest = pointer
            // The counters of zlib have 32 bits.
            while !rest.isEmpty {
                let part = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
                try run(part, Z_NO_FLUSH, into: &out)
                rest = UnsafeRawBufferPointer(rebasing: rest[part.count...])
            }
        }
    }

    func finish(into out: inout [UInt8]) throws(TarmacError) { try run(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH, into: &out) }

    private func run(_ input: UnsafeRawBufferPointer, _ flush: Int32, into out: inout [UInt8]) throws(TarmacError) {
        stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = uInt(clamping: input.count)
        var status = Z_OK
        var room = 0
        repeat {
            let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
                stream.pointee.next_out = buffer.baseAddress
                stream.pointee.avail_out = uInt(clamping: buffer.count)
                status = CZlib.deflate(stream, flush)
                room = Int(stream.pointee.avail_out)
                count = buffer.count - room
            }
            out += piece
            // Without anything left to do, zlib reports that it made no progress. That is not an error.
            guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
                throw TarmacError(.transportFailed, phase: .sending, "zlib failed with status \(status)")
            }
        } while room == 0 || flush == Z_FINISH && status == Z_OK
    }
}
