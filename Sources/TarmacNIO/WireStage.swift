#if NIO
package import TarmacCore

/// How far an exchange had come when it failed.
package struct WireStage: Sendable {
    var isAttached = false
    /// The connection had carried a request before: it may be stale.
    var mayBeStale = false
    /// The server has announced the connection's end (RFC 9113 §6.8).
    var isGoingAway = false
    /// The server has not acted on the request: it says so, or it cannot have seen it.
    var isUnprocessed = false
    var hasHead = false
    /// Less has come of the body than was announced.
    var missesBytes = false
    var usesProxy = false
    var phase = TarmacError.Phase.connecting
    var host = ""

    package init(
        isAttached: Bool = false, mayBeStale: Bool = false, isGoingAway: Bool = false, isUnprocessed: Bool = false,
        hasHead: Bool = false, missesBytes: Bool = false, usesProxy: Bool = false, phase: TarmacError.Phase = .connecting, host: String = ""
    ) {
        self.isAttached = isAttached
        self.mayBeStale = mayBeStale
        self.isGoingAway = isGoingAway
        self.isUnprocessed = isUnprocessed
        self.hasHead = hasHead
        self.missesBytes = missesBytes
        self.usesProxy = usesProxy
        self.phase = phase
        self.host = host
    }
}
#endif
