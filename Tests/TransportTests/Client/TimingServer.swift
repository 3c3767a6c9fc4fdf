#if Tools
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import TarmacCore

/// A server over TLS that takes a known time before it answers the handshake. Each request gets 200 and no body.
final class SlowHandshakeServer: Sendable {
    private let channel: any Channel

    init(_ pause: Duration) async throws {
        let context = try NIOSSLContext(configuration: try Fixture.localhost.serverConfiguration())
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                // Nothing is read before this is over.
                channel.eventLoop.scheduleTask(in: .nanoseconds(pause.components.attoseconds / 1_000_000_000)) {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    try pipeline.configureHTTPServerPipeline()
                    try pipeline.addHandler(Answer())
                }.futureResult
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    deinit { channel.close(promise: nil) }

    var url: String { "https://localhost:\(channel.localAddress?.port ?? 0)" }

    func stop() async { try? await channel.close().get() }

    private final class Answer: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            context.write(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "0"]))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}
#endif
