#if NIO
import NIOCore
import NIOHTTP2
import NIOSSL
@_spi(TarmacRooms) import TarmacCore

/// Ends a connection over HTTP/2 that has failed. NIO's codec and AsyncHTTPClient would keep it, and all later requests
/// would wait on it.
extension ConnectionUses {
    /// The time in which a server that has become silent must answer PING.
    private static let patience = TimeAmount.seconds(5)

    func handlerAdded(context: ChannelHandlerContext) {
        let place = NIOLoopBound(context, eventLoop: context.eventLoop)
        state.withLock { $0.context = place }
        // RFC 9113 §6.5.2 counts 32 bytes more for each field, so that a field whose line has 5 bytes counts 33. NIO's
        // default of 16 KiB is a limit of the connection. ``ExchangeHandler`` applies the exact one to a single stream.
        let settings = [HTTP2Setting(parameter: .maxHeaderListSize, value: 8 * HeaderConversion.limit)]
        send(.settings(.settings(settings)), context)
        scheduleRetirement(context)
    }

    private func scheduleRetirement(_ context: ChannelHandlerContext) {
        guard let lifetime = nextRetirement else { return }
        // LIFETIME: ends by itself. A connection that has closed meanwhile has no place any more.
        context.eventLoop.assumeIsolated().scheduleTask(in: lifetime) { [weak self] in self?.retire() }
    }

    /// Has AsyncHTTPClient take a connection that has reached its age for one that the server is about to close (RFC 9113 §6.8):
    /// the streams end, and the next request gets another one.
    private func retire() {
        guard mayRetire else {
            if let context = state.withLock({ $0.context })?.value { scheduleRetirement(context) }
            return
        }
        let place = state.withLock { state -> NIOLoopBound<ChannelHandlerContext>? in
            if state.lastStream == nil { state.lastStream = .maxID }
            return state.context
        }
        guard let context = place?.value else { return }
        let payload = HTTP2Frame.FramePayload.goAway(lastStreamID: .maxID, errorCode: .noError, opaqueData: nil)
        context.fireChannelRead(wrapInboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)))
        context.fireChannelReadComplete()
        closeIfIdle(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        closeObserved()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        closeObserved()
        state.withLock { $0.context = nil }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let hasGivenUp = (try? context.pipeline.syncOperations.handler(type: GoAwayWatch.self).isSent) ?? false
        // The errors of TLS and of the network come from before the codec, and they close the connection.
        if hasGivenUp || !HTTP2ErrorMapping.isFromCodec(error) {
            note(hasGivenUp ? HTTP2ConnectionFailure(cause: error) : error)
        }
        context.fireErrorCaught(error)
        if hasGivenUp { close(context) }
    }

    private func note(_ failure: any Error) { state.withLock { if $0.failure == nil { $0.failure = failure } } }

    func close(_ context: ChannelHandlerContext) {
        // TLS would wait for the end of a server that need not answer, and the pool would use the connection meanwhile.
        let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)
        (tls ?? context).close(promise: nil)
    }

    private func send(_ payload: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)), promise: nil)
    }

    /// Checks whether the server is there and answers, after a request was given up without an answer. If no frame has come since
    /// the request was sent, the connection may be dead, although nothing reports it.
    ///
    /// - Parameter frames: the number of frames that had come when the request was sent.
    func suspect(after frames: Int) {
        let (isSilent, silent) = state.withLock { ($0.silence.giveUp(at: .now()), $0.context) }
        // LIFETIME: ends by itself. Not at once, because a stream is closing.
        if isSilent { silent?.value.eventLoop.execute { [weak self] in self?.retire() } }
        let place = state.withLock { state -> NIOLoopBound<ChannelHandlerContext>? in
            guard state.frames == frames, !state.isProbed else { return nil }
            state.isProbed = true
            return state.context
        }
        guard let context = place?.value else { return }
        send(.ping(HTTP2PingData(), ack: false), context)
        // LIFETIME: ends by itself. A connection that has closed meanwhile has no place any more.
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) { [weak self] in self?.judge(since: frames) }
    }

    private func judge(since frames: Int) {
        let place = state.withLock { state -> NIOLoopBound<ChannelHandlerContext>? in
            state.isProbed = false
            return state.frames == frames ? state.context : nil
        }
        guard let context = place?.value else { return }
        note(ChannelError.eof)
        close(context)
    }
}
#endif
