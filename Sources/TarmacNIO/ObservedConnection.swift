#if NIO
@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// The observer of a request's connection, and the other end of that connection.
struct ObservedPeer: Sendable {
    let observer: any ConnectionObserver
    private let hop: ConnectionRoute.Hop

    /// Returns `nil` if no stage observes the connections of the request.
    init?(_ request: Request, on route: ConnectionRoute) {
        guard let observation = request[ConnectionObservation.self] else { return nil }
        (observer, hop) = (observation.observer, route.hop(to: request.url))
    }

    func peer(isHTTP2: Bool) -> ConnectionPeer {
        // A Unix socket has a path in place of a host, and no port.
        let port = hop.host.hasPrefix("/") ? nil : hop.port ?? (hop.scheme == "https" ? 443 : 80)
        return ConnectionPeer(scheme: hop.scheme, host: hop.host, port: port, version: isHTTP2 ? "2" : "1.1")
    }
}

/// The state of a connection for its observer (pure). A connection has one observer, that of the first request that brings one, so that
/// it is counted once.
struct ObservedConnection {
    /// A change of the state, for the observer.
    struct Change {
        fileprivate let observer: any ConnectionObserver
        let peer: ConnectionPeer
        let old: ConnectionState?
        let new: ConnectionState?

        func tell() { observer.connection(to: peer, changed: old, into: new) }
    }

    private var known: (observer: any ConnectionObserver, peer: ConnectionPeer)?
    /// The number of exchanges in progress, over all streams on HTTP/2.
    private var exchanges = 0
    private var isClosed = false

    /// Notes that an exchange begins. Returns whether it counts, and then has to end.
    mutating func begin(_ peer: ObservedPeer?, isHTTP2: Bool) -> (counts: Bool, Change?) {
        let isNew = known == nil
        if isNew, let peer { known = (peer.observer, peer.peer(isHTTP2: isHTTP2)) }
        guard known != nil, !isClosed else { return (false, nil) }
        exchanges += 1
        return (true, exchanges == 1 ? change(isNew ? nil : .idle, .active) : nil)
    }

    mutating func end() -> Change? {
        guard !isClosed else { return nil }
        exchanges -= 1
        return exchanges == 0 ? change(.active, .idle) : nil
    }

    mutating func close() -> Change? {
        guard !isClosed else { return nil }
        isClosed = true
        return change(exchanges > 0 ? .active : .idle, nil)
    }

    private func change(_ old: ConnectionState?, _ new: ConnectionState?) -> Change? {
        known.map { Change(observer: $0.observer, peer: $0.peer, old: old, new: new) }
    }
}

/// Call these on the connection's event loop only, so that the observer learns of the changes in their order.
extension ConnectionUses {
    /// Notes that an exchange begins. Returns whether ``leaveObserved()`` has to follow.
    func beginObserved(_ peer: ObservedPeer?) -> Bool {
        let (counts, change) = state.withLock { state in
            // A stream that has not found its connection does not learn of its end.
            isHTTP2 && state.context == nil ? (false, nil) : state.observed.begin(peer, isHTTP2: isHTTP2)
        }
        change?.tell()
        return counts
    }

    func leaveObserved() { state.withLock { $0.observed.end() }?.tell() }

    func closeObserved() { state.withLock { $0.observed.close() }?.tell() }
}

extension ExchangeHandler {
    /// Notes that the current exchange is over for the observer.
    ///
    /// - Parameter isOver: whether the connection over HTTP/1 has closed, or the stream.
    func endObserved(isOver: Bool = false) {
        if isObserved, uses.isHTTP2 || !isOver { uses.leaveObserved() }
        isObserved = false
        if isOver, !uses.isHTTP2 { uses.closeObserved() }
    }
}
#endif
