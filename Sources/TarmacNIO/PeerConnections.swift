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
        /// Whether no exchange will take a connection from here again.
        var isForgotten = false
    }

    let pool: HTTPClient
    /// The request that the pool receives in place of the real one.
    let standIn: HTTPClient.Request
    /// The time for which an idle connection is kept here.
    let idleTimeout: TimeAmount
    private let state = Locked(State())

    init(_ pool: HTTPClient, standIn: HTTPClient.Request, idleTimeout: TimeAmount) {
        self.pool = pool
        self.standIn = standIn
        self.idleTimeout = idleTimeout
    }

    /// Returns the connection that was used last. If there is none, the caller counts as waiting in the pool
    /// until ``leave()``.
    func take() -> ConnectionLease? {
        state.withLock { state in
            if state.idle.isEmpty { state.waiting += 1 }
            return state.idle.popLast()
        }
    }

    /// Notes that an exchange no longer waits in the pool.
    func leave() { state.withLock { $0.waiting -= 1 } }

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
