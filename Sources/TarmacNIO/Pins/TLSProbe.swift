#if NIO
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS
import TarmacCore

/// A connection that makes a handshake, sends nothing and closes. It gives access to the certificates of a
/// server.
///
/// AsyncHTTPClient makes it as a connection for plain HTTP, so that it takes the same route as requests,
/// including proxies. The probe adds TLS below AsyncHTTPClient's handlers by itself, because the TLS of
/// AsyncHTTPClient cannot be observed.
final class TLSProbe: Sendable {
    /// Whether the handshake succeeded.
    typealias Outcome = Bool

    private static let limit = TimeAmount.seconds(10)

    private let end: EventLoopPromise<Outcome>

    init() { end = MultiThreadedEventLoopGroup.singleton.next().makePromise() }

    /// The end of the probe, with or without success. It never fails.
    var outcome: EventLoopFuture<Outcome> { end.futureResult }

    func cancel() { end.succeed(false) }

    func start(_ url: HTTPURL, route: ConnectionRoute, makeHandler: @escaping @Sendable () throws -> NIOSSLClientHandler) {
        let eventLoop = end.futureResult.eventLoop
        guard let request = try? HTTPClient.Request(url: route.plainPeer(of: url)) else { return cancel() }
        let timer = eventLoop.scheduleTask(in: Self.limit) { [end] in end.succeed(false) }
        let client = HTTPClient(
            eventLoopGroupProvider: .shared(eventLoop), configuration: configuration(proxy: route.clientProxy, makeHandler: makeHandler))
        let delegate = ResponseAccumulator(request: request)
        let task = client.execute(request: request, delegate: delegate, deadline: .now() + Self.limit)
        task.futureResult.whenComplete { [end] _ in end.succeed(false) }
        end.futureResult.whenComplete { _ in
            timer.cancel()
            task.cancel()
            // LIFETIME: the client lives until this is done; its one connection has been told to end.
            client.shutdown().whenComplete { _ in }
        }
    }

    private func configuration(
        proxy: HTTPClient.Configuration.Proxy?, makeHandler: @escaping @Sendable () throws -> NIOSSLClientHandler
    ) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.timeout = .init(connect: Self.limit)
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.proxy = proxy
        configuration.tracing.tracer = nil
        configuration.http1_1ConnectionDebugInitializer = { [end] channel in
            do {
                let tls = try makeHandler()
                try channel.pipeline.syncOperations.addHandler(HandshakeWatcher(end), position: .first)
                try channel.pipeline.syncOperations.addHandler(tls, position: .first)
            } catch { end.succeed(false) }
            let over = end.futureResult.hop(to: channel.eventLoop)
            // The channel is closed after AsyncHTTPClient has received the error.
            over.whenComplete { _ in channel.eventLoop.execute { channel.close(promise: nil) } }
            return over.flatMapThrowing { _ in throw HTTPClientError.cancelled }
        }
        return configuration
    }
}

/// Keeps the events of the handshake from the handlers above.
private final class HandshakeWatcher: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let end: EventLoopPromise<TLSProbe.Outcome>

    init(_ end: EventLoopPromise<TLSProbe.Outcome>) { self.end = end }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .handshakeCompleted? = event as? TLSUserEvent else { return context.fireUserInboundEventTriggered(event) }
        end.succeed(true)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}
    func errorCaught(context: ChannelHandlerContext, error: any Error) { end.succeed(false) }

    func channelInactive(context: ChannelHandlerContext) {
        end.succeed(false)
        context.fireChannelInactive()
    }
}
#endif
