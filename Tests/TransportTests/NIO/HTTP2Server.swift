#if NIO
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// An HTTP/2 server over TLS that answers each request with the frames a test wants.
final class HTTP2Server: Sendable {
    enum Action: Sendable {
        case headers([(String, String)], ends: Bool = false)
        case data(String, ends: Bool = false)
        case reset(NIOHTTP2.HTTP2ErrorCode)
        /// Closes the connection after GOAWAY, unless told otherwise.
        case goAway(last: Int, closes: Bool = true)
        case closeConnection
    }

    struct Received: Sendable {
        let connection: Int
        /// Counted over all connections, from 0.
        let number: Int
        let headers: [(String, String)]
        let body: String

        subscript(_ name: String) -> String? { headers.first { $0.0 == name }?.1 }
    }

    struct Log: Sendable {
        var connections = 0
        var requests: [Received] = []
        var resets = 0
        var closed = 0
    }

    typealias Script = @Sendable (Received) -> [Action]

    private let log = Locked(Log())
    private let channel: any Channel

    /// - Parameter answersEarly: answers when the head is there, and not when the body is.
    init(answersEarly: Bool = false, script: @escaping Script) async throws {
        let log = log
        var tls = try TestCertificates.server(TestCertificates.localhost)
        tls.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: tls)
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let number = log.withLock { log in
                        log.connections += 1
                        return log.connections - 1
                    }
                    channel.closeFuture.whenComplete { _ in log.withLock { $0.closed += 1 } }
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    var connection = NIOHTTP2Handler.ConnectionConfiguration()
                    connection.contentLengthValidation = .disabled
                    _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
                        mode: .server, connectionConfiguration: connection, streamConfiguration: .init()
                    ) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            try stream.pipeline.syncOperations.addHandler(
                                HTTP2ServerHandler(connection: number, answersEarly: answersEarly, log: log, script: script))
                        }
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    deinit { channel.close(promise: nil) }

    var seen: Log { log.withLock { $0 } }

    func url(_ path: String = "/") throws -> HTTPURL {
        try HTTPURL("https://localhost:\(channel.localAddress?.port ?? 0)\(path)")
    }
}

private final class HTTP2ServerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let connection: Int
    private let answersEarly: Bool
    private let log: Locked<HTTP2Server.Log>
    private let script: HTTP2Server.Script
    private var headers: [(String, String)] = []
    private var body = ""

    init(connection: Int, answersEarly: Bool, log: Locked<HTTP2Server.Log>, script: @escaping HTTP2Server.Script) {
        self.connection = connection
        self.answersEarly = answersEarly
        self.log = log
        self.script = script
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let frame):
            headers = frame.headers.map { ($0.name, $0.value) }
            if frame.endStream || answersEarly { answer(context) }
        case .data(let frame):
            if case .byteBuffer(let bytes) = frame.data { body += String(buffer: bytes) }
            if frame.endStream, !answersEarly { answer(context) }
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        log.withLock { $0.resets += 1 }
    }

    private func answer(_ context: ChannelHandlerContext) {
        let received = log.withLock { log in
            log.requests.append(.init(connection: connection, number: log.requests.count, headers: headers, body: body))
            return log.requests[log.requests.count - 1]
        }
        for action in script(received) { run(action, context) }
    }

    private func run(_ action: HTTP2Server.Action, _ context: ChannelHandlerContext) {
        switch action {
        case .headers(let fields, let ends):
            write(.headers(.init(headers: HPACKHeaders(fields), endStream: ends)), context)
        case .data(let text, let ends):
            write(.data(.init(data: .byteBuffer(ByteBuffer(string: text)), endStream: ends)), context)
        case .reset(let code): write(.rstStream(code), context)
        case .goAway(let last, let closes):
            let frame = HTTP2Frame(
                streamID: .rootStream, payload: .goAway(lastStreamID: HTTP2StreamID(last), errorCode: .noError, opaqueData: nil))
            let parent = context.channel.parent
            parent?.writeAndFlush(frame).whenComplete { _ in if closes { parent?.close(promise: nil) } }
        case .closeConnection: context.channel.parent?.close(promise: nil)
        }
    }

    private func write(_ payload: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(payload), promise: nil)
    }
}
#endif
