#if NIO
import NIOCore
import TarmacCore

/// A `ByteBuffer` as the owner of ``Bytes``: handed up without a copy.
private struct ByteBufferOwner: BytesOwner {
    let buffer: ByteBuffer

    var count: Int { buffer.readableBytes }

    func withUnsafeBytes(_ body: (UnsafeRawBufferPointer) -> Void) {
        buffer.withUnsafeReadableBytes(body)
    }
}

extension Bytes {
    init(_ buffer: ByteBuffer) { self.init(owner: ByteBufferOwner(buffer: buffer)) }
}

extension ByteBuffer {
    /// A copy of a run of bytes; NIO sends from memory of its own only.
    init(copying bytes: UnsafeRawBufferPointer) {
        self = ByteBufferAllocator().buffer(capacity: bytes.count)
        writeBytes(bytes)
    }
}
#endif
