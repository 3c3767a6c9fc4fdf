#if NIO
import AsyncHTTPClient
import NIOCore
@_spi(TarmacRooms) import TarmacCore

/// The idle connections to a peer outside AsyncHTTPClient's pool.
///
/// A connection returns to the pool if an exchange waits there for one. Otherwise it passes from one exchange
/// to the next without the pool, which is the most expensive part of a small request.
final class PeerConnections: Sendable {
    private struct State {
        /// The idle connections. The one that was used last is the last element.
        var idle: [ConnectionLease] = []
        /// The connections of the pool over HTTP/2 that have carried an exchange.
        var multiplexed: [ConnectionUses] = []
        var watch: PoolWatch
        /// Whether no exchange will take a connection from here again.
        var isForgotten = false
    }

    let pool: HTTPClient
    /// The request that the pool receives in place of the real one.
    let standIn: HTTPClient.Request
    /// The time for which an idle connection is kept here.
    let idleTimeout: TimeAmount
    /// The number of the pool: 0, or that of a pool that replaces a stuck one.
    let generation: Int
    /// The maximum number of connections over HTTP/1.
    let limit: Int
    /// `nil` if the connections have no TLS, so that their version does not change.
    let versions: VersionGate?
    private let state: Locked<State>

    init(
        _ pool: HTTPClient, standIn: HTTPClient.Request, idleTimeout: TimeAmount, generation: Int, watch: PoolWatch, versions: VersionGate?
    ) {
        self.pool = pool
        self.versions = versions
        self.generation = generation
        self.standIn = standIn
        self.idleTimeout = idleTimeout
        limit = watch.limit
        state = Locked(State(watch: watch))
    }

    /// Returns the connection that was used last. If there is none, the caller counts as waiting in the pool
    /// until ``leave(isShared:isAbort:)``.
    func take() -> ConnectionLease? {
        state.withLock { state in
            if state.idle.isEmpty { state.watch.wait(at: .now()) }
            return state.idle.popLast()
        }
    }

    /// Notes that an exchange waits for a connection that is not of this pool, but comes about in the same way.
    func expect() { state.withLock { $0.watch.wait(isShared: false, at: .now()) } }

    /// Notes that an exchange no longer waits.
    ///
    /// - Parameters:
    ///   - isShared: whether it waited in this pool.
    ///   - isAbort: whether the exchange was given up, so that the pool has not decided about it.
    func leave(isShared: Bool, isAbort: Bool) {
        state.withLock { $0.watch.leave(isShared: isShared, isAbort: isAbort, at: .now()) }
    }

    /// Notes that an exchange has a connection.
    ///
    /// - Parameter isShared: whether the connection is of this pool.
    func begin(on uses: ConnectionUses, isReused: Bool, wasWaiting: Bool, isShared: Bool) {
        state.withLock { state in
            state.watch.begin(wasWaiting: wasWaiting, isShared: isShared, holds: isShared && !uses.isHTTP2, at: .now())
            guard uses.isHTTP2, isShared, !isReused else { return }
            state.multiplexed.removeAll { !$0.isOpen }
            state.multiplexed.append(uses)
        }
    }

    /// Notes that an exchange that had a connection is over.
    func end(on uses: ConnectionUses, isShared: Bool) {
        if uses.isHTTP2 { uses.end() }
        state.withLock { $0.watch.end(held: isShared && !uses.isHTTP2, at: .now()) }
    }

    /// Whether no exchange has a connection or waits for one.
    var isAtRest: Bool { state.withLock { $0.watch.isUnused } }

    /// Whether no exchange has a connection or waits for one, and none is kept.
    var isUnused: Bool { state.withLock { $0.watch.isUnused && $0.idle.isEmpty } }

    /// The number of connections that carry an exchange over HTTP/1.
    var held: Int { state.withLock { $0.watch.held } }

    var patienceWithNext: TimeAmount { state.withLock { $0.watch.patienceWithNext } }

    /// Whether no new exchange may use the pool: it only waits for a connection that does not come about, or has the wrong version.
    var isOver: Bool { versions?.isOver == true || isStuck }

    private var isStuck: Bool {
        let multiplexed = state.withLock { state -> [ConnectionUses]? in
            state.idle.isEmpty && state.watch.isStuck(at: .now()) ? state.multiplexed : nil
        }
        // An exchange that waits for a stream gets one when another exchange ends. A connection that is going away gives none.
        return multiplexed.map { !$0.contains { $0.isTakingTurns } } ?? false
    }

    /// Whether a connection is known to be there.
    var hasConnection: Bool { state.withLock { !$0.idle.isEmpty || $0.watch.carried > 0 } || isMultiplexed }

    /// Whether there is a connection over HTTP/2.
    var isMultiplexed: Bool { state.withLock(\.multiplexed).contains(where: \.isOpen) }

    /// The number of exchanges that have a connection or wait for one.
    var load: Int { state.withLock { $0.watch.carried + $0.watch.waiting } }

    /// Keeps a connection for the next exchange. Returns `false` if an exchange waits in the pool and must
    /// receive it.
    func keep(_ lease: ConnectionLease) -> Bool {
        state.withLock { state in
            guard state.watch.waiting == 0, !state.isForgotten else { return false }
            state.idle.append(lease)
            return true
        }
    }

    /// Stops keeping connections if none is kept, or may be closed, and no exchange waits. Returns the connections to close, or `nil` if it
    /// has not stopped.
    func forget(closesIdle: Bool) -> [ConnectionLease]? {
        state.withLock { state in
            if state.idle.isEmpty || closesIdle, state.watch.waiting == 0 { state.isForgotten = true }
            guard state.isForgotten else { return nil }
            defer { state.idle = [] }
            return state.idle
        }
    }

    /// Removes a connection. Returns `false` if it is not here, such as when it is on its way to an exchange.
    func remove(_ lease: ConnectionLease) -> Bool {
        state.withLock { state in
            guard let index = state.idle.lastIndex(where: { $0 === lease }) else { return false }
            state.idle.remove(at: index)
            return true
        }
    }
}
#endif
