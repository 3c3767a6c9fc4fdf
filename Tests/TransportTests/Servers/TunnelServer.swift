#if Tools
import NIOCore
import NIOPosix
import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// A proxy that makes tunnels (RFC 9110 §9.3.6) and looks at nothing that goes through them.
final class TunnelServer: Sendable {
    private let asked: Locked<[String]>
    private let channel: any Channel

    deinit { channel.close(promise: nil) }

    /// What it was asked to connect to, in order.
    var targets: [String] { asked.withLock { $0 } }
    var port: Int { channel.localAddress?.port ?? 0 }

    private init(_ channel: any Channel, _ asked: Locked<[String]>) {
        self.channel = channel
        self.asked = asked
    }

    static func start() async throws -> TunnelServer {
        let asked = Locked<[String]>([])
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(TunnelHandler { target in asked.withLock { $0.append(target) } })
            }
        }
        return TunnelServer(try await bootstrap.bind(host: "127.0.0.1", port: 0).get(), asked)
    }

    func stop() async { try? await channel.close() }
}

private final class TunnelHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let note: @Sendable (String) -> Void
    private var head = ByteBuffer()
    private var other: (any Channel)?

    init(_ note: @escaping @Sendable (String) -> Void) { self.note = note }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if let other { return other.writeAndFlush(unwrapInboundIn(data), promise: nil) }
        var chunk = unwrapInboundIn(data)
        head.writeBuffer(&chunk)
        let text = String(buffer: head)
        guard text.hasSuffix("\r\n\r\n") else { return }
        let target = String(text.split(separator: " ").dropFirst().first ?? "")
        note(target)
        let parts = target.split(separator: ":")
        let (near, loopBound) = (context.channel, NIOLoopBound(self, eventLoop: context.eventLoop))
        ClientBootstrap(group: context.eventLoop)
            .channelInitializer { far in
                far.eventLoop.makeCompletedFuture { try far.pipeline.syncOperations.addHandler(Relay(near)) }
            }
            .connect(host: "127.0.0.1", port: parts.last.flatMap { Int($0) } ?? 0)
            .whenComplete { result in
                guard case .success(let far) = result else { return near.close(promise: nil) }
                loopBound.value.other = far
                near.writeAndFlush(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n"), promise: nil)
            }
    }

    func channelInactive(context: ChannelHandlerContext) { other?.close(promise: nil) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

private final class Relay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel

    init(_ other: any Channel) { self.other = other }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { other.writeAndFlush(unwrapInboundIn(data), promise: nil) }
    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
#endif
