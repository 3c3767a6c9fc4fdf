#if NIO
import NIOCore
import NIOHTTP2
import Tarmac

/// What a connection has been through: how many requests it carried, on HTTP/2 over all streams, and whether the server
/// has announced its end.
final class ConnectionUses: ChannelInboundHandler, Sendable {
    typealias InboundIn = HTTP2Frame

    private struct State {
        var count = 0
        var isGoingAway = false
    }
    private let state = Locked(State())

    /// Counts a request; returns whether there was one before it.
    func begin() -> Bool {
        state.withLock { state in
            state.count += 1
            return state.count > 1
        }
    }

    /// Whether GOAWAY has come (RFC 9113 §6.8).
    var isGoingAway: Bool { state.withLock { $0.isGoingAway } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .goAway = unwrapInboundIn(data).payload { state.withLock { $0.isGoingAway = true } }
        context.fireChannelRead(data)
    }
}
#endif
