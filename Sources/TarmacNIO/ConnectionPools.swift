#if NIO
import AsyncHTTPClient
import NIOCore
import NIOPosix
@_spi(TarmacRooms) import TarmacCore
import TarmacConnection

/// The pools of AsyncHTTPClient for a transport: one for each kind of route, and for each of them a second pool
/// whose connections carry a single request, for requests that need a new connection.
final class ConnectionPools: Sendable {
    private struct Key: Hashable {
        let proxy: HTTPClient.Configuration.Proxy?
        let isFresh: Bool
        /// The index of the pin set that the connections have passed.
        let pins: Int?
    }
    /// The properties that separate connections in AsyncHTTPClient's pool.
    private struct Peer: Hashable {
        let proxy: HTTPClient.Configuration.Proxy?
        let hop: ConnectionRoute.Hop
        let pins: Int?
    }
    private struct State {
        var clients: [Key: HTTPClient] = [:]
        var peers: [Peer: PeerConnections] = [:]
        var isClosed = false
    }

    /// The maximum number of peers that are kept without a connection or an exchange.
    private static let peerLimit = 256

    private let settings: ConnectionSettings
    private let registry: ExchangeRegistry
    private let pins: PinTable
    /// The gates, one for each pin set.
    private let gates: [PinGate]
    private let eventLoop: any EventLoopGroup
    private let state = Locked(State())

    init(_ settings: ConnectionSettings, registry: ExchangeRegistry) throws(TarmacError) {
        self.settings = settings
        self.registry = registry
        let table = PinTable(settings.pins)
        pins = table
        gates = settings.pins.sets.indices.map { PinGate(table.policy($0), settings: settings) }
        eventLoop = MultiThreadedEventLoopGroup.singleton
        // A fault of the settings causes an error here and not at the first request.
        _ = try ClientConfiguration.make(settings, proxy: nil, isFresh: false, registry: registry)
    }

    deinit {
        for client in close() { client.shutdown().whenComplete { _ in } }
    }

    /// Returns the connections to the peer of a request to `url`.
    func peer(for url: HTTPURL, route: ConnectionRoute) throws -> PeerConnections {
        let key = Peer(proxy: route.clientProxy, hop: route.hop(to: url), pins: try pins.index(for: url))
        if let known = state.withLock({ $0.peers[key] }) { return known }
        let made = PeerConnections(
            try client(for: url, route: route, isFresh: false), standIn: try HTTPClient.Request(url: route.peer(of: url)),
            idleTimeout: .init(settings.idleConnectionTimeout))
        return state.withLock { state in
            if let known = state.peers[key] { return known }
            if state.peers.count >= Self.peerLimit { state.peers = state.peers.filter { !$0.value.forget() } }
            if !state.isClosed { state.peers[key] = made }
            return made
        }
    }

    /// Returns the pin check for the connections of a request to `url`, or `nil` if there are no pins.
    func gate(for url: HTTPURL) throws(TarmacError) -> PinGate? { try pins.index(for: url).map { gates[$0] } }

    /// Returns the pool for a route.
    ///
    /// - Throws: `.clientShutDown` after the pools were closed.
    func client(for url: HTTPURL, route: ConnectionRoute, isFresh: Bool) throws -> HTTPClient {
        let key = Key(proxy: route.clientProxy, isFresh: isFresh, pins: try pins.index(for: url))
        return try state.withLock { state in
            if let client = state.clients[key] { return client }
            guard !state.isClosed else { throw TarmacError(.clientShutDown, phase: .connecting, "the transport is shut down") }
            let client = HTTPClient(
                eventLoopGroupProvider: .shared(eventLoop),
                configuration: try ClientConfiguration.make(
                    settings, proxy: key.proxy, isFresh: isFresh, registry: registry, gate: key.pins.map { gates[$0] }))
            state.clients[key] = client
            return client
        }
    }

    /// Closes every connection. Returns when that is done.
    func shutdown() async {
        for client in close() { try? await client.shutdown() }
    }

    private func close() -> [HTTPClient] {
        for gate in gates { gate.close() }
        return takeClients()
    }

    private func takeClients() -> [HTTPClient] {
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
