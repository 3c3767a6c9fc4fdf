#if NIO
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import TarmacCore

/// What AsyncHTTPClient's pool tells: failures. Everything else comes from the connection itself.
extension WireExchange {
    func failed(_ error: any Error) {
        state.withLock { if !$0.isEnded { $0.poolError = error } }
        end(NIOErrorMapping.error(for: error, at: stage))
    }

    /// The server has not acted on the request.
    func noteUnprocessed() { state.withLock { $0.isUnprocessed = true } }

    /// What to do about the failure this exchange ended with.
    var nextAttempt: ResendPolicy.Decision {
        let stage = stage
        guard let error = state.withLock({ $0.poolError }) else { return .fail }
        return ResendPolicy.decide(
            after: error, at: stage, isIdempotent: message.isIdempotent, isReplayable: message.body.isReplayable)
    }

    /// The server's certificate, when only those above it can tell whether it is pinned.
    var unknownChain: PinGate.UnknownChain? { state.withLock { $0.poolError as? PinGate.UnknownChain } }

    /// How far the exchange has come, for judging a failure.
    var stage: WireStage {
        state.withLock { state in
            WireStage(
                isAttached: state.uses != nil, mayBeStale: state.isReused, isGoingAway: state.uses?.isGoingAway ?? false,
                isUnprocessed: state.isUnprocessed, hasHead: state.head != nil,
                missesBytes: state.received < state.head?.announcedLength ?? 0,
                usesProxy: usesProxy, phase: exchange.phase, host: message.url.host)
        }
    }
}
#endif
