#if NIO
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTP2
@_spi(TarmacRooms) import TarmacCore
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A handler between the HTTP codec and AsyncHTTPClient's own handler, for a connection (HTTP/1) or stream
/// (HTTP/2).
///
/// Outbound, it replaces the stand-in with the request and sends the body. Inbound, it passes the response to
/// the exchange and shows the pool only the head and the end, so that the pool knows when the connection is
/// free again.
final class ExchangeHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private let registry: ExchangeRegistry
    let uses: ConnectionUses
    private let heads: ResponseHeadHandler?
    private let resumptions: ResumptionBatch
    private var names = HeaderConversion()
    var context: ChannelHandlerContext?
    var current: WireExchange?
    /// Whether the current exchange counts for the observer of the connection.
    var isObserved = false
    var lease: ConnectionLease?
    /// The head that the pool has not received yet. The connection can be kept after this response.
    var heldHead: HTTPResponseHead?
    var idleSince = NIODeadline.distantPast
    var expiry: Scheduled<Void>?
    /// The end of the connection's life over HTTP/1.
    var retirement: Scheduled<Void>?
    var upload = UploadState()
    /// Whether the exchange ended before it was sent. No part of it may be sent.
    private var isMuted = false
    /// Whether the server answered before it received the whole body, and needs no more of it.
    private var isUploadCut = false
    /// Whether the status of the response is no success.
    private var isFailure = false
    private var isReadingPaused = false
    private var hasHeldRead = false
    /// The end of a response over HTTP/1, until all bytes that were read with it are decoded. A connection that is free before could
    /// carry a request whose response would be the stray bytes behind this one.
    private var lastPart: HTTPClientResponsePart?
    /// The number of frames that had come over HTTP/2 when the exchange was sent.
    private var framesBefore = 0
    /// Whether the connection cannot be used again: its response was refused, bytes came behind the end of a response, its
    /// request was not sent to the end, or it is worn.
    private var isSoiled = false

    /// Whether only the end of the connection ends the body of the response.
    private var endsWithConnection = false
    /// Whether the response may have content.
    private var mayHaveContent = true
    /// Whether the exchange has received a final head.
    private var hasHead = false
    /// Whether the pool has the head of a response and not its end. Without, it takes the rest of one for a fault of its own, and ends the
    /// process.
    var isPoolReading = false
    /// The first error of the connection.
    private var failure: (any Error)?

    init(registry: ExchangeRegistry, uses: ConnectionUses, heads: ResponseHeadHandler? = nil, eventLoop: any EventLoop) {
        self.registry = registry
        self.uses = uses
        self.heads = heads
        resumptions = registry.resumptions(on: eventLoop)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        retire(context)
    }
    func handlerRemoved(context: ChannelHandlerContext) {
        upload.stop()
        retirement?.cancel()
        // A stream has a number once its head is written.
        if uses.isHTTP2, (try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)) == nil { uses.releaseUnopened() }
        self.context = nil
        current = nil
        leaveWaiting()
        endObserved(isOver: true)
    }

    // MARK: Outbound

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let standIn): begin(standIn, context: context, promise: promise)
        case .body: promise?.succeed(())
        case .end: endOfStandIn(context: context, promise: promise)
        }
    }

    func flush(context: ChannelHandlerContext) {
        // The exchange was aborted after its head. The connection is about to be closed, together with the
        // unsent bytes.
        guard current?.isEnded != true else { return }
        context.flush()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if upload.isActive || upload.isHeldBack || isUploadCut, !uses.isHTTP2 { dropUnsent(context) }
        if uses.isHTTP2, current != nil { uses.suspect(after: framesBefore) }
        context.close(mode: mode, promise: promise)
    }

    /// Discards the unsent bytes of a body. They would otherwise keep the connection open after its close.
    private func dropUnsent(_ context: ChannelHandlerContext) {
        _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
    }

    private func begin(_ standIn: HTTPRequestHead, context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        let exchange = PlaceholderRequest.number(in: standIn).flatMap { registry.exchange($0) }
        let link = link(context)
        guard let exchange, exchange.attach(to: link, of: nil, uses: uses) else {
            isMuted = true
            promise?.succeed(())
            return
        }
        lease = exchange.state.withLock { $0.lease }
        lease?.arrive(link)
        send(exchange, context: context, promise: promise)
    }

    func send(_ exchange: WireExchange, context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        current = exchange
        (hasHead, isPoolReading) = (false, false)
        isObserved = uses.beginObserved(exchange.observed)
        framesBefore = uses.frames
        heads?.begin()
        context.write(wrapOutboundOut(.head(exchange.message.head)), promise: opening(exchange, promise, context))
        exchange.exchange.report(.sentHead)
        beginBody(of: exchange, context: context)
    }

    private func beginBody(of exchange: WireExchange, context: ChannelHandlerContext) {
        switch exchange.message.body.content {
        case .none: break
        case .bytes(let bytes) where bytes.count <= (exchange.exchange.restartsTimeout ? UploadPump.pieceSize : UploadPump.chunkSize):
            guard !bytes.isEmpty else { break }
            var buffer = bytes.withUnsafeBytes { ByteBuffer(copying: $0) }
            if !uses.isHTTP2, bytes.count <= Self.takenAtOnce {
                context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
            } else {
                upload.wrote(bytes.count)
                writePieces(of: &buffer, context) { _ in }
            }
            exchange.exchange.report(.sentBody(bytes: bytes.count))
        case .bytes, .file, .stream:
            upload.begin(length: exchange.message.body.length)
            exchange.startUpload(to: link(context))
        }
    }

    /// The largest body that a connection over HTTP/1 takes at once. Over HTTP/2, a server may leave no room for a single byte.
    private static let takenAtOnce = 16_384

    /// Writes bytes in pieces, so that it is seen whether the server takes some of them. Over HTTP/2 they are the frames that it gets.
    private func writePieces(of bytes: inout ByteBuffer, _ context: ChannelHandlerContext, sent: @escaping (Int) -> Void) {
        let size = uses.isHTTP2 ? Self.takenAtOnce : UploadPump.pieceSize
        while bytes.readableBytes > 0, let piece = bytes.readSlice(length: min(size, bytes.readableBytes)) {
            let count = piece.readableBytes, written = context.eventLoop.makePromise(of: Void.self)
            written.futureResult.assumeIsolated().whenSuccess { [self] in
                // The count belongs to the connection, so it is updated even after the exchange is over.
                upload.sent(count)
                sent(count)
                deliverSent()
            }
            context.write(wrapOutboundOut(.body(.byteBuffer(piece))), promise: written)
        }
    }

    func endOfStandIn(context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
        guard !isMuted, !upload.isActive else {
            promise?.succeed(())
            return
        }
        context.write(wrapOutboundOut(.end(nil)), promise: promise)
        current?.exchange.report(.sentAll)
    }

    /// Returns a promise for the head of a stream. If a stream cannot be opened, only the promise of its head
    /// reports it.
    private func opening(
        _ exchange: WireExchange, _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) -> EventLoopPromise<Void>? {
        guard uses.isHTTP2 else { return promise }
        let opened = promise ?? context.eventLoop.makePromise(of: Void.self)
        opened.futureResult.whenFailure { error in
            if error is any NIOHTTP2Error { exchange.failed(error) }
        }
        return opened
    }

    func link(_ context: ChannelHandlerContext) -> ConnectionLink { ConnectionLink(self, on: context.eventLoop) }

    // MARK: The request's body

    func send(_ chunk: ByteBuffer, of exchange: WireExchange, room: UnsafeContinuation<Void, any Error>) {
        guard let context, current === exchange, upload.isActive else { return room.resume(throwing: UploadStopped()) }
        upload.wrote(chunk.readableBytes, waiting: room)
        var rest = chunk
        writePieces(of: &rest, context) { [self] count in
            exchange.exchange.report(.sentBody(bytes: count))
            if current === exchange, upload.reportsEnd() { exchange.exchange.report(.sentAll) }
        }
        context.flush()
    }

    func finishBody(of exchange: WireExchange) {
        guard let context, current === exchange, upload.isActive else { return }
        upload.close()
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        if upload.reportsEnd(atEnd: true) { exchange.exchange.report(.sentAll) }
        deliverSent()
    }

    // MARK: Inbound

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        heads?.decoded()
        if isComplete { return isSoiled = true }
        guard let current else {
            guard heldHead != nil else { return pass(data, context) }
            // No exchange requested these bytes. A connection with unexpected bytes is not used again.
            leaveWaiting()
            return context.close(promise: nil)
        }
        switch unwrapInboundIn(data) {
        case .head(let head): received(head, of: current, context: context)
        case .body, .end:
            guard hasHead else {
                isSoiled = true
                return current.end(Self.headless)
            }
            receivedRest(unwrapInboundIn(data), of: current, context)
        }
    }

    /// Passes on what belongs to no exchange.
    private func pass(_ data: NIOAny, _ context: ChannelHandlerContext) {
        if case .head = unwrapInboundIn(data) { isPoolReading = true }
        if isPoolReading { context.fireChannelRead(data) }
    }

    private func receivedRest(_ part: HTTPClientResponsePart, of current: WireExchange, _ context: ChannelHandlerContext) {
        switch part {
        case .head: break
        case .body(let chunk):
            if !mayHaveContent, chunk.readableBytes > 0 { return current.end(Self.unexpectedContent) }
            if current.received(chunk) { isReadingPaused = true }
        case .end(let trailers):
            // The decoder takes every end of the connection for the end of such a body. RFC 9112 §8: only one in order is it.
            if endsWithConnection, let failure { return current.failed(failure) }
            if trailers?.isWithinLimit(isHTTP2: uses.isHTTP2) == false { return current.end(Self.tooLarge) }
            let isUnsent = upload.isActive ? !upload.isSent : upload.isHeldBack
            if isUnsent, isFailure { cutUpload() }
            // The pool must not consider the connection free before the request body has ended.
            if upload.isActive || isUnsent && !isFailure {
                upload.hold(.end(trailers))
                if isUnsent { watchUpload(of: current, context) }
            } else if uses.isHTTP2 {
                finish(current, trailers: trailers, context: context)
            } else {
                lastPart = .end(trailers)
            }
        }
    }

    /// The time in which a server that has sent a success takes some of the body, or its response is delivered without the rest.
    private static let patience = TimeAmount.seconds(2)

    /// Waits for the body of a request whose success is complete. The server may still read it, or read no more of it.
    private func watchUpload(of exchange: WireExchange, _ context: ChannelHandlerContext) {
        let before = upload.progress
        // LIFETIME: ends after a pause in which the server takes nothing.
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) { [weak self] in
            guard let self, current === exchange, upload.heldEnd != nil, let context = self.context else { return }
            guard upload.progress == before, upload.isHeldBack else { return watchUpload(of: exchange, context) }
            cutUpload()
            deliverHeld()
        }
    }

    /// Delivers a response that was complete before the body of its request, which has gone since.
    private func deliverSent() { if !upload.isActive, !upload.isHeldBack { deliverHeld() } }

    private func deliverHeld() {
        guard !upload.isActive, upload.heldEnd != nil, let context, let current, case .end(let trailers) = upload.finish() else { return }
        finish(current, trailers: trailers, context: context)
    }

    /// Ends the body of a request whose response is complete. A final response does not need the rest, and the server may
    /// not read it (RFC 9112 §9.3 and §9.5, RFC 9113 §8.1).
    private func cutUpload() {
        upload.stop()
        isUploadCut = true
        // Without the rest, a connection over HTTP/1 carries no other request.
        if !uses.isHTTP2 { isSoiled = true }
    }

    /// Ends a response whose last part was decoded, together with the bytes that were read with it.
    private func finishBatch(_ context: ChannelHandlerContext) {
        guard case .end(let trailers) = lastPart else { return }
        lastPart = nil
        guard let current else { return }
        finish(current, trailers: trailers, context: context)
    }

    /// Whether the whole response is here, although it does not count as ended yet.
    private var isComplete: Bool { lastPart != nil || upload.heldEnd != nil }

    private func received(_ head: HTTPResponseHead, of exchange: WireExchange, context: ChannelHandlerContext) {
        if let fault = fault(of: head) {
            // The pool does not see this head, so it must not see the end of the response either.
            isSoiled = true
            return exchange.end(fault)
        }
        if head.status.code < 200, head.status != .switchingProtocols {
            exchange.exchange.report(.informational(status: Int(head.status.code)))
            return
        }
        let fields = names.head(head)
        hasHead = true
        isFailure = head.status.code >= 300
        mayHaveContent = exchange.mayHaveContent(fields.status)
        endsWithConnection = !uses.isHTTP2 && !isDelimited(fields, of: exchange)
        // RFC 9112 §9.5: the server does not need the rest of the body, and without it the connection cannot be
        // used again.
        let isCut = upload.isActive && head.status.code >= 300
        if isCut {
            upload.stop()
            isUploadCut = true
        } else if canKeep(head, fields, of: exchange) {
            heldHead = head
        }
        exchange.received(fields)
        if heldHead == nil { show(head, closes: isCut || exchange.message.closesConnection, context) }
    }

    /// Passes a head to the pool, which decides by it whether the connection can be used again.
    private func show(_ head: HTTPResponseHead, closes: Bool, _ context: ChannelHandlerContext) {
        var head = head
        if closes { head.headers.replaceOrAdd(name: "connection", value: "close") }
        isPoolReading = true
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    private func finish(_ exchange: WireExchange, trailers: HTTPHeaders?, context: ChannelHandlerContext) {
        // The exchange is removed first, so that a caller that continues finds the connection free.
        current = nil
        resumeReading(context)
        let fields = trailers.map { names.fields($0) }
        if !uses.isHTTP2, uses.isWorn { isSoiled = true }
        // A soiled connection over HTTP/1 is not idle: it closes.
        if !isSoiled || uses.isHTTP2 { endObserved() }
        if isSoiled {
            // The pool would use the connection for a waiting request as soon as it sees the end.
            _ = exchange.letGo()
            leaveWaiting()
        } else if heldHead == nil {
            lease = nil
            isPoolReading = false
            context.fireChannelRead(wrapInboundOut(.end(trailers)))
        } else if let lease, exchange.letGo() {
            idleSince = .now()
            keepOrReturn(lease, context)
        } else {
            giveBack(context)
        }
        if let caller = exchange.receivedEnd(trailers: fields) { resumptions.add(caller) }
        // RFC 9113 §8.1: without a reset, the stream would stay open for the rest of the body.
        if isSoiled || isUploadCut && uses.isHTTP2 {
            if isUploadCut, !uses.isHTTP2 { dropUnsent(context) }
            context.close(promise: nil)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isComplete { heads?.end() }
        finishBatch(context)
        current?.receivedBatch()
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isComplete { isSoiled = true }
        finishBatch(context)
        // A reset reports its error before the connection is inactive, and the pool would fail a complete response.
        finishEarly()
        if failure == nil { failure = error }
        judgeStream(context)
        endWithConnection()
        // An idle connection that fails must not carry an exchange before it has closed.
        if current == nil { leaveWaiting() }
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        finishBatch(context)
        judgeStream(context)
        finishEarly()
        endWithConnection()
        upload.stop()
        leaveWaiting()
        endObserved(isOver: true)
        context.fireChannelInactive()
        current = nil
    }

    /// Delivers a response that was complete before its request, although the connection has closed since.
    private func finishEarly() {
        guard upload.heldEnd != nil, let current, case .end(let trailers) = upload.finish() else { return }
        isUploadCut = true
        let fields = trailers.map { names.fields($0) }
        if let caller = current.receivedEnd(trailers: fields) { resumptions.add(caller) }
    }

    // MARK: Back-pressure

    func read(context: ChannelHandlerContext) {
        if isReadingPaused { hasHeldRead = true } else { context.read() }
    }

    func resumeReading(for exchange: WireExchange) {
        guard let context, current === exchange else { return }
        resumeReading(context)
    }

    private func resumeReading(_ context: ChannelHandlerContext) {
        guard isReadingPaused else { return }
        isReadingPaused = false
        guard hasHeldRead else { return }
        hasHeldRead = false
        context.read()
    }
}

@available(*, unavailable)
extension ExchangeHandler: Sendable {}
#endif
