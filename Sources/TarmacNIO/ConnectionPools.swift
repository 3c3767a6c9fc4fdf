#if NIO
import AsyncHTTPClient
import NIOCore
import NIOPosix
import Tarmac

/// AsyncHTTPClient's pools of one transport: one for each kind of route, and beside each one whose connections carry a
/// single request, for those that have to go out on a fresh connection.
final class ConnectionPools: Sendable {
    private struct Key: Hashable {
        let proxy: HTTPClient.Configuration.Proxy?
        let isFresh: Bool
    }
    /// What AsyncHTTPClient's pool keeps connections apart by.
    private struct Peer: Hashable {
        let proxy: HTTPClient.Configuration.Proxy?
        let hop: ConnectionRoute.Hop
    }
    private struct State {
        var clients: [Key: HTTPClient] = [:]
        var peers: [Peer: PeerConnections] = [:]
        var isClosed = false
    }

    /// So many are remembered without a connection or an exchange.
    private static let peerLimit = 256

    private let settings: ConnectionSettings
    private let registry: ExchangeRegistry
    private let eventLoop: any EventLoopGroup
    private let state = Locked(State())

    init(_ settings: ConnectionSettings, registry: ExchangeRegistry) throws(TarmacError) {
        self.settings = settings
        self.registry = registry
        eventLoop = MultiThreadedEventLoopGroup.singleton
        // Faults of the settings show now and not at the first request.
        _ = try ClientConfiguration.make(settings, proxy: nil, isFresh: false, registry: registry)
    }

    deinit {
        for client in close() { client.shutdown().whenComplete { _ in } }
    }

    /// The connections to the peer that a request to `url` goes to.
    func peer(for url: HTTPURL, route: ConnectionRoute) throws -> PeerConnections {
        let key = Peer(proxy: route.clientProxy, hop: route.hop(to: url))
        if let known = state.withLock({ $0.peers[key] }) { return known }
        let made = PeerConnections(
            try client(for: route, isFresh: false), standIn: try HTTPClient.Request(url: route.peer(of: url)),
            idleTimeout: .init(settings.idleConnectionTimeout))
        return state.withLock { state in
            if let known = state.peers[key] { return known }
            if state.peers.count >= Self.peerLimit { state.peers = state.peers.filter { !$0.value.forget() } }
            if !state.isClosed { state.peers[key] = made }
            return made
        }
    }

    /// The pool for a route. Throws `.clientShutDown` once closed.
    func client(for route: ConnectionRoute, isFresh: Bool) throws -> HTTPClient {
        let key = Key(proxy: route.clientProxy, isFresh: isFresh)
        return try state.withLock { state in
            if let client = state.clients[key] { return client }
            guard !state.isClosed else { throw TarmacError(.clientShutDown, phase: .connecting, "the transport is shut down") }
            let client = HTTPClient(
                eventLoopGroupProvider: .shared(eventLoop),
                configuration: try ClientConfiguration.make(
                    settings, proxy: key.proxy, isFresh: isFresh, registry: registry))
            state.clients[key] = client
            return client
        }
    }

    /// Closes every connection; returns when that is done.
    func shutdown() async {
        for client in close() { try? await client.shutdown() }
    }

    private func close() -> [HTTPClient] {
        state.withLock { state in
            defer {
                state.isClosed = true
                state.clients = [:]
                state.peers = [:]
            }
            return Array(state.clients.values)
        }
    }
}
#endif
