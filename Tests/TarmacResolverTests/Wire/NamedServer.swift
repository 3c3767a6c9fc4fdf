#if Tools
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import TarmacCore
import TarmacTesting

/// A server over TLS on an address of this machine, with the certificate for `shop.example`.
final class NamedServer: Sendable {
    struct Log: Sendable {
        var connections = 0
        var closed = 0
        /// The names of the handshakes (RFC 6066 §3).
        var names: [String?] = []
        /// The Host fields of the requests.
        var hosts: [String?] = []
    }

    let log = Watched(Log())
    let port: Int
    private let channel: any Channel
    private let held: Watched<[any Channel]>

    /// - Parameter holdsFirst: whether the first connection is not read until ``release()``.
    init(_ address: String = "127.0.0.1", port: Int = 0, text: String = "ok", holdsFirst: Bool = false) async throws {
        let (log, held) = (log, Watched<[any Channel]>([]))
        var tls = try ShopCertificate.server()
        tls.sslContextCallback = { values, answer in
            log.update { $0.names.append(values.serverHostname) }
            answer.succeed(.noChanges)
        }
        let context = try NIOSSLContext(configuration: tls)
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                let number = log.update { log in
                    log.connections += 1
                    return log.connections
                }
                channel.closeFuture.whenComplete { _ in log.update { $0.closed += 1 } }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                }.flatMap {
                    channel.configureCommonHTTPServerPipeline { stream in
                        stream.eventLoop.makeCompletedFuture { try stream.pipeline.syncOperations.addHandler(Answer(log, text)) }
                    }
                }.flatMap {
                    guard holdsFirst, number == 1 else { return channel.eventLoop.makeSucceededVoidFuture() }
                    held.update { $0.append(channel) }
                    return channel.setOption(.autoRead, value: false)
                }
            }
            .bind(host: address, port: port).get()
        self.held = held
        self.port = channel.localAddress?.port ?? 0
    }

    deinit { channel.close(promise: nil) }

    /// Reads the connection that is held.
    func release() { for channel in held.value { channel.setOption(.autoRead, value: true).whenComplete { _ in channel.read() } } }

    func stop() async { try? await channel.close() }

    private final class Answer: ChannelInboundHandler, Sendable {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let log: Watched<Log>
        private let text: String

        init(_ log: Watched<Log>, _ text: String) { (self.log, self.text) = (log, text) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): log.update { $0.hosts.append(head.headers.first(name: "host")) }
            case .body: break
            case .end:
                let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["content-type": "text/plain", "content-length": "\(text.utf8.count)"])
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }
}
#endif
