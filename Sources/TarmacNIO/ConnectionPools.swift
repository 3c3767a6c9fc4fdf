#if NIO
import AsyncHTTPClient
import NIOCore
import NIOPosix
@_spi(TarmacRooms) import TarmacCore
import TarmacConnection

/// The pools of AsyncHTTPClient for a transport: one for each kind of route, and for each of them a second pool
/// whose connections carry a single request, for requests that need a new connection.
final class ConnectionPools: Sendable {
    fileprivate struct Key: Hashable {
        let proxy: HTTPClient.Configuration.Proxy?
        let isFresh: Bool
        /// The index of the pin set that the connections have passed.
        let pins: Int?
        let generation: Int
    }
    /// The properties that separate connections in AsyncHTTPClient's pool.
    fileprivate struct Peer: Hashable {
        let proxy: HTTPClient.Configuration.Proxy?
        let hop: ConnectionRoute.Hop
        let pins: Int?
    }
    fileprivate struct State {
        var clients: [Key: HTTPClient] = [:]
        var peers: [Peer: PeerConnections] = [:]
        /// The number of pools that replaced a stuck one, and those among them that are being made.
        var generation = 0
        var making: Set<Int> = []
        /// The stuck ones, until no exchange uses them.
        var replaced: [PeerConnections] = []
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
        let known = state.withLock { $0.peers[key] }
        let isStuck = known?.isStuck ?? false
        if let known, !isStuck { return known }
        let generation = isStuck ? state.withLock { $0.nextGeneration() } : 0
        let made = PeerConnections(
            try client(for: url, route: route, isFresh: false, generation: generation),
            standIn: try HTTPClient.Request(url: route.peer(of: url)),
            idleTimeout: .init(settings.idleConnectionTimeout), generation: generation)
        let (peer, unused) = state.withLock { state -> (PeerConnections, [HTTPClient]) in
            state.making.remove(generation)
            if let other = state.peers[key], other !== known { return (other, []) }
            if let known { state.replaced.append(known) }
            if state.peers.count >= Self.peerLimit { state.peers = state.peers.filter { !$0.value.forget() } }
            if !state.isClosed { state.peers[key] = made }
            return (made, isStuck ? state.takeUnused() : [])
        }
        for client in unused { client.shutdown().whenComplete { _ in } }
        return peer
    }

    /// Returns the pin check for the connections of a request to `url`, or `nil` if there are no pins.
    func gate(for url: HTTPURL) throws(TarmacError) -> PinGate? { try pins.index(for: url).map { gates[$0] } }

    /// Returns the pool for a route.
    ///
    /// - Throws: `.clientShutDown` after the pools were closed.
    func client(for url: HTTPURL, route: ConnectionRoute, isFresh: Bool, generation: Int) throws -> HTTPClient {
        let key = Key(proxy: route.clientProxy, isFresh: isFresh, pins: try pins.index(for: url), generation: generation)
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
        for client in close() { await shutDown(client) }
    }

    /// Shuts a pool down. It would wait for ever for a connection that does not come about.
    private func shutDown(_ client: HTTPClient) async {
        await withCheckedContinuation { continuation in
            let waiting = Locked<CheckedContinuation<Void, Never>?>(continuation)
            let resume: @Sendable () -> Void = {
                let waiting = waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                waiting?.resume()
            }
            // LIFETIME: ends by itself.
            let limit = eventLoop.any().scheduleTask(in: PeerConnections.patience, resume)
            client.shutdown().whenComplete { _ in
                limit.cancel()
                resume()
            }
        }
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

extension ConnectionPools.State {
    fileprivate mutating func nextGeneration() -> Int {
        generation += 1
        making.insert(generation)
        return generation
    }

    /// Removes the pools that replaced a stuck one and were replaced themselves. The first pool is that of all peers.
    fileprivate mutating func takeUnused() -> [HTTPClient] {
        replaced.removeAll { $0.isUnused }
        let used = making.union((Array(peers.values) + replaced).map(\.generation)).union([0])
        let unused = clients.filter { !used.contains($0.key.generation) }
        for key in unused.keys { clients[key] = nil }
        return Array(unused.values)
    }
}
#endif
