#if NIO
package import NIOCore

/// Decides whether a pool of AsyncHTTPClient waits for a connection that does not come about (pure).
///
/// AsyncHTTPClient opens no other connection while it takes one for starting, such as when a server is silent after
/// its TLS handshake: exchanges would wait for ever. An exchange that waits because the server or the limit allows no
/// more at once is different. It gets its turn when another one ends.
package struct PoolWatch: Sendable {
    /// The time after which a pool is stuck: exchanges have waited that long, and the pool has neither brought a
    /// connection nor failed to.
    package static let shortest = TimeAmount.seconds(5)
    /// The pool that replaces a stuck one has a longer patience. AsyncHTTPClient cannot give up the connection of a
    /// stuck one, so that a server that is silent for ever would be left with a connection every 5 s.
    package static let longest = TimeAmount.seconds(80)

    /// The maximum number of connections over HTTP/1.
    package let limit: Int
    package let patience: TimeAmount
    /// The number of exchanges that wait in the pool.
    package private(set) var waiting = 0
    /// The number of exchanges that wait for a connection that is not of this pool, but comes about in the same way.
    private var waitingElsewhere = 0
    /// The number of exchanges that have a connection.
    package private(set) var carried = 0
    /// The number of connections of the pool that carry an exchange over HTTP/1.
    package private(set) var held = 0
    private var hasConnected = false
    /// The time that exchanges have waited since the last event, until ``since``.
    private var silence = TimeAmount.zero
    /// The time since which exchanges wait.
    private var since: NIODeadline?

    package init(limit: Int, patience: TimeAmount = shortest) {
        self.limit = limit
        self.patience = patience
    }

    /// Notes that an exchange waits.
    ///
    /// - Parameter isShared: whether it waits in the pool itself.
    package mutating func wait(isShared: Bool = true, at now: NIODeadline) {
        if isShared { waiting += 1 } else { waitingElsewhere += 1 }
        if since == nil { since = now }
    }

    /// Notes that an exchange no longer waits.
    ///
    /// - Parameter isAbort: whether the exchange was given up, so that the pool has not decided about it.
    package mutating func leave(isShared: Bool = true, isAbort: Bool, at now: NIODeadline) {
        if isAbort, let since { silence = silence + (now - since) } else { silence = .zero }
        stopWaiting(isShared, now)
    }

    /// Notes that an exchange has a connection.
    ///
    /// - Parameter holds: whether it keeps a connection of the pool from others, as over HTTP/1.
    package mutating func begin(wasWaiting: Bool, isShared: Bool = true, holds: Bool, at now: @autoclosure () -> NIODeadline) {
        carried += 1
        if holds { held += 1 }
        hasConnected = true
        guard since != nil || silence != .zero else { return }
        silence = .zero
        if wasWaiting { stopWaiting(isShared, now()) } else if since != nil { since = now() }
    }

    /// Notes that an exchange that had a connection is over.
    package mutating func end(held: Bool, at now: @autoclosure () -> NIODeadline) {
        carried -= 1
        guard held else { return }
        // While all connections carry exchanges, nothing is late.
        if self.held >= limit, since != nil { (silence, since) = (.zero, now()) }
        self.held -= 1
    }

    private mutating func stopWaiting(_ isShared: Bool, _ now: NIODeadline) {
        if isShared { waiting -= 1 } else { waitingElsewhere -= 1 }
        since = waiting + waitingElsewhere > 0 ? now : nil
    }

    /// Whether the pool is stuck, unless it has an open connection over HTTP/2, whose streams are in use.
    package func isStuck(at now: @autoclosure () -> NIODeadline) -> Bool {
        guard since != nil || silence != .zero, held < limit else { return false }
        return silence + (since.map { now() - $0 } ?? .zero) >= patience
    }

    package var isUnused: Bool { carried == 0 && waiting == 0 && waitingElsewhere == 0 }

    /// The patience with the pool that replaces this one.
    package var patienceWithNext: TimeAmount { hasConnected ? Self.shortest : min(patience * 2, Self.longest) }
}
#endif
