#if NIO
import NIOCore
import NIOHPACK
import NIOHTTP2
import TarmacCore

/// What a connection has been through: how many requests it carried, on HTTP/2 over all streams, and what the server has
/// said of those it will not act on.
///
/// On HTTP/2 it sits right behind the frame codec. Behind AsyncHTTPClient's own handlers it would be too late: when the
/// last stream of a connection that is going away is refused, they close the connection first, and the stream never
/// hears why it ended.
final class ConnectionUses: ChannelInboundHandler, Sendable {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    private struct State {
        var count = 0
        /// The last stream that the server may have acted on, by its lowest word.
        var lastStream: HTTP2StreamID?
        var refused: Set<HTTP2StreamID> = []
    }

    let isHTTP2: Bool
    /// Why it is used although no pin fits it.
    let notice: PinNotice?
    private let state = Locked(State())

    init(isHTTP2: Bool, notice: PinNotice? = nil) {
        self.isHTTP2 = isHTTP2
        self.notice = notice
    }

    /// Counts a request; returns whether there was one before it.
    func begin() -> Bool {
        state.withLock { state in
            state.count += 1
            return state.count > 1
        }
    }

    /// Whether GOAWAY has come (RFC 9113 §6.8).
    var isGoingAway: Bool { state.withLock { $0.lastStream != nil } }

    /// Whether the server has said that it has not acted on the request of a stream (RFC 9113 §8.7); asked once.
    func disclaims(_ stream: HTTP2StreamID) -> Bool {
        state.withLock { state in
            if state.refused.remove(stream) != nil { return true }
            return state.lastStream.map { stream > $0 } ?? false
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var frame = unwrapInboundIn(data)
        switch frame.payload {
        case .headers(var content) where Self.hasInvalidStatus(content.headers):
            content.headers.replaceOrAdd(name: ":status", value: Self.invalidStatus)
            frame.payload = .headers(content)
            return context.fireChannelRead(wrapInboundOut(frame))
        case .goAway(let last, _, _): state.withLock { $0.lastStream = min($0.lastStream ?? .maxID, last) }
        case .rstStream(.refusedStream):
            let stream = frame.streamID
            // Those whose exchange was aborted are asked for by nobody.
            state.withLock { if $0.refused.count < 1_024 { $0.refused.insert(stream) } }
        default: break
        }
        context.fireChannelRead(data)
    }

    /// What stands for a status that is none; ``ExchangeHandler`` makes it an error of the one exchange.
    private static let invalidStatus = "000"

    /// A number out of range would end the process further up (RFC 9110 §15: three digits, 100 to 599).
    private static func hasInvalidStatus(_ headers: HPACKHeaders) -> Bool {
        guard let status = headers.first(name: ":status") else { return false }
        return status.utf8.count != 3 || !status.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
#endif
