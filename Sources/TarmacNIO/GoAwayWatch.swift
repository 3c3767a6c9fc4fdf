#if NIO
import NIOCore

/// Notes whether NIO's HTTP/2 codec has given its connection up.
///
/// The codec reports errors of a stream and errors of the connection in the same way, closes the connection for
/// neither, and writes GOAWAY only for the second kind (RFC 9113 §5.4.1). The handler is before the codec, where
/// this frame passes.
final class GoAwayWatch: ChannelOutboundHandler {
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    private(set) var isSent = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .byteBuffer(let bytes) = unwrapOutboundIn(data), Self.isGoAway(bytes) { isSent = true }
        context.write(data, promise: promise)
    }

    /// Whether the bytes are a GOAWAY frame of the codec: a payload of 8 bytes, type 7, no flags (RFC 9113 §6.8).
    private static func isGoAway(_ bytes: ByteBuffer) -> Bool {
        bytes.readableBytes == 17 && bytes.getInteger(at: bytes.readerIndex, as: UInt64.self) == 0x0000_0807_0000_0000
    }
}

@available(*, unavailable)
extension GoAwayWatch: Sendable {}
#endif
