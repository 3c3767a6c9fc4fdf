#if NIO
import AsyncHTTPClient
import NIOCore
import NIOPosix
import TarmacCore

/// AsyncHTTPClient's pools of one transport: one for each kind of route, and beside each one whose connections carry a
/// single request, for those that have to go out on a fresh connection.
final class ConnectionPools: Sendable {
    private struct Key: Hashable {
        let proxy: HTTPClient.Configuration.Proxy?
        let isFresh: Bool
        /// Which set of pins its connections have passed.
        let pins: Int?
    }
    /// What AsyncHTTPClient's pool keeps connections apart by.
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

    /// So many are remembered without a connection or an exchange.
    private static let peerLimit = 256

    private let settings: ConnectionSettings
    private let registry: ExchangeRegistry
    private let pins: PinTable
    /// One for each pin set.
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
        // Faults of the settings show now and not at the first request.
        _ = try ClientConfiguration.make(settings, proxy: nil, isFresh: false, registry: registry)
    }

    deinit {
        for client in close() { client.shutdown().whenComplete { _ in } }
    }

    /// The connections to the peer that a request to `url` goes to.
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

    /// What the connections that a request to `url` goes over must pass.
    func gate(for url: HTTPURL) throws(TarmacError) -> PinGate? { try pins.index(for: url).map { gates[$0] } }

    /// The pool for a route. Throws `.clientShutDown` once closed.
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

    /// Closes every connection; returns when that is done.
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
