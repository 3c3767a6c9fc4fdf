#if NIO
import NIOCore
@_spi(TarmacRooms) import TarmacCore

/// Keeps the connections of a pool to one version of HTTP at a time.
///
/// AsyncHTTPClient's pool takes the version of each new connection. If one of the other version is open then, its end is lost, and the
/// next change of the version ends the process. So a new connection of another version than the open ones is refused, and the peer gets
/// another pool. Such peers are fleets in which some servers speak HTTP/2, or paths of which some inspect TLS.
final class VersionGate: Sendable {
    /// The error of a refused connection.
    struct OtherVersion: Error {}

    /// The open connections of a pool.
    private struct Pool {
        var isHTTP2 = false
        var open = 0

        mutating func admit(isHTTP2: Bool) -> Bool {
            guard open == 0 || self.isHTTP2 == isHTTP2 else { return false }
            (self.isHTTP2, open) = (isHTTP2, open + 1)
            return true
        }
    }
    private struct State {
        var shared = Pool()
        /// The pool whose connections carry a single request.
        var fresh = Pool()
        var isMixed = false
        var isGivenUp = false
    }

    /// A pool that replaces another one and lives shorter than this is replaced by one that offers HTTP/1.1 only.
    private static let shortest = TimeAmount.minutes(1)
    /// The time for which only HTTP/1.1 is offered.
    private static let longestHTTP1 = TimeAmount.minutes(5)

    /// Whether the connections offer HTTP/1.1 only, because the servers of the peer do not agree.
    let isHTTP1Only: Bool
    private let isSuccessor: Bool
    private let start = NIODeadline.now()
    private let state = Locked(State())

    init() { (isSuccessor, isHTTP1Only) = (false, false) }

    private init(isHTTP1Only: Bool) { (isSuccessor, self.isHTTP1Only) = (true, isHTTP1Only) }

    /// Notes a new connection. Call it before the pool owns the connection.
    ///
    /// - Throws: ``OtherVersion``.
    func admit(_ channel: any Channel, isHTTP2: Bool, isFresh: Bool) throws {
        let isAdmitted = state.withLock { state in
            let isAdmitted = isFresh ? state.fresh.admit(isHTTP2: isHTTP2) : state.shared.admit(isHTTP2: isHTTP2)
            if !isAdmitted { state.isMixed = true }
            return isAdmitted
        }
        guard isAdmitted else { throw OtherVersion() }
        // One tick later, the pool knows that the connection has closed.
        channel.closeFuture.whenComplete { _ in channel.eventLoop.execute { self.leave(isFresh: isFresh) } }
    }

    private func leave(isFresh: Bool) { state.withLock { if isFresh { $0.fresh.open -= 1 } else { $0.shared.open -= 1 } } }

    /// Notes that a server does not take HTTP/1.1.
    func giveUpHTTP1() { state.withLock { $0.isGivenUp = true } }

    /// Whether the peer needs another pool.
    var isOver: Bool { state.withLock { $0.isMixed || $0.isGivenUp } || isHTTP1Only && .now() - start >= Self.longestHTTP1 }

    /// Returns the gate of the pool that replaces this one.
    func next() -> VersionGate {
        let isShort = isSuccessor && .now() - start < Self.shortest
        return VersionGate(isHTTP1Only: isShort && state.withLock { $0.isMixed })
    }
}
#endif
