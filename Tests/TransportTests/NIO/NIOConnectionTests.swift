#if NIO
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOPosix
import Tarmac
import TarmacCore
import TarmacNIO
import TarmacSupport
import TarmacTesting
import Testing

/// Connections: reuse, stale ones, aborts, limits, shutdown.
@Suite(.timeLimit(.minutes(5)))
struct NIOConnectionTests {
    @Test func reportsComeInOrderAndEndOnce() async throws {
        let server = try await NIORawServer { _ in [ok] }
        let flights = [Flight(), Flight()]
        try await withTransport { for flight in flights { _ = try await $0.get(server.url(), flight) } }
        let expected = ["network", "sentHead", "sentAll", "receivedHead", "contentLength(2)", "receivedBody(bytes: 2)", "ended"]
        #expect(flights[0].log == ["connected(isReused: Optional(false))"] + expected)
        #expect(flights[1].log == ["connected(isReused: Optional(true))"] + expected)
        #expect(server.seen.connections == 1)
    }

    // XF-10: a server that cannot be reached has a code of its own.
    @Test func refusedConnectionIsAnErrorOfItsOwn() async throws {
        let port = try DeadPort.refusing()
        #expect(try await withTransport { await $0.failure(Request(.get, port.url())) } == .connectionRefused)
    }

    // XF-10: so has a host that cannot be found.
    @Test func unknownHostIsAnErrorOfItsOwn() async throws {
        let url = try HTTPURL("http://no-such-host.invalid/")
        let flight = Flight()
        #expect(try await withTransport { await $0.failure(Request(.get, url), flight) } == .cannotFindHost)
        #expect(flight.log == ["ended"])
    }

    // A version of AsyncHTTPClient that builds its connections differently is refused by name, and sends nothing.
    @Test func pipelineWithoutTheKnownHandlersIsUnsupported() async throws {
        let server = try await NIORawServer { _ in [ok] }
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(host: "127.0.0.1", port: server.port).get()
        let failure = await #expect(throws: TarmacError.self) {
            try await channel.eventLoop.flatSubmit {
                ClientConfiguration.prepared(channel) { _ = try channel.pipeline.syncOperations.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self) }
            }.get()
        }
        #expect(failure?.code == .unsupported && failure?.isTransient == false)
        try await channel.close()
    }

    // MARK: Stale connections

    /// Answers the first request of a connection and drops the connection at the second.
    private func forgetfulServer(_ ending: NIORawServer.Action = .close) async throws -> NIORawServer {
        try await NIORawServer { $0.number == 0 ? [ok] : [ending] }
    }

    @Test(arguments: [HTTPRequest.Method.get, .put, .delete, .head])
    func idempotentRequestIsSentAgainOnAFreshConnection(_ method: HTTPRequest.Method) async throws {
        let server = try await forgetfulServer()
        let flight = Flight()
        let body: Body = method == .put ? .text("body") : .none
        try await withTransport { transport in
            _ = try await transport.get(server.url())
            let response = try await transport.send(Request(method, server.url(), body: body), exchange: flight.exchange)
            #expect(response.status == .ok)
        }
        #expect(flight.count("resent") == 1)
        #expect(flight.count("ended") == 1)
        #expect(server.seen.requests.count == 3)
        #expect(server.seen.requests.last?.connection == 1)
        #expect(server.seen.requests.last?.body == (method == .put ? "body" : ""))
    }

    @Test func otherRequestsAreNotSentAgain() async throws {
        let server = try await forgetfulServer()
        let url = try server.url()
        try await withTransport { transport in
            _ = try await transport.get(url)
            #expect(await transport.failure(Request(.post, url, body: .text("x"))) == .connectionLost)
        }
        #expect(server.seen.requests.count == 2)
    }

    @Test func bodyThatCannotBeReadAgainIsNotSentAgain() async throws {
        let server = try await forgetfulServer()
        let url = try server.url()
        let body = Body.stream(
            ByteStream(
                AsyncStream {
                    $0.yield(Bytes("x")); $0.finish()
                }), length: 1)
        try await withTransport { transport in
            _ = try await transport.get(url)
            #expect(await transport.failure(Request(.put, url, body: body)) == .connectionLost)
        }
        #expect(server.seen.requests.count == 2)
    }

    @Test func requestIsSentAgainOnceAtMost() async throws {
        let server = try await NIORawServer { $0.connection == 0 && $0.number == 0 ? [ok] : [.close] }
        let url = try server.url()
        let flight = Flight()
        try await withTransport { transport in
            _ = try await transport.get(url)
            #expect(await transport.failure(Request(.get, url), flight) == .connectionLost)
        }
        #expect(flight.count("resent") == 1)
        #expect(server.seen.requests.count == 3)
    }

    @Test func freshConnectionThatBreaksIsNotTriedAgain() async throws {
        let server = try await NIORawServer { _ in [.reset] }
        let url = try server.url()
        let flight = Flight()
        #expect(try await withTransport { await $0.failure(Request(.get, url), flight) } == .connectionLost)
        #expect(flight.count("resent") == 0)
        #expect(server.seen.requests.count == 1)
    }

    @Test func twentyOfTwentyPassWhenTheServerClosesAfterEachResponse() async throws {
        let server = try await NIORawServer { _ in [ok, .close] }
        try await withTransport { transport in
            for _ in 0..<20 {
                let response = try await transport.get(server.url())
                #expect(response.text == "ok")
            }
        }
    }

    // MARK: Aborts

    @Test func abortBeforeSendingSendsNothing() async throws {
        let server = try await NIORawServer { _ in [ok] }
        let flight = Flight()
        flight.exchange.abort(.cancelled)
        try await withTransport { transport in
            _ = await #expect(throws: CancellationError.self) { try await transport.get(server.url(), flight) }
        }
        #expect(server.seen.requests.isEmpty)
        #expect(flight.log == ["ended"])
    }

    @Test func abortWhileWaitingClosesTheConnection() async throws {
        let server = try await NIORawServer { _ in [] }
        let flight = Flight()
        try await withTransport { transport in
            let response = Task { try await transport.get(server.url(), flight) }
            await server.until { $0.requests.count == 1 }
            flight.exchange.abort(.failed(TarmacError(.timeout, phase: .waiting, "too slow")))
            await #expect(throws: TarmacError.self) { try await response.value }
            await server.until { $0.closed == 1 }
        }
        #expect(flight.count("ended") == 1)
    }

    @Test func abortInTheBodyClosesTheConnection() async throws {
        let server = try await NIORawServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")] }
        let flight = Flight()
        try await withTransport { transport in
            let response = Task { try await transport.get(server.url(), flight) }
            await eventually { flight.count("receivedBody") != 0 }
            flight.exchange.abort(.cancelled)
            await #expect(throws: CancellationError.self) { try await response.value }
            await server.until { $0.closed == 1 }
        }
    }

    @Test func requestsAbortedInTheQueueNeverReachTheWire() async throws {
        let server = try await NIORawServer { $0.head.contains("/first") ? [] : [ok] }
        let first = Flight()
        let queued = (0..<200).map { _ in Flight() }
        try await withTransport(ConnectionSettings { $0.connectionsPerHost = 1 }) { transport in
            async let blocking = transport.get(server.url("/first"), first)
            await server.until { $0.requests.count == 1 }
            let url = try server.url("/queued")
            await withTaskGroup(of: Void.self) { group in
                for flight in queued { group.addTask { _ = await transport.failure(Request(.get, url), flight) } }
                for flight in queued { group.addTask { flight.exchange.abort(.cancelled) } }
            }
            // The connection is free again, and a new one is opened: neither may carry what was aborted.
            first.exchange.abort(.cancelled)
            _ = try? await blocking
            _ = try await transport.get(server.url("/last"))
        }
        #expect(server.seen.requests.map { String($0.head.prefix(10)) } == ["GET /first", "GET /last "])
    }

    // XF-7: the connection limit of a service holds on the wire.
    @Test func limitOfConnectionsHolds() async throws {
        let server = try await NIORawServer { _ in [ok] }
        let url = try server.url()
        try await withTransport(ConnectionSettings { $0.connectionsPerHost = 3 }) { transport in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 { group.addTask { _ = try await transport.get(url) } }
                try await group.waitForAll()
            }
        }
        #expect(server.seen.connections <= 3)
        #expect(server.seen.requests.count == 50)
    }

    // YTK-13: AsyncHTTPClient cannot choose a network, so a call that forbids one is refused and not sent.
    @Test func aCallThatMustNotUseTheCellularNetworkIsRefused() async throws {
        let server = try await NIORawServer { _ in [ok] }
        let host = "http://127.0.0.1:\(server.port)"
        let client = Client(transport: .asyncHTTPClient, services: [Service("s", host: host)])
        let error = await #expect(throws: TarmacError.self) { try await client.get("/") { $0.networkAccess = NetworkAccess(allowsCellular: false) } }
        #expect(error?.code == .unsupported && error?.reason.contains("networkAccess") == true)
        #expect(server.seen.requests.isEmpty)
        await client.shutdown()
    }

    // MARK: Shutdown

    @Test func shutdownEndsWhatIsInTheAirAndMayBeRepeated() async throws {
        let server = try await NIORawServer { _ in [] }
        let url = try server.url()
        let transport = try TransportFactory.asyncHTTPClient.makeTransport(ConnectionSettings())
        async let code = transport.failure(Request(.get, url))
        await server.until { $0.requests.count == 1 }
        await transport.shutdown()
        #expect(await code == .clientShutDown)
        await transport.shutdown()
        #expect(await transport.failure(Request(.get, url)) == .clientShutDown)
        await server.until { $0.closed == 1 }
    }

    @Test func transportThatIsJustDroppedClosesItsConnections() async throws {
        let server = try await NIORawServer { _ in [ok] }
        do {
            let transport = try TransportFactory.asyncHTTPClient.makeTransport(ConnectionSettings())
            _ = try await transport.get(server.url())
        }
        await server.until { $0.closed == 1 }
    }

    // MARK: Settings

    @Test func unixSocketIsConnectedTo() async throws {
        let path = "/tmp/tarmac-\(UInt32.random(in: 0 ... .max)) ü.sock"
        let server = try await NIORawServer(unixSocket: path) { _ in [ok] }
        let url = try HTTPURL("http://anything.example/x")
        let response = try await withTransport(ConnectionSettings { $0.unixSocket = path }) { try await $0.get(url) }
        #expect(response.text == "ok")
        #expect(server.seen.requests.first?.header("Host") == "anything.example")
        await server.stop()
        FileDescriptor.removeFile(path)
    }

    @Test func idleConnectionIsClosed() async throws {
        let server = try await NIORawServer { _ in [ok] }
        try await withTransport(ConnectionSettings { $0.idleConnectionTimeout = .milliseconds(1) }) { transport in
            _ = try await transport.get(server.url())
            await server.until { $0.closed == 1 }
        }
    }

    @Test(arguments: [
        (ConnectionSettings { $0.trust = .only(pemFile: "/no/such.pem") }, TarmacError.Code.unreadableFile),
        (ConnectionSettings { $0.trust = .systemAnd(pemFile: "/dev/null") }, .invalidOption),
        (ConnectionSettings { $0.clientIdentity = .pemFiles(certificate: "/no/such.pem", key: "/no") }, .unreadableFile),
        (ConnectionSettings { $0.connectionsPerHost = 0 }, .invalidOption),
    ])
    func faultySettingsAreRefusedBeforeAnythingIsSent(_ settings: ConnectionSettings, _ code: TarmacError.Code) throws {
        let error = #expect(throws: TarmacError.self) { try TransportFactory.asyncHTTPClient.makeTransport(settings) }
        #expect(error?.code == code)
    }

    // MARK: Proxies

    @Test func plainRequestsGoToAnHTTPProxyInAbsoluteForm() async throws {
        let proxy = try await NIORawServer { _ in [ok] }
        let settings = ConnectionSettings {
            $0.proxy = .http(host: "127.0.0.1", port: proxy.port, authorization: .init(user: "me", password: "pass"))
        }
        let url = try HTTPURL("http://far.example:81/x?y=1")
        _ = try await withTransport(settings) { try await $0.get(url) }
        let request = proxy.seen.requests.first
        #expect(request?.head.hasPrefix("GET http://far.example:81/x?y=1 HTTP/1.1\r\nHost: far.example:81\r\n") == true)
        #expect(request?.header("Proxy-Authorization") == "Basic bWU6cGFzcw==")
    }

    /// What a proxy takes for this machine is its own.
    @Test(arguments: [("localhost", false), ("127.0.0.1", false), ("127.9.8.7", false), ("localhost", true), ("127.0.0.1", true)])
    func thisMachineIsAskedStraightUnlessSaidOtherwise(_ host: String, _ proxiesLoopback: Bool) async throws {
        let proxy = try await NIORawServer { _ in [ok] }
        let server = try await NIORawServer { _ in [ok] }
        let settings = ConnectionSettings {
            $0.proxy = .http(host: "127.0.0.1", port: proxy.port)
            $0.proxiesLoopback = proxiesLoopback
        }
        // Not every machine has the addresses above 127.0.0.1; that the proxy is not asked is the claim.
        _ = try? await withTransport(settings) { try await $0.get(try server.url(host: host)) }
        #expect(proxy.seen.requests.count == (proxiesLoopback ? 1 : 0))
        if !proxiesLoopback, host != "127.9.8.7" { #expect(server.seen.requests.count == 1) }
    }

    @Test func refusedTunnelIsAProxyFailure() async throws {
        let proxy = try await NIORawServer { _ in [.send("HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n"), .close] }
        let settings = ConnectionSettings { $0.proxy = .http(host: "127.0.0.1", port: proxy.port) }
        let url = try HTTPURL("https://far.example/")
        #expect(try await withTransport(settings) { await $0.failure(Request(.get, url)) } == .proxyFailed)
        #expect(proxy.seen.requests.first?.head.hasPrefix("CONNECT far.example:443") == true)
    }

    @Test func proxyThatClosesTheConnectionIsAskedOnceMore() async throws {
        let proxy = try await NIORawServer { _ in [.close] }
        let settings = ConnectionSettings { $0.proxy = .http(host: "127.0.0.1", port: proxy.port) }
        let url = try HTTPURL("https://far.example/")
        #expect(try await withTransport(settings) { await $0.failure(Request(.get, url)) } == .proxyFailed)
        #expect(proxy.seen.requests.count == 2)
    }

    @Test(arguments: ["http", "https"]) func deadProxyIsAProxyFailure(_ scheme: String) async throws {
        let dead = try DeadPort.refusing()
        defer { withExtendedLifetime(dead) {} }
        let settings = ConnectionSettings { $0.proxy = .http(host: "127.0.0.1", port: dead.port) }
        let url = try HTTPURL("\(scheme)://far.example/")
        #expect(try await withTransport(settings) { await $0.failure(Request(.get, url)) } == .proxyFailed)
    }

    /// Whichever side of the shutdown a request falls on, it lands.
    @Test func sendsThatMeetTheShutdownEnd() async throws {
        let server = try await NIORawServer { _ in [ok] }
        let url = try server.url()
        for _ in 0..<40 {
            let transport = try TransportFactory.asyncHTTPClient.makeTransport(ConnectionSettings())
            let codes = await withTaskGroup(of: TarmacError.Code?.self) { group in
                for _ in 0..<8 { group.addTask { await transport.failure(Request(.get, url)) } }
                group.addTask {
                    await transport.shutdown()
                    return nil
                }
                return await group.reduce(into: [TarmacError.Code?]()) { $0.append($1) }
            }
            #expect(codes.allSatisfy { $0 == nil || $0 == .clientShutDown })
        }
    }
}
#endif
