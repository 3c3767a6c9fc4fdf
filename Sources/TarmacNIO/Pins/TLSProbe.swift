#if NIO
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOTLS
import TarmacCore

/// A connection that shakes hands, sends nothing and closes: it is made to look at the server's certificates.
///
/// AsyncHTTPClient makes it as if it were for plain http, so that it takes the way of the requests' connections, through
/// proxies too. TLS is laid below its handlers here, since those it lays itself let nobody watch.
final class TLSProbe: Sendable {
    /// Whether the handshake came to a good end.
    typealias Outcome = Bool

    private static let limit = TimeAmount.seconds(10)

    private let end: EventLoopPromise<Outcome>

    init() { end = MultiThreadedEventLoopGroup.singleton.next().makePromise() }

    /// When the probe is over, one way or the other; it never fails.
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
            // Once AsyncHTTPClient has heard that the connection is none for it.
            over.whenComplete { _ in channel.eventLoop.execute { channel.close(promise: nil) } }
            return over.flatMapThrowing { _ in throw HTTPClientError.cancelled }
        }
        return configuration
    }
}

/// Keeps the handlers above from hearing anything of the handshake.
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
