#if NIO
import NIOCore
@_spi(TarmacRooms) import TarmacCore

/// Keeps the connections of a pool to one version of HTTP.
///
/// AsyncHTTPClient's pool takes the version of each new connection. The ends of open connections of the other version are lost then, and the
/// next change of the version ends the process. So a connection of another version than the first one is refused, and the peer gets another
/// pool. Such peers are fleets in which some servers speak HTTP/2, or paths of which some inspect TLS.
final class VersionGate: Sendable {
    /// The error of a refused connection.
    struct OtherVersion: Error {}

    private struct State {
        /// The version of the first connection.
        var isHTTP2: Bool?
        /// The same for the pool whose connections carry a single request.
        var isFreshHTTP2: Bool?
        var isMixed = false
        var isTroubled = false
        var isGivenUp = false
    }

    /// The time for which only HTTP/1.1 is offered.
    private static let longestHTTP1 = TimeAmount.minutes(5)

    /// Whether the connections offer HTTP/1.1 only, because the servers of the peer do not agree.
    let isHTTP1Only: Bool
    private let start = NIODeadline.now()
    private let state = Locked(State())

    init(isHTTP1Only: Bool = false) { self.isHTTP1Only = isHTTP1Only }

    /// Notes a new connection. Call it before the pool owns the connection.
    ///
    /// - Throws: ``OtherVersion``.
    func admit(isHTTP2: Bool, isFresh: Bool) throws {
        let isAdmitted = state.withLock { state in
            let first = (isFresh ? state.isFreshHTTP2 : state.isHTTP2) ?? isHTTP2
            if isFresh { state.isFreshHTTP2 = first } else { state.isHTTP2 = first }
            if first != isHTTP2 { state.isMixed = true }
            return first == isHTTP2
        }
        if !isAdmitted { throw OtherVersion() }
    }

    /// Notes that a request has lost its connection in this way again and again, so that the next pool offers HTTP/1.1 only.
    func noteTrouble() { state.withLock { $0.isTroubled = true } }

    /// Notes that a server does not take HTTP/1.1.
    func giveUpHTTP1() { state.withLock { $0.isGivenUp = true } }

    /// Whether the peer needs another pool.
    var isOver: Bool { state.withLock { $0.isMixed || $0.isGivenUp } || isHTTP1Only && .now() - start >= Self.longestHTTP1 }

    /// Returns the gate of the pool that replaces this one.
    func next() -> VersionGate { VersionGate(isHTTP1Only: state.withLock { $0.isTroubled }) }
}
#endif
