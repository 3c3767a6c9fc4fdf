#if NIO
import NIOCore
import NIOHTTP2
@_spi(TarmacRooms) import TarmacCore

/// Passes new limits of streams to AsyncHTTPClient while a stream is open.
extension ConnectionUses {
    /// Returns the settings to pass on, or `nil` if the connection is closed because of them.
    func admit(_ settings: HTTP2Settings, _ context: ChannelHandlerContext) -> HTTP2Settings? {
        let isUsed = state.withLock { $0.count > 0 }
        let isAwaited = !isUsed && registry?.hasWaiting == true
        let rest = state.withLock { $0.limit.take(from: settings, isUsed: isUsed, isAwaited: isAwaited) }
        if rest == nil { close(context) }
        return rest
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is StreamClosedEvent { state.withLock { $0.limit.closeStream() } }
        if event is NIOHTTP2StreamCreatedEvent, state.withLock({ $0.limit.openStream() }) {
            // The stream is opened within a write. The multiplexer would hold back the flush of that until the end of a read.
            context.eventLoop.execute { self.showLimit() }
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// AsyncHTTPClient counts a stream when it hands a request to the connection, and frees it with the event of its end.
    func releaseUnopened() {
        guard let context = state.withLock({ $0.context })?.value else { return }
        context.fireUserInboundEventTriggered(NIOHTTP2StreamCreatedEvent(streamID: .maxID, localInitialWindowSize: nil, remoteInitialWindowSize: nil))
        context.fireUserInboundEventTriggered(StreamClosedEvent(streamID: .maxID, reason: .cancel))
    }

    /// AsyncHTTPClient takes no notice of GOAWAY where no stream ends after it.
    func closeIfIdle(_ context: ChannelHandlerContext) { if state.withLock({ $0.limit.isIdle }) { close(context) } }

    private func showLimit() {
        let (held, place) = state.withLock { ($0.limit.release(), $0.context) }
        guard let held, let context = place?.value else { return }
        context.fireChannelRead(wrapInboundOut(HTTP2Frame(streamID: .rootStream, payload: .settings(.settings([held])))))
        context.fireChannelReadComplete()
    }
}
#endif
