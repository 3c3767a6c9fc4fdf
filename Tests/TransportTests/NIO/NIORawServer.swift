#if NIO
import NIOCore
import NIOPosix
import NIOSSL
import Tarmac
@_spi(TarmacRooms) import TarmacCore
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A server that answers each request with the bytes a test wants, right or wrong.
final class NIORawServer: Sendable {
    /// What a server does about a request, in this order.
    enum Action: Sendable {
        case send(String)
        case sendBytes(ByteBuffer)
        case close
        /// Closes so that the peer sees a reset.
        case reset
        /// Breaks TLS: bytes that are no record, a record that cannot be decrypted, or an end without a notice.
        case `break`(String)
    }

    /// A request as it came, with the numbers of its connection and of itself on that connection, from 0.
    struct Received: Sendable {
        let connection: Int
        let number: Int
        let head: String
        let body: String

        func header(_ name: String) -> String? {
            let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name.lowercased()):") }
            return line.map { $0.dropFirst(name.count + 1).drop { $0 == " " } }.map(String.init)
        }
    }

    struct Log: Sendable {
        var requests: [Received] = []
        var connections = 0
        var closed = 0
        var bytesReceived = 0
        var waiters: [(condition: @Sendable (Log) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    typealias Script = @Sendable (Received) -> [Action]

    private let log = Locked(Log())
    private let channel: any Channel

    /// - Parameter answersHeads: answer as soon as a head is there, without waiting for the body.
    init(
        unixSocket: String? = nil, answersHeads: Bool = false,
        prepare: @escaping @Sendable (any Channel) throws -> Void = { _ in }, script: @escaping Script
    ) async throws {
        let log = log
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let number = log.change { log in
                        log.connections += 1
                        return log.connections - 1
                    }
                    try prepare(channel)
                    try channel.pipeline.syncOperations.addHandler(
                        NIORawServerHandler(connection: number, answersHeads: answersHeads, log: log, script: script))
                }
            }
        let bound = unixSocket.map { bootstrap.bind(unixDomainSocketPath: $0) } ?? bootstrap.bind(host: "127.0.0.1", port: 0)
        channel = try await bound.get()
    }

    deinit { channel.close(promise: nil) }

    var port: Int { channel.localAddress?.port ?? 0 }
    var seen: Log { log.withLock { $0 } }

    func url(_ path: String = "/", scheme: String = "http", host: String = "127.0.0.1") throws -> HTTPURL {
        try HTTPURL("\(scheme)://\(host):\(port)\(path)")
    }

    /// Returns as soon as the log satisfies the condition.
    func until(_ condition: @escaping @Sendable (Log) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isThere = log.withLock { log in
                if condition(log) { return true }
                log.waiters.append((condition, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func stop() async { try? await channel.close() }
}

extension Locked where Value == NIORawServer.Log {
    @discardableResult
    func change<Result>(_ body: (inout NIORawServer.Log) -> Result) -> Result {
        let (result, ready) = withLock { log in
            let result = body(&log)
            let now = log
            log.waiters.removeAll { $0.condition(now) }
            return (result, now.waiters.filter { $0.condition(now) }.map(\.continuation))
        }
        for continuation in ready { continuation.resume() }
        return result
    }
}

/// Splits what comes into requests and runs the script.
final class NIORawServerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connection: Int
    private let answersHeads: Bool
    private let log: Locked<NIORawServer.Log>
    private let script: NIORawServer.Script
    private var input = ByteBuffer()
    private var head: String?
    private var number = 0

    init(connection: Int, answersHeads: Bool, log: Locked<NIORawServer.Log>, script: @escaping NIORawServer.Script) {
        self.connection = connection
        self.answersHeads = answersHeads
        self.log = log
        self.script = script
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var chunk = unwrapInboundIn(data)
        log.change { $0.bytesReceived += chunk.readableBytes }
        input.writeBuffer(&chunk)
        while let received = next() {
            log.change { $0.requests.append(received) }
            for action in script(received) { run(action, context: context) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) { log.change { $0.closed += 1 } }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func next() -> NIORawServer.Received? {
        if head == nil {
            guard let end = input.readableBytesView.endOfHead else { return nil }
            head = input.readString(length: end - input.readerIndex)
        }
        guard let head else { return nil }
        let bare = NIORawServer.Received(connection: connection, number: number, head: head, body: "")
        guard let body = answersHeads ? "" : body(of: bare) else { return nil }
        if answersHeads { input.clear() }
        self.head = nil
        number += 1
        return NIORawServer.Received(connection: connection, number: number - 1, head: head, body: body)
    }

    private func body(of request: NIORawServer.Received) -> String? {
        if let length = request.header("Content-Length").flatMap({ Int($0) }) { return input.readString(length: length) }
        guard request.header("Transfer-Encoding") == "chunked" else { return "" }
        return chunkedBody()
    }

    private func chunkedBody() -> String? {
        var rest = input, body = ""
        while let line = rest.readableBytesView.firstIndex(of: 10) {
            guard let text = rest.readString(length: line - rest.readerIndex + 1),
                let count = Int(text.dropLast(text.hasSuffix("\r\n") ? 1 : 1), radix: 16),
                let chunk = rest.readString(length: count), rest.readString(length: 2) != nil
            else { return nil }
            if count == 0 {
                input = rest
                return body
            }
            body += chunk
        }
        return nil
    }

    private func run(_ action: NIORawServer.Action, context: ChannelHandlerContext) {
        switch action {
        case .send(let text): context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        case .sendBytes(let bytes): context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        case .close: context.close(promise: nil)
        case .break(let fault): self.break(fault, context: context)
        case .reset:
            let channel = context.channel
            let lingered = (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0))
            lingered?.whenComplete { _ in channel.close(promise: nil) }
        }
    }

    private func `break`(_ fault: String, context: ChannelHandlerContext) {
        // From the context of TLS on, bytes pass as they are.
        guard let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) else { return }
        switch fault {
        case "garbage": tls.writeAndFlush(NIOAny(ByteBuffer(string: "garbage, and more of it")), promise: nil)
        // RFC 8446 §5.1: a record of type 21 or 23 whose content was not encrypted with the keys of the connection.
        case "alert": tls.writeAndFlush(NIOAny(ByteBuffer(bytes: [21, 3, 3, 0, 2, 2, 80])), promise: nil)
        default: tls.close(promise: nil)
        }
    }
}

extension ByteBufferView {
    /// The index after the first empty line.
    fileprivate var endOfHead: Int? {
        var index = startIndex
        while index + 3 < endIndex {
            if self[index] == 13, self[index + 1] == 10, self[index + 2] == 13, self[index + 3] == 10 { return index + 4 }
            index += 1
        }
        return nil
    }
}
#endif
