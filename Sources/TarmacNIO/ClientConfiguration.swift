#if NIO
import AsyncHTTPClient
package import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL
import TarmacCore
import TarmacResolver

/// Makes the configuration of AsyncHTTPClient for ``ConnectionSettings``. It disables every decision that
/// Tarmac makes above the transport.
package enum ClientConfiguration {
    static let connectionsPerHost = 64

    /// The pool's own limits fail requests that only wait for a connection, and Tarmac has time limits above
    /// the transport. This long limit remains only to end a connection attempt that nothing else would end.
    private static let poolLimit = TimeAmount.seconds(60)

    static func make(
        _ settings: ConnectionSettings, _ tls: TLSConfiguration, limit: Int? = nil, proxy: HTTPClient.Configuration.Proxy?, isFresh: Bool,
        override: ConnectionRoute.Override? = nil, registry: ExchangeRegistry, gate: PinGate? = nil, versions: VersionGate? = nil
    ) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .disabled
        configuration.timeout = .init(connect: poolLimit)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            limit ?? settings.connectionsPerHost ?? connectionsPerHost
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.idleTimeout = .init(settings.idleConnectionTimeout)
        configuration.httpVersion = settings.httpVersions == .http1Only || versions?.isHTTP1Only == true ? .http1Only : .automatic
        configuration.proxy = proxy
        // The name of the URL stays that of TLS.
        if let override { configuration.dnsOverride = [override.host: override.address.text] }
        // Over HTTP/1.1, ``ConnectionUses`` counts: most requests do not pass the pool.
        configuration.maximumUsesPerConnection = isFresh ? 1 : settings.usesPerConnection
        configuration.localAddress = settings.localAddress
        // A span here would describe the stand-in, not the request.
        configuration.tracing.tracer = nil
        installHandlers(in: &configuration, registry: registry, wear: isFresh ? ConnectionWear() : ConnectionWear(settings)) { channel, isHTTP2 in
            let notice = try gate?.check(channel)
            try versions?.admit(isHTTP2: isHTTP2, isFresh: isFresh)
            return notice
        }
        return configuration
    }

    private static func installHandlers(
        in configuration: inout HTTPClient.Configuration, registry: ExchangeRegistry, wear: ConnectionWear,
        check: @escaping @Sendable (_ channel: any Channel, _ isHTTP2: Bool) throws -> PinNotice?
    ) {
        configuration.http1_1ConnectionDebugInitializer = { channel in
            admit(channel) {
                let uses = ConnectionUses(isHTTP2: false, address: channel.remoteAddress, notice: try check(channel, false), wear: wear.ofOne)
                let pipeline = channel.pipeline.syncOperations
                let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                let heads = ResponseHeadHandler()
                try pipeline.addHandler(heads, position: .before(decoder))
                try pipeline.addHandler(
                    ExchangeHandler(registry: registry, uses: uses, heads: heads, eventLoop: channel.eventLoop),
                    position: .after(decoder))
            }
        }
        configuration.http2ConnectionDebugInitializer = { channel in
            admit(channel) {
                let uses = ConnectionUses(
                    isHTTP2: true, address: channel.remoteAddress, notice: try check(channel, true), wear: wear.ofOne, registry: registry)
                let pipeline = channel.pipeline.syncOperations
                let codec = try pipeline.handler(type: NIOHTTP2Handler.self)
                try pipeline.addHandler(GoAwayWatch(), position: .before(codec))
                try pipeline.addHandler(uses, position: .after(codec))
            }
        }
        configuration.http2StreamChannelDebugInitializer = { stream in
            prepared(stream) {
                // AsyncHTTPClient learns one tick late that a connection has closed. A stream that is made in
                // that tick would wait forever for the connection to become active. It is refused here, and the
                // request goes to the pool again.
                guard stream.parent?.isActive == true else { throw ChannelError.ioOnClosedChannel }
                let uses = try stream.parent?.pipeline.syncOperations.handler(type: ConnectionUses.self)
                let pipeline = stream.pipeline.syncOperations
                let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
                try pipeline.addHandler(
                    ExchangeHandler(
                        registry: registry, uses: uses ?? ConnectionUses(isHTTP2: true, address: stream.remoteAddress),
                        eventLoop: stream.eventLoop),
                    position: .after(codec))
            }
        }
    }

    /// Prepares a connection, which the pool owns only if this succeeds. A refused connection is closed here,
    /// because the pool does not close it.
    private static func admit(_ channel: any Channel, _ prepare: () throws -> Void) -> EventLoopFuture<Void> {
        prepared(channel, prepare).flatMapError { error in
            // The pool must not learn of the end of a connection that it has forgotten, so it learns of the error last. TLS would wait for a
            // server that need not answer.
            let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)
            if let tls { tls.close(promise: nil) } else { channel.close(promise: nil) }
            return channel.closeFuture.flatMapThrowing { throw error }
        }
    }

    /// A pipeline without the known handlers is of a version of AsyncHTTPClient that this transport does not know.
    package static func prepared(_ channel: any Channel, _ prepare: () throws -> Void) -> EventLoopFuture<Void> {
        channel.eventLoop.makeCompletedFuture {
            do { try prepare() } catch let error as ChannelPipelineError {
                throw TarmacError(
                    .unsupported, phase: .connecting, "this version of AsyncHTTPClient builds its connections in another way than TarmacNIO knows",
                    suggestion: "use the version that Documentation/Platforms.md names, or .urlSession", cause: error)
            }
        }
    }
}

extension TimeAmount {
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.withinACentury.components
        self = .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}
#endif
