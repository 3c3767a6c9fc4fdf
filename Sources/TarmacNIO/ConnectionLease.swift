#if NIO
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
@_spi(TarmacRooms) import TarmacCore

/// A connection that is borrowed from AsyncHTTPClient's pool. For the pool, it is busy with the stand-in while
/// exchanges use it one after the other.
///
/// The lease receives the failures that the pool reports. An exchange that is ended gives up its connection
/// through the lease.
final class ConnectionLease: HTTPClientResponseDelegate {
    typealias Response = Void

    private struct State {
        var current: WireExchange?
        var task: HTTPClient.Task<Void>?
        /// The reason for giving the connection up, if it was known before the task existed.
        var failure: (any Error)?
        var link: ConnectionLink?
        /// Whether the pool has received the end of the stand-in.
        var isClosed = false
    }

    /// The place where the connection may wait for its next exchange, or `nil` if it carries only one exchange.
    let peer: PeerConnections?
    private let state: Locked<State>

    init(for exchange: WireExchange, peer: PeerConnections?) {
        self.peer = peer
        state = Locked(State(current: exchange))
    }

    /// Requests a connection from the pool.
    func start(on pool: HTTPClient, standIn: HTTPClient.Request) {
        let task = pool.execute(request: standIn, delegate: self)
        let failure = state.withLock { state -> (any Error)? in
            if !state.isClosed { state.task = task }
            return state.failure
        }
        if let failure { task.fail(reason: failure) }
    }

    /// Gives up the connection or the wait for it. The pool closes the connection.
    func fail(_ error: any Error) {
        let task = state.withLock { state in
            if state.task == nil { state.failure = error }
            return state.task
        }
        task?.fail(reason: error)
    }

    /// Stores the link to the connection.
    func arrive(_ link: ConnectionLink) { state.withLock { $0.link = link } }

    /// Sets the exchange that receives further failures of the pool. Returns `false` if the pool has reported
    /// the last one.
    func pass(to exchange: WireExchange?) -> Bool {
        let (isOpen, _) = state.withLock { state in
            defer { if !state.isClosed { state.current = exchange } }
            return (!state.isClosed, state.current)
        }
        return isOpen
    }

    /// Sends an exchange over the connection, which is idle.
    func carry(_ exchange: WireExchange) {
        // The lease comes from the connections of the peer, so its connection is established.
        guard let link = state.withLock({ $0.link }) else { return exchange.start() }
        link.carry(exchange, of: self)
    }

    // MARK: From the pool

    func didReceiveError(task: HTTPClient.Task<Void>, _ error: any Error) { close()?.failed(error) }

    func didFinishRequest(task: HTTPClient.Task<Void>) { _ = close() }

    /// Releases everything that could keep the exchange or the task alive.
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
