#if NIO
import NIOCore
import NIOSSL
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import Testing

/// A connection that does not come about, while other connections carry exchanges.
@Suite(.timeLimit(.minutes(5)))
struct StuckPoolTests {
    /// The place where the second connection becomes silent.
    enum Silence: CaseIterable { case beforeTLS, afterTLS }

    private func with<Result>(_ count: Int? = nil, _ body: (any Transport) async throws -> Result) async throws -> Result {
        try await TestCertificates.withFile(TestCertificates.root) { file in
            try await withTransport(ConnectionSettings { ($0.trust, $0.connectionsPerHost) = (.only(pemFile: file), count) }, body)
        }
    }

    /// Sends calls that are given up after some turns, until one succeeds.
    private func untilOneLands(_ transport: any Transport, _ url: HTTPURL) async throws {
        try await eventually(trying: {
            var turns = 0
            let code = await transport.givenUp(Request(.post, url)) {
                turns += 1
                return turns > 1_500
            }
            return code == nil
        })
    }

    /// RFC 9113 §6.8: a connection that goes away keeps its streams. The app holds one of them open.
    @Test(arguments: Silence.allCases, [false, true])
    func aHostIsUsableWhileAStreamIsOpenAndTheNextConnectionIsSilent(_ silence: Silence, isCollected: Bool) async throws {
        let server = try await RawHTTP2Server(
            hasTLS: { $0 != 1 || silence == .afterTLS }, opening: { $0 == 1 ? [] : HTTP2Bytes.frame(4) },
            script: { number, stream in
                number == 0
                    ? HTTP2Bytes.headers(stream, [(":status", "200")]) + HTTP2Bytes.frame(7, 0, [0, 0, 0, UInt8(stream), 0, 0, 0, 0])
                    : HTTP2Bytes.answer(stream)
            })
        let url = try server.url()
        try await with { transport in
            let flight = Flight(isCollected ? .collected(limit: 10) : .streamed)
            async let open = transport.send(Request(.get, url), exchange: flight.exchange)
            await eventually { flight.count("receivedHead") != 0 }
            try await untilOneLands(transport, url)
            // From now on, every call has its connection at once.
            for _ in 0..<3 { #expect(await transport.boundedFailure(Request(.post, url)) == nil) }
            #expect(server.seen.connections == 3)
            // The open stream has not suffered.
            #expect(flight.count("ended") == 0)
            flight.exchange.abort(.cancelled)
            if let stream = try? await open.stream { _ = try? await stream.collect(upTo: 1) }
        }
    }

    /// Over HTTP/1, the other connections count: all pools together hold no more than the limit.
    @Test func aHostIsUsableWhileAPollIsOpenAndTheNextConnectionIsSilent() async throws {
        let server = try await polls { $0 != 1 }
        let url = try server.url("/", scheme: "https", host: "localhost"), poll = try server.url("/poll", scheme: "https", host: "localhost")
        try await with(2) { transport in
            let polls = [Flight(), Flight()]
            async let first = transport.failure(Request(.get, poll), polls[0])
            await server.until { $0.requests.count == 1 }
            try await untilOneLands(transport, url)
            #expect(server.seen.connections == 3)
            // The second poll takes the one connection that is left. Whoever comes then waits, and opens no other.
            async let second = transport.failure(Request(.get, poll), polls[1])
            await server.until { $0.requests.count { $0.head.hasPrefix("GET /poll") } == 2 }
            var turns = 0
            let code = await transport.givenUp(Request(.post, url)) {
                turns += 1
                return turns > 1_500
            }
            #expect(code == .timeout)
            #expect(server.seen.connections == 3)
            for flight in polls { flight.exchange.abort(.cancelled) }
            _ = await (first, second)
            #expect(await transport.boundedFailure(Request(.post, url)) == nil)
        }
    }

    /// A connection over HTTP/1 that is silent after its handshake is there: it fails its own call alone.
    @Test func aConnectionOverHTTP1ThatIsSilentAfterTLSFailsOneCall() async throws {
        let server = try await polls { _ in true }
        let url = try server.url("/", scheme: "https", host: "localhost"), poll = try server.url("/poll", scheme: "https", host: "localhost")
        try await with { transport in
            let open = Flight()
            async let first = transport.failure(Request(.get, poll), open)
            await server.until { $0.requests.count == 1 }
            #expect(await transport.givenUp(Request(.get, poll)) { server.seen.requests.count == 2 } == .timeout)
            for _ in 0..<3 { #expect(await transport.boundedFailure(Request(.post, url)) == nil) }
            open.exchange.abort(.cancelled)
            _ = await first
        }
        #expect(server.seen.connections == 3)
    }

    /// A server over TLS and HTTP/1 that answers no request to `/poll`.
    private func polls(hasTLS: @escaping @Sendable (_ connection: Int) -> Bool) async throws -> NIORawServer {
        var tls = try TestCertificates.server(TestCertificates.localhost)
        tls.applicationProtocols = ["http/1.1"]
        let context = try NIOSSLContext(configuration: tls), count = Locked(0)
        return try await NIORawServer(
            prepare: { channel in
                let number = count.withLock { count in
                    defer { count += 1 }
                    return count
                }
                if hasTLS(number) { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context)) }
            }, script: { $0.head.hasPrefix("GET /poll") ? [] : [ok] })
    }
}
#endif
