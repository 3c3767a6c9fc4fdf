#if Tools
import HTTPTypes
import Tarmac
import TarmacCore
import TarmacNIO
import TarmacTesting
import Testing

/// HTTP/2 over AsyncHTTPClient, negotiated by ALPN.
struct HTTP2Tests {
    private static let roomy = Exchange.Delivery.collected(limit: 64 << 20)

    private static func run<Value: Sendable>(
        maxAge: Duration? = nil, _ configure: (inout ConnectionSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (SecureServer, any Transport) async throws -> Value
    ) async throws -> Value {
        var settings = ConnectionSettings { $0.trust = .only(pemFile: Fixture.root.pemFile) }
        configure(&settings)
        let transport = try TransportFactory.asyncHTTPClient.makeTransport(settings)
        do {
            let value = try await SecureServer.run(.localhost, .http2, maxAge: maxAge) { try await body($0, transport) }
            await transport.shutdown()
            return value
        } catch {
            await transport.shutdown()
            throw error
        }
    }

    // XF-7
    @Test func theNewestVersionIsNegotiated() async throws {
        try await Self.run { server, transport in
            let response = try await transport.send(Request(.get, try server.url("/hello")), exchange: Exchange(delivery: Self.roomy))
            #expect(response.version == .http2)
            #expect(response.text == "hello")
        }
    }

    // XF-7: the versions of HTTP are those of the service.
    @Test func http1OnlyMeansIt() async throws {
        try await Self.run {
            $0.httpVersions = .http1Only
        } _: { server, transport in
            let response = try await transport.send(Request(.get, try server.url("/hello")), exchange: Exchange(delivery: Self.roomy))
            #expect(response.version == .http1_1)
        }
    }

    @Test func ahundredExchangesShareOneConnection() async throws {
        try await Self.run { server, transport in
            // The version is known once there is a connection.
            _ = try await transport.send(Request(.get, try server.url("/hello")), exchange: Exchange(delivery: Self.roomy))
            let held = Request(.get, try server.url("/held"))
            let texts = try await withThrowingTaskGroup(of: String?.self) { group in
                for _ in 0..<100 {
                    group.addTask { try await transport.send(held, exchange: Exchange(delivery: Self.roomy)).text }
                }
                try await server.peers.wait { $0.count == 101 }
                server.gate.update { $0 = true }
                return try await group.reduce(into: [String?]()) { $0.append($1) }
            }
            #expect(texts == Array(repeating: "held", count: 100))
            #expect(Set(server.peers.value).count == 1)
        }
    }

    @Test func bodiesGoBothWays() async throws {
        try await Self.run { server, transport in
            let body = Bytes((0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* 13) })
            for content in [
                Body.bytes(body),
                .stream(
                    ByteStream(
                        AsyncStream {
                            $0.yield(body); $0.finish()
                        })),
            ] {
                let request = Request(.post, try server.url("/echo"), body: content)
                let response = try await transport.send(request, exchange: Exchange(delivery: Self.roomy))
                #expect(response.body.collected == body)
            }
        }
    }

    @Test func repeatedFieldsStaySeparate() async throws {
        try await Self.run { server, transport in
            let response = try await transport.send(Request(.get, try server.url("/repeated")), exchange: Exchange(delivery: Self.roomy))
            #expect(response.headers[fields: .setCookie].map(\.value) == ["a=1", "b=2"])
        }
    }

    @Test func trailersArrive() async throws {
        try await Self.run { server, transport in
            let response = try await transport.send(Request(.get, try server.url("/trailers")), exchange: Exchange(delivery: Self.roomy))
            #expect(response.trailers?[.contentLanguage] == "sum")
        }
    }

    @Test func anAbortResetsOneStreamAndLeavesTheOthers() async throws {
        try await Self.run { server, transport in
            _ = try await transport.send(Request(.get, try server.url("/hello")), exchange: Exchange(delivery: Self.roomy))
            let held = Request(.get, try server.url("/held"))
            let first = Exchange(delivery: Self.roomy)
            let aborted = Task { try await transport.send(held, exchange: first) }
            let kept = Task { try await transport.send(held, exchange: Exchange(delivery: Self.roomy)) }
            try await server.peers.wait { $0.count == 3 }
            first.abort(.cancelled)
            await #expect(throws: CancellationError.self) { try await aborted.value }
            server.gate.update { $0 = true }
            #expect(try await kept.value.text == "held")
            #expect(Set(server.peers.value).count == 1)
        }
    }

    @Test func aDroppedStreamLeavesTheConnection() async throws {
        try await Self.run { server, transport in
            let exchange = Exchange(delivery: .streamed)
            try await Self.readOne(Request(.get, try server.url("/big")), transport, exchange)
            let response = try await transport.send(Request(.get, try server.url("/hello")), exchange: Exchange(delivery: Self.roomy))
            #expect(response.text == "hello")
            #expect(exchange.isEnded)
            #expect(Set(server.peers.value).count == 1)
        }
    }

    private static func readOne(_ request: Request, _ transport: any Transport, _ exchange: Exchange) async throws {
        let response = try await transport.send(request, exchange: exchange)
        guard case .stream(let stream) = response.body else { throw TarmacError(.transportFailed, "no stream") }
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next()?.isEmpty == false)
    }

    @Test func aStreamResetByTheServerIsNoCompleteBody() async throws {
        try await Self.run { server, transport in
            let half = Request(.get, try server.url("/half"))
            let response = try await transport.send(half, exchange: Exchange(delivery: .streamed))
            guard case .stream(let stream) = response.body else { throw TarmacError(.transportFailed, "no stream") }
            var iterator = stream.makeAsyncIterator()
            #expect(try await iterator.next() == Bytes("half"))
            server.gate.update { $0 = true }
            let error = await #expect(throws: TarmacError.self) { try await iterator.next() }
            #expect(error?.code == .truncatedBody || error?.code == .connectionLost, "\(String(describing: error?.reason))")
        }
    }

    /// RFC 9113 §6.8: after GOAWAY what is in flight lands, and what follows flies on another connection. This server
    /// lets go of a request that crosses its GOAWAY, so that only those that may be repeated are safe from it.
    @Test func goawayLosesNoRequestThatMayBeRepeated() async throws {
        try await Self.run(maxAge: .seconds(1)) { server, transport in
            let hello = Request(.get, try server.url("/hello"))
            while Set(server.peers.value).count < 3 {
                let response = try await transport.send(hello, exchange: Exchange(delivery: Self.roomy))
                #expect(response.text == "hello")
            }
        }
    }

    @Test func theShutdownEndsStreams() async throws {
        try await Self.run { server, transport in
            let held = Request(.get, try server.url("/held"))
            let call = Task { try await transport.send(held, exchange: Exchange(delivery: Self.roomy)) }
            try await server.peers.wait { $0.count == 1 }
            await transport.shutdown()
            let error = await #expect(throws: TarmacError.self) { try await call.value }
            #expect(error?.code == .clientShutDown)
        }
    }
}
#endif
