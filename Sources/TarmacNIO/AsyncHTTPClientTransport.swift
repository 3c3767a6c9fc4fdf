#if NIO
import AsyncHTTPClient
import NIOCore
import NIOPosix
import TarmacCore
import TarmacConnection

/// A transport over AsyncHTTPClient. It uses the pool, TLS, proxies and HTTP/2 of that library, and sends and
/// receives by itself.
struct AsyncHTTPClientTransport: Transport {
    static let name = "AsyncHTTPClient"

    private let settings: ConnectionSettings
    private let registry = ExchangeRegistry()
    private let pools: RotatingPools
    private let environment: ProxyEnvironment?
    /// The addresses of hosts, or `nil` if the system finds them.
    private let hosts: HostAddresses?

    var name: String { Self.name }

    let capabilities: TransportCapabilities = [
        .backPressure, .informationalResponses, .trailers, .separateHeaders, .protocolVersion, .unknownLengthBodies,
        .resendsOnStaleConnection, .connectionReports, .headerOrder, .bodyWithAnyMethod, .http2,
    ]

    /// - Parameter group: the event loops of the connections. The transport does not shut it down.
    init(_ settings: ConnectionSettings, group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton) throws(TarmacError) {
        if let count = settings.connectionsPerHost, count < 1 {
            throw TarmacError(.invalidOption, "connectionsPerHost must be at least 1, and it is \(count)")
        }
        if let address = settings.localAddress, (try? SocketAddress(ipAddress: address, port: 0)) == nil {
            throw TarmacError(.invalidOption, "localAddress must be an IP address, and it is \"\(address)\"")
        }
        self.settings = settings
        environment = settings.proxy == .environment ? .process : nil
        pools = try RotatingPools(settings, registry: registry, group: group)
        hosts = try HostAddresses(settings, group: group)
    }

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        var route: ConnectionRoute?
        do {
            let way = try self.route(to: request.url)
            route = way
            var path = try await hosts?.path(to: request.url, on: way, for: exchange)
            defer { route?.address = path?.current }
            let message = try RequestMessage(
                request, target: way.target(of: request.url), proxyAuthorization: way.requestAuthorization)
            let response = try await carry(message, exchange, on: way, to: &path, ObservedPeer(request, on: way))
            if case .collected = exchange.delivery { exchange.report(.ended) }
            return response
        } catch {
            let error = await explained(error, request.url, route, exchange)
            if !exchange.isEnded { exchange.report(.ended) }
            throw error
        }
    }

    /// Returns a more precise error for a failed handshake. It distinguishes expired and self-signed
    /// certificates from other untrusted ones, and a server that requires a client certificate from one that
    /// refuses the handshake for another reason.
    private func explained(
        _ error: any Error, _ url: HTTPURL, _ route: ConnectionRoute?, _ exchange: Exchange
    ) async -> any Error {
        guard let failure = error as? TarmacError, let route else { return error }
        let explanation: TarmacError?
        let settings = pools.current.settings
        switch failure.code {
        case .untrustedCertificate:
            explanation = await CertificateProbe.explain(url, route: route, trust: settings.trust, for: exchange)
        case .tlsHandshakeFailed:
            explanation = await ClientCertificateProbe.explain(failure, url, route: route, settings: settings, for: exchange)
        default: return error
        }
        return exchange.abortReason?.error ?? explanation ?? error
    }

    func shutdown() async {
        let exchanges = registry.close() ?? []
        for exchange in exchanges {
            exchange.end(TarmacError(.clientShutDown, phase: exchange.exchange.phase, "the transport was shut down"))
        }
        await hosts?.shutdown()
        await pools.shutdown()
    }

    private func route(to url: HTTPURL) throws(TarmacError) -> ConnectionRoute {
        let proxy = try settings.bypassesProxy(url) ? .none : environment?.proxy(for: url) ?? settings.proxy
        return ConnectionRoute(proxy, unixSocket: settings.unixSocket, isSecure: url.isSecure)
    }

    /// The maximum number of times that the certificates above a server's own are read for one request. Servers
    /// that share a name may present different certificates, so that such a read may reach another server than
    /// the connection.
    private static let lookLimit = 8

    /// The maximum number of times that a request finds its connection refused because the servers of a peer speak different versions.
    private static let versionLimit = 8
    /// The number of refusals after which the peer is asked for HTTP/1.1 only.
    private static let mostChanges = 3

    /// Sends the request, and sends it again if only the connection failed.
    private func carry(
        _ message: RequestMessage, _ exchange: Exchange, on route: ConnectionRoute, to path: inout AddressPath?, _ observed: ObservedPeer?
    ) async throws -> Response {
        var route = route
        var (isFresh, allowance, looks) = (exchange.needsFreshConnection, ResendPolicy.Allowance(), 0)
        var (hasNewPools, wasResent) = (false, false)
        var versionChanges = 0
        while true {
            route.address = path?.current
            // Other connections than at the first attempt, if those turned out to be stuck, or if certificates have changed.
            let pools = self.pools.current
            if let refusal = self.pools.takeRefusal() {
                exchange.report(.warning("the certificates have changed and the last good ones stay in use: \(refusal)"))
            }
            let peer = try pools.peer(for: message.url, route: route)
            let fresh = isFresh ? try pools.client(for: message.url, route: route, isFresh: true, generation: peer.generation, versions: peer.versions) : nil
            let wire = WireExchange(
                message, exchange: exchange, registry: registry, peer: peer, freshPool: fresh, route: route, observed: observed)
            do {
                if let path { return try await path.run(wire, on: peer) }
                return try await wire.run()
            } catch {
                if versionChanges < Self.versionLimit, exchange.abortReason == nil, wire.needsOtherVersion(error, on: peer) {
                    versionChanges += 1
                    if versionChanges == Self.mostChanges { peer.versions?.noteTrouble() }
                    continue
                }
                if await path?.turn(after: error, of: wire, exchange) == true { continue }
                if path != nil, let reason = exchange.abortReason { throw reason.error }
                if let unknown = wire.unknownChain, looks < Self.lookLimit, let gate = try pools.gate(for: message.url) {
                    looks += 1
                    try await gate.look(unknown, at: message.url, route: route, for: exchange, isLast: looks >= Self.lookLimit - 1)
                    continue
                }
                if !hasNewPools, exchange.phase == .connecting, (error as? TarmacError)?.code.category == .tls, self.pools.current !== pools {
                    hasNewPools = true
                    continue
                }
                let decision = wire.nextAttempt
                guard exchange.abortReason == nil, allowance.take(decision) else { throw error }
                guard decision.sendsAgain else { continue }
                guard !message.isSentOnce else {
                    exchange.leaveResend()
                    throw error
                }
                exchange.report(.resent)
                // The pool gives no request to a connection that goes away, and all that it carried share the next one.
                isFresh = isFresh || wasResent || !wire.stage.isGoingAway
                wasResent = true
            }
        }
    }
}
#endif
