#if NIO
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
@_spi(TarmacRooms) import TarmacCore
import TarmacResolver

/// Receives the failures that AsyncHTTPClient's pool reports. All other events come from the connection.
extension WireExchange {
    func failed(_ error: any Error) {
        state.withLock { if !$0.isEnded { $0.poolError = error } }
        end(NIOErrorMapping.error(for: error, at: stage))
    }

    /// Notes that the server has not acted on the request.
    func noteUnprocessed() { state.withLock { $0.isUnprocessed = true } }

    /// The decision about the failure with which this exchange ended.
    var nextAttempt: ResendPolicy.Decision {
        let stage = stage
        guard let error = state.withLock({ $0.poolError }) else { return .fail }
        return ResendPolicy.decide(
            after: error, at: stage, isIdempotent: message.isIdempotent, isReplayable: message.body.isReplayable)
    }

    /// The server's certificate, if only the certificates above it can decide whether it is pinned.
    var unknownChain: PinGate.UnknownChain? { state.withLock { $0.poolError as? PinGate.UnknownChain } }

    /// Whether its connection was refused because of its version, so that the next pool of the peer may offer another one.
    func needsOtherVersion(_ error: any Error, on peer: PeerConnections) -> Bool {
        if state.withLock({ $0.poolError is VersionGate.OtherVersion }) { return true }
        guard let versions = peer.versions, versions.isHTTP1Only, (error as? TarmacError)?.code.category == .tls, hasNotConnected else { return false }
        versions.giveUpHTTP1()
        return true
    }

    /// The other address to which the request is to go, if that is why the exchange has ended.
    var betterAddress: HostAddress? { (state.withLock { $0.poolError } as? BetterAddress)?.address }

    /// Whether there was never a connection.
    var hasNotConnected: Bool { state.withLock { $0.uses == nil } }

    /// The progress of the exchange, for the mapping of a failure.
    var stage: WireStage {
        state.withLock { state in
            WireStage(
                isAttached: state.uses != nil, mayBeStale: state.isReused, isGoingAway: state.uses?.isGoingAway ?? false,
                isUnprocessed: state.isUnprocessed, hasHead: state.head != nil,
                missesBytes: state.received < state.head?.announcedLength ?? 0,
                usesProxy: route.usesProxy, asksProxy: route.asksProxy, phase: exchange.phase, host: message.url.host)
        }
    }
}
#endif
