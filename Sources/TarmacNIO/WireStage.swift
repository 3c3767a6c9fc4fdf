#if NIO
package import TarmacCore

/// The progress of an exchange at its failure.
package struct WireStage: Sendable {
    var isAttached = false
    /// Whether the connection carried a request before and may therefore be stale.
    var mayBeStale = false
    /// Whether the server has announced the end of the connection (RFC 9113 §6.8).
    var isGoingAway = false
    /// Whether the server has not acted on the request: it stated so, or it cannot have seen it.
    var isUnprocessed = false
    var hasHead = false
    /// Whether the received body is shorter than announced.
    var missesBytes = false
    var usesProxy = false
    /// Whether a proxy is asked for each connection, as for a tunnel.
    var asksProxy = false
    var phase = TarmacError.Phase.connecting
    var host = ""

    package init(
        isAttached: Bool = false, mayBeStale: Bool = false, isGoingAway: Bool = false, isUnprocessed: Bool = false,
        hasHead: Bool = false, missesBytes: Bool = false, usesProxy: Bool = false, asksProxy: Bool = false,
        phase: TarmacError.Phase = .connecting, host: String = ""
    ) {
        self.isAttached = isAttached
        self.mayBeStale = mayBeStale
        self.isGoingAway = isGoingAway
        self.isUnprocessed = isUnprocessed
        self.hasHead = hasHead
        self.missesBytes = missesBytes
        self.usesProxy = usesProxy
        self.asksProxy = asksProxy
        self.phase = phase
        self.host = host
    }
}
#endif
