#if NIO
import AsyncHTTPClient
import Tarmac

/// AsyncHTTPClient as a transport. It uses that library's pool, TLS, proxies and HTTP/2, and sends and receives itself.
struct AsyncHTTPClientTransport: Transport {
    static let name = "AsyncHTTPClient"

    private let settings: ConnectionSettings
    private let registry = ExchangeRegistry()
    private let pools: ConnectionPools
    private let environment: ProxyEnvironment?

    var name: String { Self.name }

    let capabilities: TransportCapabilities = [
        .backPressure, .informationalResponses, .trailers, .separateHeaders, .protocolVersion, .unknownLengthBodies,
        .resendsOnStaleConnection, .connectionReports, .headerOrder, .bodyWithAnyMethod, .http2,
    ]

    init(_ settings: ConnectionSettings) throws(TarmacError) {
        if let count = settings.connectionsPerHost, count < 1 {
            throw TarmacError(.invalidOption, "connectionsPerHost must be at least 1, and it is \(count)")
        }
        self.settings = settings
        environment = settings.proxy == .environment ? .process : nil
        pools = try ConnectionPools(settings, registry: registry)
    }

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        do {
            let route = try route(to: request.url)
            let message = try RequestMessage(
                request, target: route.target(of: request.url), proxyAuthorization: route.requestAuthorization)
            let response = try await carry(message, exchange, on: route)
            if case .collected = exchange.delivery { exchange.report(.ended) }
            return response
        } catch {
            let error = await explained(error, request.url, exchange)
            if !exchange.isEnded { exchange.report(.ended) }
            throw error
        }
    }

    /// Tells an expired certificate from one that nobody vouches for, where the server can be asked directly.
    private func explained(_ error: any Error, _ url: HTTPURL, _ exchange: Exchange) async -> any Error {
        guard let failure = error as? TarmacError, failure.code == .untrustedCertificate,
            settings.proxy == .none, settings.unixSocket == nil
        else { return error }
        let explanation = await CertificateProbe.explain(url, for: exchange)
        return exchange.abortReason?.error ?? explanation ?? error
    }

    func shutdown() async {
        let exchanges = registry.close() ?? []
        for exchange in exchanges {
            exchange.end(TarmacError(.clientShutDown, phase: exchange.exchange.phase, "the transport was shut down"))
        }
        await pools.shutdown()
    }

    private func route(to url: HTTPURL) throws(TarmacError) -> ConnectionRoute {
        let proxy = try environment?.proxy(for: url) ?? settings.proxy
        return ConnectionRoute(proxy, unixSocket: settings.unixSocket, isSecure: url.isSecure)
    }

    /// Carries the request, and carries it again when the connection alone was at fault.
    private func carry(_ message: RequestMessage, _ exchange: Exchange, on route: ConnectionRoute) async throws -> Response {
        let peer = try pools.peer(for: message.url, route: route)
        var (isFresh, allowance) = (false, ResendPolicy.Allowance())
        while true {
            let fresh = isFresh ? try pools.client(for: route, isFresh: true) : nil
            let wire = WireExchange(message, exchange: exchange, registry: registry, peer: peer, freshPool: fresh, usesProxy: route.usesProxy)
            do {
                return try await wire.run()
            } catch {
                let decision = wire.nextAttempt
                guard exchange.abortReason == nil, allowance.take(decision) else { throw error }
                guard decision.sendsAgain else { continue }
                exchange.report(.resent)
                isFresh = true
            }
        }
    }
}
#endif
