#if NIO
import AsyncHTTPClient
import NIOCore
import TarmacCore

/// The connections to one peer that wait for their next request outside AsyncHTTPClient's pool.
///
/// A connection goes back to the pool when an exchange waits there for one. As long as none does, it passes from one
/// exchange to the next without the pool, which is the dearest part of a small request.
final class PeerConnections: Sendable {
    private struct State {
        /// The one used last comes last.
        var idle: [ConnectionLease] = []
        /// How many exchanges wait in the pool.
        var waiting = 0
        /// Nobody will come for a connection any more.
        var isForgotten = false
    }

    let pool: HTTPClient
    /// What the pool is given in place of a request.
    let standIn: HTTPClient.Request
    /// How long a connection waits here until it is closed.
    let idleTimeout: TimeAmount
    private let state = Locked(State())

    init(_ pool: HTTPClient, standIn: HTTPClient.Request, idleTimeout: TimeAmount) {
        self.pool = pool
        self.standIn = standIn
        self.idleTimeout = idleTimeout
    }

    /// The connection used last; without one the caller counts as waiting in the pool, until ``leave()``.
    func take() -> ConnectionLease? {
        state.withLock { state in
            if state.idle.isEmpty { state.waiting += 1 }
            return state.idle.popLast()
        }
    }

    /// An exchange does not wait in the pool any more.
    func leave() { state.withLock { $0.waiting -= 1 } }

    /// Keeps a connection for the next exchange; `false` when one waits in the pool, which is to have it.
    func keep(_ lease: ConnectionLease) -> Bool {
        state.withLock { state in
            guard state.waiting == 0, !state.isForgotten else { return false }
            state.idle.append(lease)
            return true
        }
    }

    /// Ends the keeping if nothing is kept and nobody waits; tells whether it did.
    func forget() -> Bool {
        state.withLock { state in
            if state.idle.isEmpty, state.waiting == 0 { state.isForgotten = true }
            return state.isForgotten
        }
    }

    /// Takes a certain connection out; `false` when it is not here, for instance on its way to an exchange.
    func remove(_ lease: ConnectionLease) -> Bool {
        state.withLock { state in
            guard let index = state.idle.lastIndex(where: { $0 === lease }) else { return false }
            state.idle.remove(at: index)
            return true
        }
    }
}
#endif
