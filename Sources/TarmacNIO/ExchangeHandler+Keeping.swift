#if NIO
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOSSL
import TarmacCore

/// Carries exchanges one after the other on a connection that is busy for the pool.
extension ExchangeHandler {
    /// Sends an exchange while the connection is still busy for the pool.
    func carry(_ exchange: WireExchange, of lease: ConnectionLease) {
        guard let context, self.lease === lease, current == nil, heldHead != nil, context.channel.isActive, lease.pass(to: exchange)
        else { return exchange.start() }
        guard exchange.attach(to: link(context), of: lease, uses: uses) else { return keepOrReturn(lease, context) }
        heldHead = nil
        send(exchange, context: context, promise: nil)
        endOfStandIn(context: context, promise: nil)
        flush(context: context)
    }

    /// Whether the connection can carry another exchange after a response with this head (RFC 9112 §9.3).
    func canKeep(_ head: HTTPResponseHead, _ fields: ResponseHead, of exchange: WireExchange) -> Bool {
        guard !uses.isHTTP2, !upload.isActive, lease?.peer != nil, head.version == .http1_1, head.status.code >= 200, head.isKeepAlive,
            !exchange.message.closesConnection, exchange.message.head.method != .CONNECT
        else { return false }
        // After a body that ends with the connection, there is no connection to keep.
        return isDelimited(fields, of: exchange)
    }

    /// Whether the end of a response shows without the end of the connection.
    func isDelimited(_ fields: ResponseHead, of exchange: WireExchange) -> Bool {
        fields.announcedLength != nil || !exchange.mayHaveContent(fields.status) || fields.isChunked
    }

    func keepOrReturn(_ lease: ConnectionLease, _ context: ChannelHandlerContext) {
        guard lease.pass(to: nil) else { return leaveWaiting() }
        if lease.peer?.keep(lease) == true { expire(after: lease.peer?.idleTimeout, context) } else { giveBack(context) }
    }

    /// Returns the connection to the pool: the stand-in receives the last response.
    func giveBack(_ context: ChannelHandlerContext) {
        guard let head = heldHead else { return }
        heldHead = nil
        lease = nil
        context.fireChannelRead(wrapInboundOut(.head(head)))
        context.fireChannelRead(wrapInboundOut(.end(nil)))
    }

    private func expire(after time: TimeAmount?, _ context: ChannelHandlerContext) {
        guard expiry == nil, let time else { return }
        // LIFETIME: cancelled with the connection.
        expiry = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [weak self] in self?.checkExpiry() }
    }

    private func checkExpiry() {
        expiry = nil
        guard let context, let lease, let peer = lease.peer, current == nil, heldHead != nil else { return }
        let end = idleSince + peer.idleTimeout
        if end > .now() { expire(after: end - .now(), context) } else if peer.remove(lease) { context.close(promise: nil) }
    }

    /// Closes a connection over HTTP/1 when it reaches its age, if it is idle then. One that carries an exchange is closed behind that.
    func retire(_ context: ChannelHandlerContext) {
        guard !uses.isHTTP2, let lifetime = uses.nextRetirement else { return }
        // LIFETIME: cancelled with the connection.
        retirement = context.eventLoop.assumeIsolated().scheduleTask(in: lifetime) { [weak self] in
            guard let self, let context = self.context, current == nil else { return }
            if !uses.mayRetire { return retire(context) }
            if let lease, lease.peer?.remove(lease) != true { return }
            // TLS would wait for the end of the server, and the pool would use the connection meanwhile.
            let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)
            (tls ?? context).close(promise: nil)
        }
    }

    func leaveWaiting() {
        expiry?.cancel()
        expiry = nil
        if let lease { _ = lease.peer?.remove(lease) }
        lease = nil
        heldHead = nil
    }
}
#endif
