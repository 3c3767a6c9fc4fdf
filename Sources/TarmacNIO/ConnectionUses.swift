#if NIO
import NIOCore
import NIOHPACK
import NIOHTTP2
@_spi(TarmacRooms) import TarmacCore

/// The history of a connection: the number of requests that it carried, over all streams on HTTP/2, and the
/// requests that the server refused.
///
/// On HTTP/2, the handler is directly behind the frame codec. Behind AsyncHTTPClient's own handlers it would be
/// too late: if the last stream of a closing connection is refused, they close the connection first, and the
/// stream does not learn the reason.
final class ConnectionUses: ChannelInboundHandler, Sendable {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    private struct State {
        var count = 0
        /// The last stream that the server may have processed: the lowest number of all GOAWAY frames.
        var lastStream: HTTP2StreamID?
        var refused: Set<HTTP2StreamID> = []
    }

    let isHTTP2: Bool
    /// The reason why the connection is used although no pin matches it.
    let notice: PinNotice?
    /// The values that all requests of the connection have in common.
    let network: NetworkTimings
    private let state = Locked(State())

    init(isHTTP2: Bool, address: SocketAddress?, notice: PinNotice? = nil) {
        self.isHTTP2 = isHTTP2
        self.notice = notice
        network = NetworkTimings(remoteAddress: address?.shown)
    }

    /// Counts a request. Returns whether the connection carried a request before.
    func begin() -> Bool {
        state.withLock { state in
            state.count += 1
            return state.count > 1
        }
    }

    /// Whether the connection received GOAWAY (RFC 9113 §6.8).
    var isGoingAway: Bool { state.withLock { $0.lastStream != nil } }

    /// Whether the server has stated that it has not acted on the request of a stream (RFC 9113 §8.7). Call it
    /// once for each stream.
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
            // The streams of aborted exchanges are never looked up, so the set is bounded.
            state.withLock { if $0.refused.count < 1_024 { $0.refused.insert(stream) } }
        default: break
        }
        context.fireChannelRead(data)
    }

    /// The status that replaces an invalid one. ``ExchangeHandler`` turns it into an error of the exchange.
    private static let invalidStatus = "000"

    /// Whether the status is not a number of three digits (RFC 9110 §15). A number out of range would end the
    /// process in other handlers.
    private static func hasInvalidStatus(_ headers: HPACKHeaders) -> Bool {
        guard let status = headers.first(name: ":status") else { return false }
        return status.utf8.count != 3 || !status.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

extension SocketAddress {
    /// The address and the port, such as `192.0.2.1:443` or `[2001:db8::1]:443`.
    fileprivate var shown: String? {
        guard let address = ipAddress, let port else { return pathname }
        return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}
#endif
