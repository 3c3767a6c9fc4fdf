import Dispatch
@_spi(TarmacRooms) import TarmacCore

/// Gives a session no more exchanges of an `http` host than it has connections for the host.
///
/// A session queues the others itself, and takes a cancelled one out of its queue some time later. If its turn comes
/// before, it is sent. An exchange that waits here and is cancelled is never sent. Hosts with `https` have no limit
/// here, because HTTP/2 carries many exchanges on one connection.
final class HostQueues: Sendable {
    /// An exchange, and the step that gives it to the session.
    struct Waiting: Sendable {
        let flight: SessionTask
        let start: @Sendable () -> Void
    }

    private let limit: Int
    private let state = Locked<[WebOrigin: ConnectionQueue<Waiting>]>([:])
    /// Starts exchanges: the thread of a session reports the end of an exchange and must not wait for itself.
    private let queue = DispatchQueue(label: "tarmac.urlsession.start")

    init(limit: Int) { self.limit = limit }

    /// Starts an exchange now, or when its host has a connection for it.
    func enter(_ flight: SessionTask, start: @escaping @Sendable () -> Void) {
        let goes = state.withLock { [limit] hosts in
            hosts[flight.request.url.origin, default: ConnectionQueue(limit: limit)]
                .enter(ObjectIdentifier(flight), flight.exchange.priority, Waiting(flight: flight, start: start))
        }
        if goes { return start() }
        // It may have ended before it was added.
        if flight.isOver { withdraw(flight) }
    }

    /// Removes an exchange that was ended while it waits.
    func withdraw(_ flight: SessionTask) {
        state.withLock { $0[flight.request.url.origin]?.withdraw(ObjectIdentifier(flight)) }
    }

    /// Starts the next exchange of the host, after the session has no more task for this one.
    func finish(_ flight: SessionTask) {
        let origin = flight.request.url.origin
        let next = state.withLock { hosts -> Waiting? in
            let next = hosts[origin]?.finish(ObjectIdentifier(flight))
            if hosts[origin]?.isEmpty == true { hosts[origin] = nil }
            return next
        }
        if let next { queue.async(execute: next.start) }
    }

    /// Ends the exchanges that wait.
    func close() {
        let waiting = state.withLock { hosts in hosts.keys.flatMap { hosts[$0]?.removeWaiting() ?? [] } }
        for call in waiting { call.flight.end(.failure(PooledSession.closedError)) }
    }
}
