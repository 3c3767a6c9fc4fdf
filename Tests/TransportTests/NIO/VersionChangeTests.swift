#if NIO
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import Testing

/// Hosts whose servers do not speak the same version of HTTP. AsyncHTTPClient's pool ends the process if the version changes twice while
/// connections of both are open.
@Suite(.timeLimit(.minutes(5)))
struct VersionChangeTests {
    /// A server of which some connections speak HTTP/2, and the others HTTP/1.1.
    private final class MixedServer: Sendable {
        private let counts: Locked<(connections: Int, http1: Int, closed: Int)>
        private let channel: any Channel

        /// - Parameters:
        ///   - isHTTP2: whether a connection speaks HTTP/2, by its number.
        ///   - takesHTTP1: whether the servers with HTTP/2 take HTTP/1.1 too.
        ///   - isDeaf: whether those leave the end of TLS without an answer.
        ///   - answer: the answer to a request over HTTP/2.
        init(
            isHTTP2: @escaping @Sendable (Int) -> Bool = { $0 % 2 == 0 }, takesHTTP1: Bool, keeps: Bool, isDeaf: Bool = false,
            answer: @escaping RawHTTP2Server.Script
        ) async throws {
            let counts = Locked((connections: 0, http1: 0, closed: 0))
            self.counts = counts
            let end = keeps ? "" : "Connection: close\r\n"
            let contexts = try [takesHTTP1 ? ["h2", "http/1.1"] : ["h2"], ["http/1.1"]].map { protocols in
                var tls = try TestCertificates.server(TestCertificates.localhost)
                tls.applicationProtocols = protocols
                return try NIOSSLContext(configuration: tls)
            }
            let log = Locked(RawHTTP2Server.Log())
            channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let number = counts.withLock { counts in
                            defer { counts.connections += 1 }
                            return counts.connections
                        }
                        channel.closeFuture.whenComplete { _ in counts.withLock { $0.closed += 1 } }
                        let pipeline = channel.pipeline.syncOperations
                        if isDeaf, isHTTP2(number) { try pipeline.addHandler(Deaf()) }
                        try pipeline.addHandler(NIOSSLServerHandler(context: contexts[isHTTP2(number) ? 0 : 1]))
                        try pipeline.addHandler(
                            ApplicationProtocolNegotiationHandler { result, channel in
                                channel.eventLoop.makeCompletedFuture {
                                    guard result == .negotiated("http/1.1") else {
                                        let handler = RawHTTP2ServerHandler(opening: HTTP2Bytes.frame(4), appetite: nil, log: log, script: answer)
                                        return try channel.pipeline.syncOperations.addHandler(handler)
                                    }
                                    counts.withLock { $0.http1 += 1 }
                                    let handler = NIORawServerHandler(connection: number, answersHeads: false, log: Locked(NIORawServer.Log())) {
                                        $0.head.hasPrefix("GET /poll") ? [] : [.send("HTTP/1.1 200 OK\r\n\(end)Content-Length: 2\r\n\r\nok")]
                                    }
                                    try channel.pipeline.syncOperations.addHandler(handler)
                                }
                            })
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
        }

        deinit { channel.close(promise: nil) }

        var seen: (connections: Int, http1: Int, closed: Int) { counts.withLock { $0 } }
        func url(_ path: String = "/") throws -> HTTPURL { try HTTPURL("https://localhost:\(channel.localAddress?.port ?? 0)\(path)") }
    }

    /// Does not close its side of a connection before the other side has.
    private final class Deaf: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) { promise?.succeed() }
    }

    private func with<Result>(_ body: (any Transport) async throws -> Result) async throws -> Result {
        try await TestCertificates.withFile(TestCertificates.root) { file in
            try await withTransport(ConnectionSettings { $0.trust = .only(pemFile: file) }, body)
        }
    }

    /// The first connection goes away and keeps its stream, so that the next one is opened while it is there.
    @Test func aVersionThatChangesWithEachConnectionLosesNoCall() async throws {
        let server = try await MixedServer(takesHTTP1: false, keeps: false) { number, stream in
            let last = HTTP2Bytes.frame(7, 0, [0, 0, 0, UInt8(stream), 0, 0, 0, 0])
            return (number == 0 ? HTTP2Bytes.headers(stream, [(":status", "200")]) : HTTP2Bytes.answer(stream)) + last
        }
        let url = try server.url()
        try await with { transport in
            let flight = Flight(.streamed)
            let open = try await transport.send(Request(.get, url), exchange: flight.exchange)
            #expect(await transport.boundedFailure(Request(.post, url)) == nil)
            flight.exchange.abort(.cancelled)
            if let stream = open.stream { _ = try? await stream.collect(upTo: 1) }
            for _ in 0..<6 { #expect(await transport.boundedFailure(Request(.post, url)) == nil) }
        }
        #expect(server.seen.http1 >= 3)
    }

    /// The pool would learn of the end of a connection that it does not have.
    @Test func aShutdownAfterARefusedConnectionEndsNoProcess() async throws {
        let server = try await MixedServer(isHTTP2: { $0 == 1 }, takesHTTP1: true, keeps: true, isDeaf: true) { _, stream in HTTP2Bytes.answer(stream) }
        let url = try server.url(), poll = try server.url("/poll")
        try await with { transport in
            let flight = Flight()
            async let open = transport.failure(Request(.get, poll), flight)
            await eventually { flight.count("sentHead") == 1 }
            #expect(await transport.boundedFailure(Request(.post, url)) == nil)
            flight.exchange.abort(.cancelled)
            _ = await open
        }
        await eventually { server.seen.closed == server.seen.connections }
        #expect(server.seen.connections == 3)
    }

    @Test func aFleetOfBothVersionsLosesNoCallAndIsUsedOverHTTP1() async throws {
        let server = try await MixedServer(takesHTTP1: true, keeps: true) { _, stream in HTTP2Bytes.answer(stream) }
        let url = try server.url()
        try await with { transport in
            for _ in 0..<20 {
                let failures = await withTaskGroup { group in
                    for _ in 0..<6 { group.addTask { await transport.boundedFailure(Request(.post, url)) } }
                    return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
                }
                #expect(failures.isEmpty)
            }
        }
        // A connection for each of the six calls, and those that were opened before the versions were known.
        #expect(server.seen.connections <= 30, "\(server.seen)")
    }
}
#endif
