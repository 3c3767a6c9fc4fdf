#if NIO
import NIOCore
import NIOPosix
import NIOSSL
import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// An HTTP/2 server over TLS that answers each request with the bytes a test wants, and closes no connection by itself.
final class RawHTTP2Server: Sendable {
    /// Returns the answer to a request: its number over all connections, from 0, and its stream.
    typealias Script = @Sendable (_ number: Int, _ stream: UInt32) -> [UInt8]

    struct Log: Sendable {
        var connections = 0
        var closed = 0
        var requests = 0
        var resets = 0
        /// The bytes of bodies, and the number of those that came to their end.
        var bodies = (bytes: 0, ended: 0)
    }
    /// What a server takes of each body: some bytes after each pause.
    struct Appetite: Sendable {
        let bytes: UInt32
        let pause: TimeAmount
    }

    private let log = Locked(Log())
    private let channel: any Channel

    /// - Parameters:
    ///   - hasTLS: whether a connection, counted from 0, gets an answer to its TLS handshake.
    ///   - opening: what a connection starts with; valid settings unless told otherwise.
    init(
        hasTLS: @escaping @Sendable (_ connection: Int) -> Bool = { _ in true },
        opening: @escaping @Sendable (_ connection: Int) -> [UInt8] = { _ in HTTP2Bytes.frame(4) }, appetite: Appetite? = nil, script: @escaping Script
    ) async throws {
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
                    guard hasTLS(number) else { return }
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    try channel.pipeline.syncOperations.addHandler(
                        RawHTTP2ServerHandler(opening: opening(number), appetite: appetite, log: log, script: script))
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

final class RawHTTP2ServerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let opening: [UInt8]
    private let appetite: RawHTTP2Server.Appetite?
    private let log: Locked<RawHTTP2Server.Log>
    private let script: RawHTTP2Server.Script
    private var input = ByteBuffer()
    private var hasOpened = false

    init(opening: [UInt8], appetite: RawHTTP2Server.Appetite?, log: Locked<RawHTTP2Server.Log>, script: @escaping RawHTTP2Server.Script) {
        self.opening = opening
        self.appetite = appetite
        self.log = log
        self.script = script
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        input.writeBuffer(&bytes)
        if !hasOpened {
            // The preface of the client (RFC 9113 §3.4).
            guard input.readSlice(length: 24) != nil else { return }
            hasOpened = true
            send(opening, context)
        }
        while let (type, flags, stream, length) = next() {
            if type == 0 { log.withLock { $0.bodies = ($0.bodies.bytes + length, $0.bodies.ended + Int(flags & 1)) } }
            if type == 3 { log.withLock { $0.resets += 1 } }
            answer(type, flags, stream, context)
        }
    }

    private func next() -> (type: UInt8, flags: UInt8, stream: UInt32, length: Int)? {
        var rest = input
        guard let length = rest.readInteger(as: UInt16.self), let low = rest.readInteger(as: UInt8.self),
            let type = rest.readInteger(as: UInt8.self), let flags = rest.readInteger(as: UInt8.self),
            let stream = rest.readInteger(as: UInt32.self), rest.readSlice(length: Int(length) << 8 | Int(low)) != nil
        else { return nil }
        input = rest
        return (type, flags, stream, Int(length) << 8 | Int(low))
    }

    private func answer(_ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ context: ChannelHandlerContext) {
        if type == 4, flags == 0 { send(HTTP2Bytes.frame(4, flags: 1), context) }
        guard type == 1 else { return }
        let number = log.withLock { log in
            log.requests += 1
            return log.requests - 1
        }
        send(script(number, stream), context)
        if let appetite { take(appetite, of: stream, context) }
    }

    private func take(_ appetite: RawHTTP2Server.Appetite, of stream: UInt32, _ context: ChannelHandlerContext) {
        context.eventLoop.assumeIsolated().scheduleTask(in: appetite.pause) { [self] in
            guard context.channel.isActive else { return }
            send(HTTP2Bytes.frame(8, stream, appetite.bytes.bytes), context)
            take(appetite, of: stream, context)
        }
    }

    private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        guard !bytes.isEmpty else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { log.withLock { $0.closed += 1 } }
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Frames of HTTP/2 (RFC 9113 §4.1), right or wrong.
enum HTTP2Bytes {
    static func frame(_ type: UInt8, flags: UInt8 = 0, _ stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        let length = UInt32(payload.count).bytes
        return length[1...] + [type, flags] + stream.bytes + payload
    }

    /// Fields as literals that enter no table (RFC 7541 §6.2.2).
    static func fields(_ list: [(String, String)]) -> [UInt8] {
        list.flatMap { [0] + text($0.0) + text($0.1) }
    }

    /// HEADERS, and CONTINUATION where the fields need it.
    static func headers(_ stream: UInt32, _ list: [(String, String)], ends: Bool = false, piece: Int = 16_384) -> [UInt8] {
        let block = fields(list)
        guard block.count > piece else { return frame(1, flags: ends ? 5 : 4, stream, block) }
        var frames = frame(1, flags: ends ? 1 : 0, stream, Array(block.prefix(piece)))
        var rest = block.dropFirst(piece)
        while !rest.isEmpty {
            frames += frame(9, flags: rest.count <= piece ? 4 : 0, stream, Array(rest.prefix(piece)))
            rest = rest.dropFirst(piece)
        }
        return frames
    }

    static func data(_ stream: UInt32, _ text: String, ends: Bool = true) -> [UInt8] {
        frame(0, flags: ends ? 1 : 0, stream, Array(text.utf8))
    }

    static func answer(_ stream: UInt32, _ text: String = "ok") -> [UInt8] {
        headers(stream, [(":status", "200")]) + data(stream, text)
    }

    static func setting(_ number: UInt16, _ value: UInt32) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 255)] + value.bytes }

    private static func text(_ text: String) -> [UInt8] {
        var rest = text.utf8.count
        guard rest >= 127 else { return [UInt8(rest)] + text.utf8 }
        // RFC 7541 §5.1: an integer with a prefix of 7 bits.
        var bytes: [UInt8] = [127]
        rest -= 127
        while rest >= 128 {
            bytes.append(UInt8(rest & 127 | 128))
            rest >>= 7
        }
        return bytes + [UInt8(rest)] + text.utf8
    }
}

extension UInt32 {
    var bytes: [UInt8] { [UInt8(self >> 24), UInt8(self >> 16 & 255), UInt8(self >> 8 & 255), UInt8(self & 255)] }
}
#endif
