#if NIO
import AsyncHTTPClient
import NIOCore
import NIOSSL
@_spi(TarmacRooms) import TarmacCore
import TarmacConnection
import TarmacResolver

/// The pools of AsyncHTTPClient for a transport: one for each kind of route, and for each of them a second pool
/// whose connections carry a single request, for requests that need a new connection.
final class ConnectionPools: Sendable {
    fileprivate struct Key: Hashable {
        let proxy: HTTPClient.Configuration.Proxy?
        let isFresh: Bool
        /// The index of the pin set that the connections have passed.
        let pins: Int?
        let lane: Int
        let generation: Int
        let override: ConnectionRoute.Override?
    }
    /// The properties that separate connections in AsyncHTTPClient's pool.
    fileprivate struct Peer: Hashable {
        let proxy: HTTPClient.Configuration.Proxy?
        let hop: ConnectionRoute.Hop
        let pins: Int?
        let address: HostAddress?
        /// The number of the connection over HTTP/2, of which AsyncHTTPClient's pool opens one.
        var lane = 0

        func isSameHost(as other: Peer) -> Bool { hop == other.hop && proxy == other.proxy && lane == other.lane && self != other }
    }
    fileprivate struct Replaced {
        let peer: Peer
        let connections: PeerConnections
        /// The time from which on no new exchange comes. One that is about to use the connections does so at once.
        let end = NIODeadline.now() + PoolWatch.shortest
    }
    fileprivate struct State {
        var clients: [Key: HTTPClient] = [:]
        var peers: [Peer: PeerConnections] = [:]
        /// The number of pools that replaced a stuck one, and those among them that are being made.
        var generation = 0
        var making: Set<Int> = []
        /// The stuck ones and the forgotten ones, until no exchange uses them.
        var replaced: [Replaced] = []
        var isClosed = false
    }

    /// The maximum number of peers that are kept without a connection or an exchange.
    private static let peerLimit = 256
    /// The same of those with an address, each of which has a pool of its own.
    private static let addressLimit = 32

    let settings: ConnectionSettings
    private let tls: TLSConfiguration
    private let registry: ExchangeRegistry
    private let pins: PinTable
    /// The gates, one for each pin set.
    private let gates: [PinGate]
    private let eventLoop: any EventLoopGroup
    private let state = Locked(State())

    init(_ settings: ConnectionSettings, registry: ExchangeRegistry, group: any EventLoopGroup) throws(TarmacError) {
        self.settings = settings
        self.registry = registry
        let table = PinTable(settings.pins)
        pins = table
        gates = settings.pins.sets.indices.map { PinGate(table.policy($0), settings: settings) }
        eventLoop = group
        // A fault of the settings causes an error here and not at the first request.
        tls = try TLSSettings.make(settings)
    }

    deinit { shutDown(close()) }

    /// Returns the connections to the peer of a request to `url`.
    func peer(for url: HTTPURL, route: ConnectionRoute) throws -> PeerConnections {
        var key = Peer(proxy: route.clientProxy, hop: route.hop(to: url), pins: try pins.index(for: url), address: route.address)
        let (known, unused) = state.withLock { state in
            if settings.http2ConnectionsPerHost > 1 { key.lane = state.lane(for: key, of: settings.http2ConnectionsPerHost) }
            return (state.peers[key], state.replaced.isEmpty ? [] : state.takeUnused())
        }
        shutDown(unused)
        if let known, !known.isOver, known.limit == limit || !mayWiden(key) { return known }
        return try make(key, for: url, route: route, inPlaceOf: known)
    }

    /// The maximum number of connections over HTTP/1 to a peer.
    private var limit: Int { settings.connectionsPerHost ?? ClientConfiguration.connectionsPerHost }

    /// Whether a pool that had to leave connections to others can be replaced, because no exchange uses those.
    private func mayWiden(_ key: Peer) -> Bool { state.withLock { state in !state.replaced.contains { $0.peer == key } } }

    private func make(_ key: Peer, for url: HTTPURL, route: ConnectionRoute, inPlaceOf known: PeerConnections?) throws -> PeerConnections {
        // A pool for one address ends with its peer, as one that replaces another does. One with TLS has the version of its peer.
        let versions = url.isSecure ? known?.versions?.next() ?? VersionGate() : nil
        let generation = known == nil && key.address == nil && versions == nil ? 0 : state.withLock { $0.nextGeneration() }
        // The exchanges of the stuck pools keep their connections.
        let held = known.map { known in state.withLock { $0.held(by: key) } + known.held } ?? 0
        let watch = PoolWatch(limit: max(1, limit - held), patience: known?.patienceWithNext ?? PoolWatch.shortest)
        let made = PeerConnections(
            try client(for: url, route: route, isFresh: false, lane: key.lane, generation: generation, limit: watch.limit, versions: versions),
            standIn: try HTTPClient.Request(url: route.peer(of: url)),
            idleTimeout: .init(settings.idleConnectionTimeout), generation: generation, watch: watch, versions: versions)
        let (put, unused) = state.withLock { state in
            state.making.remove(generation)
            let put = state.put(made, for: key, inPlaceOf: known, limit: key.address == nil ? Self.peerLimit : Self.addressLimit)
            return (put, state.takeUnused())
        }
        for lease in put.idle { lease.fail(HTTPClientError.cancelled) }
        shutDown(unused)
        return put.peer
    }

    /// Returns the pin check for the connections of a request to `url`, or `nil` if there are no pins.
    func gate(for url: HTTPURL) throws(TarmacError) -> PinGate? { try pins.index(for: url).map { gates[$0] } }

    /// Returns the pool for a route.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of connections over HTTP/1. Default: that of the settings.
    ///   - versions: the gate of the peer, whose pools no other peer uses.
    /// - Throws: `.clientShutDown` after the pools were closed.
    func client(
        for url: HTTPURL, route: ConnectionRoute, isFresh: Bool, lane: Int = 0, generation: Int, limit: Int? = nil, versions: VersionGate?
    ) throws -> HTTPClient {
        let key = Key(
            proxy: route.clientProxy, isFresh: isFresh, pins: try pins.index(for: url), lane: lane, generation: generation,
            override: route.override(for: url))
        return try state.withLock { state in
            if let client = state.clients[key] { return client }
            guard !state.isClosed else { throw TarmacError(.clientShutDown, phase: .connecting, "the transport is shut down") }
            let client = HTTPClient(
                eventLoopGroupProvider: .shared(eventLoop),
                configuration: ClientConfiguration.make(
                    settings, tls, limit: limit, proxy: key.proxy, isFresh: isFresh, override: key.override, registry: registry,
                    gate: key.pins.map { gates[$0] }, versions: versions))
            state.clients[key] = client
            return client
        }
    }

    /// Whether no exchange has a connection or waits for one.
    var isUnused: Bool { state.withLock { state in state.peers.values.allSatisfy(\.isAtRest) && state.replaced.allSatisfy(\.connections.isAtRest) } }

    /// Closes every connection. Returns when that is done.
    func shutdown() async {
        let clients = close()
        await withTaskGroup { group in for client in clients { group.addTask { await self.shutDown(client) } } }
    }

    /// Shuts pools down that no exchange uses.
    private func shutDown(_ clients: [HTTPClient]) {
        for client in clients { client.shutdown().whenComplete { _ in } }
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
            let limit = eventLoop.any().scheduleTask(in: PoolWatch.shortest, resume)
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
    /// Returns the connection over HTTP/2 with the fewest requests. Before there is one, and over HTTP/1, there is one pool.
    fileprivate func lane(for key: ConnectionPools.Peer, of count: Int) -> Int {
        guard peers[key]?.isMultiplexed == true else { return 0 }
        var key = key
        var best = (lane: 0, load: Int.max)
        for lane in 0..<count {
            key.lane = lane
            let load = peers[key]?.load ?? 0
            if load < best.load { best = (lane, load) }
        }
        return best.lane
    }

    fileprivate mutating func nextGeneration() -> Int {
        generation += 1
        making.insert(generation)
        return generation
    }

    /// Puts the connections in the place of the known ones. Returns the connections that are there then, and the idle ones to close of peers
    /// that are forgotten.
    fileprivate mutating func put(
        _ made: PeerConnections, for key: ConnectionPools.Peer, inPlaceOf known: PeerConnections?, limit: Int
    ) -> (peer: PeerConnections, idle: [ConnectionLease]) {
        if let other = peers[key], other !== known { return (other, []) }
        if let known { replaced.append(.init(peer: key, connections: known)) }
        var idle: [ConnectionLease] = []
        // A host that has moved to another address has no use for the connections to the one before.
        if isFull(for: key, limit) || key.address != nil {
            let isMany = isFull(for: key, limit)
            forget(except: known, &idle) { isMany || $0.isSameHost(as: key) }
        }
        if isFull(for: key, limit) { forget(except: known, closesIdle: true, &idle) { _ in true } }
        if !isClosed { peers[key] = made }
        return (made, idle)
    }

    private func isFull(for key: ConnectionPools.Peer, _ limit: Int) -> Bool {
        key.address == nil ? peers.count >= limit : peers.count { $0.key.address != nil } >= limit
    }

    /// Forgets peers, except those whose connections are in use or, by default, are kept.
    private mutating func forget(
        except known: PeerConnections?, closesIdle: Bool = false, _ idle: inout [ConnectionLease], where isOld: (ConnectionPools.Peer) -> Bool
    ) {
        for (peer, connections) in peers where isOld(peer) {
            guard let kept = connections.forget(closesIdle: closesIdle) else { continue }
            idle += kept
            peers[peer] = nil
            if connections.generation > 0, connections !== known { replaced.append(.init(peer: peer, connections: connections)) }
        }
    }

    /// The number of connections over HTTP/1 that the exchanges of replaced pools keep.
    fileprivate func held(by key: ConnectionPools.Peer) -> Int {
        replaced.reduce(0) { $0 + ($1.peer == key ? $1.connections.held : 0) }
    }

    /// Removes the pools that no exchange uses or will use. The first pool is that of all peers.
    fileprivate mutating func takeUnused() -> [HTTPClient] {
        replaced.removeAll { $0.end < .now() && $0.connections.isUnused }
        let used = making.union(peers.values.map(\.generation)).union(replaced.map(\.connections.generation)).union([0])
        let unused = clients.filter { !used.contains($0.key.generation) }
        for key in unused.keys { clients[key] = nil }
        return Array(unused.values)
    }
}
#endif
