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
        /// The number of exchanges that wait in the pool.
        var waiting = 0
        /// The number of exchanges that have a connection.
        var carried = 0
        /// The time since which the pool has neither brought a connection nor failed to.
        var silentSince: NIODeadline?
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
    /// The time without an event after which a pool is stuck.
    static let patience = TimeAmount.seconds(5)
    private let state = Locked(State())

    init(_ pool: HTTPClient, standIn: HTTPClient.Request, idleTimeout: TimeAmount, generation: Int) {
        self.pool = pool
        self.generation = generation
        self.standIn = standIn
        self.idleTimeout = idleTimeout
    }

    /// Returns the connection that was used last. If there is none, the caller counts as waiting in the pool
    /// until ``leave()``.
    func take() -> ConnectionLease? {
        state.withLock { state in
            if state.idle.isEmpty {
                state.waiting += 1
                if state.silentSince == nil { state.silentSince = .now() }
            }
            return state.idle.popLast()
        }
    }

    /// Notes that an exchange no longer waits in the pool.
    ///
    /// - Parameter isAbort: whether the exchange was given up, so that the pool has not decided about it.
    func leave(isAbort: Bool) {
        state.withLock { state in
            state.waiting -= 1
            if !isAbort { state.silentSince = nil }
        }
    }

    /// Notes that an exchange has a connection.
    func begin(wasWaiting: Bool) {
        state.withLock { state in
            if wasWaiting { state.waiting -= 1 }
            state.carried += 1
            state.silentSince = nil
        }
    }

    /// Notes that an exchange that had a connection is over.
    func end() { state.withLock { $0.carried -= 1 } }

    /// Notes that an exchange waits for a connection that is not of this pool, but comes about in the same way.
    func expect() { state.withLock { if $0.silentSince == nil { $0.silentSince = .now() } } }

    /// Notes that the attempt to connect has failed.
    func fail() { state.withLock { $0.silentSince = nil } }

    /// Whether no exchange has a connection or waits for one.
    var isUnused: Bool { state.withLock { $0.carried == 0 && $0.waiting == 0 && $0.idle.isEmpty } }

    /// Whether the pool only waits for a connection that does not come about. AsyncHTTPClient opens no other one while
    /// it takes that one for starting, such as when a server is silent after its TLS handshake: it would wait for ever.
    var isStuck: Bool {
        state.withLock { state in
            guard state.carried == 0, state.idle.isEmpty, let since = state.silentSince else { return false }
            return .now() - since >= Self.patience
        }
    }

    /// Keeps a connection for the next exchange. Returns `false` if an exchange waits in the pool and must
    /// receive it.
    func keep(_ lease: ConnectionLease) -> Bool {
        state.withLock { state in
            guard state.waiting == 0, !state.isForgotten else { return false }
            state.idle.append(lease)
            return true
        }
    }

    /// Stops keeping connections if none is kept and no exchange waits. Returns whether it has stopped.
    func forget() -> Bool {
        state.withLock { state in
            if state.idle.isEmpty, state.waiting == 0 { state.isForgotten = true }
            return state.isForgotten
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
