#if NIO
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import TarmacCore

/// A connection on loan from AsyncHTTPClient's pool: to the pool it is busy with the stand-in as long as exchanges pass
/// over it one after the other.
///
/// The pool tells of failures through it, and through it an exchange that is ended gives the connection up.
final class ConnectionLease: HTTPClientResponseDelegate {
    typealias Response = Void

    private struct State {
        var current: WireExchange?
        var task: HTTPClient.Task<Void>?
        /// Why the connection is given up, from before the task was there.
        var failure: (any Error)?
        var link: ConnectionLink?
        /// The pool has heard the end of the stand-in.
        var isClosed = false
    }

    /// Where the connection may wait for its next exchange; `nil` when it carries one only.
    let peer: PeerConnections?
    private let state: Locked<State>

    init(for exchange: WireExchange, peer: PeerConnections?) {
        self.peer = peer
        state = Locked(State(current: exchange))
    }

    /// Asks the pool for a connection.
    func start(on pool: HTTPClient, standIn: HTTPClient.Request) {
        let task = pool.execute(request: standIn, delegate: self)
        let failure = state.withLock { state -> (any Error)? in
            if !state.isClosed { state.task = task }
            return state.failure
        }
        if let failure { task.fail(reason: failure) }
    }

    /// Gives the connection up, or the wait for it; the pool closes it.
    func fail(_ error: any Error) {
        let task = state.withLock { state in
            if state.task == nil { state.failure = error }
            return state.task
        }
        task?.fail(reason: error)
    }

    /// The connection is there.
    func arrive(_ link: ConnectionLink) { state.withLock { $0.link = link } }

    /// Says whose failures the pool's are from now on; `false` when it has told of the last one.
    func pass(to exchange: WireExchange?) -> Bool {
        state.withLock { state in
            if !state.isClosed { state.current = exchange }
            return !state.isClosed
        }
    }

    /// Sends an exchange over the connection, which waits for one.
    func carry(_ exchange: WireExchange) {
        // Taken from the peer's connections, so it has arrived.
        guard let link = state.withLock({ $0.link }) else { return exchange.start() }
        link.carry(exchange, of: self)
    }

    // MARK: From the pool

    func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) { close()?.failed(error) }

    func didFinishRequest(task: HTTPClient.Task<Void>) { _ = close() }

    /// Lets go of everything that could keep the exchange or the task alive.
    private func close() -> WireExchange? {
        state.withLock { state in
            defer {
                state.isClosed = true
                state.current = nil
                state.task = nil
                state.link = nil
            }
            return state.current
        }
    }
}
#endif
