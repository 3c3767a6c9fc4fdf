#if NIO
import NIOCore
@_spi(TarmacRooms) import TarmacCore

/// A `ByteBuffer` as the owner of ``Bytes``, which are passed on without a copy.
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
    /// Makes a buffer with a copy of bytes. NIO sends only from its own memory.
    init(copying bytes: UnsafeRawBufferPointer) {
        self = ByteBufferAllocator().buffer(capacity: bytes.count)
        writeBytes(bytes)
    }
}
#endif
