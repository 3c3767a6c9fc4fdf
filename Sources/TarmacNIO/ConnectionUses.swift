#if NIO
import NIOCore
import NIOHPACK
import NIOHTTP2
@_spi(TarmacRooms) import TarmacCore

/// The history of a connection: the number of requests that it carried, over all streams on HTTP/2, the requests
/// that the server refused, and the error that ended the connection.
///
/// On HTTP/2, the handler is directly behind the frame codec. Behind AsyncHTTPClient's own handlers it would be
/// too late: if the last stream of a closing connection is refused, they close the connection first, and the
/// stream does not learn the reason.
final class ConnectionUses: ChannelInboundHandler, Sendable {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    struct State {
        var count = 0
        /// The number of exchanges that use the connection now. It counts over HTTP/2 only.
        var active = 0
        /// The error of the connection, if there was one.
        var failure: (any Error)?
        /// The place of the handler, while it is in the pipeline of a connection.
        var context: NIOLoopBound<ChannelHandlerContext>?
        var limit = StreamLimit()
        var observed = ObservedConnection()
        var frames = 0
        var isProbed = false
        var silence = ConnectionSilence()
        /// The last stream that the server may have processed: the lowest number of all GOAWAY frames.
        var lastStream: HTTP2StreamID?
        var refused: Set<HTTP2StreamID> = []
    }

    let isHTTP2: Bool
    /// The reason why the connection is used although no pin matches it.
    let notice: PinNotice?
    /// The values that all requests of the connection have in common.
    let network: NetworkTimings
    let state = Locked(State())
    let wear: ConnectionWear
    let registry: ExchangeRegistry?
    private let start: NIODeadline

    init(isHTTP2: Bool, address: SocketAddress?, notice: PinNotice? = nil, wear: ConnectionWear = ConnectionWear(), registry: ExchangeRegistry? = nil) {
        (self.wear, self.registry) = (wear, registry)
        start = wear.isLimited ? .now() : .distantPast
        self.isHTTP2 = isHTTP2
        self.notice = notice
        network = NetworkTimings(remoteAddress: address?.shown)
    }

    /// Counts a request. Returns whether the connection carried a request before.
    func begin() -> Bool {
        state.withLock { state in
            state.count += 1
            state.active += 1
            return state.count > 1
        }
    }

    /// Whether the connection takes no further request.
    var isWorn: Bool { wear.isLimited && wear.isWorn(uses: state.withLock { $0.count }, age: .now() - start) }

    /// Whether a connection that has reached its age is closed. A new one waits for its first request, however short its life is.
    var mayRetire: Bool { state.withLock { $0.count > 0 } || .now() - start >= Self.shortestIdleLife }
    private static let shortestIdleLife = TimeAmount.seconds(1)

    /// The time until a connection is looked at, or `nil` if its age has no limit.
    var nextRetirement: TimeAmount? { wear.lifetime.map { .now() - start < $0 ? $0 : Self.shortestIdleLife } }

    /// Notes that an exchange over HTTP/2 is over.
    func end() { state.withLock { $0.active -= 1 } }

    /// Whether a connection over HTTP/2 has not closed.
    var isOpen: Bool { state.withLock { $0.context != nil } }

    /// Whether an exchange that waits can get the stream of one that ends.
    var isTakingTurns: Bool { state.withLock { $0.active > 0 && $0.context != nil && $0.lastStream == nil } }

    /// The error with which the connection ended. AsyncHTTPClient and the streams only learn that it has closed.
    var failure: (any Error)? { state.withLock { $0.failure } }

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

    /// The number of frames that have come over HTTP/2.
    var frames: Int { state.withLock { $0.frames } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var frame = unwrapInboundIn(data)
        state.withLock {
            $0.frames += 1
            if frame.payload.isOfAnswer { $0.silence.end() }
        }
        switch frame.payload {
        case .headers(var content) where Self.hasInvalidStatus(content):
            content.headers.replaceOrAdd(name: ":status", value: Self.invalidStatus)
            frame.payload = .headers(content)
            return context.fireChannelRead(wrapInboundOut(frame))
        case .settings(.settings(let settings)):
            guard let settings = admit(settings, context) else { return }
            frame.payload = .settings(.settings(settings))
            return context.fireChannelRead(wrapInboundOut(frame))
        case .goAway(let last, _, _):
            state.withLock { $0.lastStream = min($0.lastStream ?? .maxID, last) }
            context.fireChannelRead(data)
            return closeIfIdle(context)
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

    /// Whether the status is not a number of three digits (RFC 9110 §15), or is one that HTTP/2 does not allow there:
    /// 101, and an informational one at the end of a stream (RFC 9113 §8.1, §8.6). A number out of range would end the
    /// process in other handlers, and an informational end would leave the request without an end.
    private static func hasInvalidStatus(_ content: HTTP2Frame.FramePayload.Headers) -> Bool {
        guard let status = content.headers.first(name: ":status") else { return false }
        if status == "101" || content.endStream && status.hasPrefix("1") { return true }
        return status.utf8.count != 3 || !status.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}

extension HTTP2Frame.FramePayload {
    /// Whether it belongs to the answer to a request.
    fileprivate var isOfAnswer: Bool {
        switch self {
        case .headers, .data: true
        default: false
        }
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
