#if NIO
import AsyncHTTPClient
import NIOCore
import NIOHTTP2
import TarmacCore

/// Decides whether a failed exchange is sent again, because the connection failed and not the request.
package enum ResendPolicy {
    package enum Decision: Equatable {
        case fail
        /// The request was never sent, because one of the pool's own time limits passed. It goes to the pool
        /// again.
        case waitAgain
        /// The request was never sent, because its connection closed at that moment. It goes to the pool again.
        case carryAgain
        /// The proxy closed the connection when it was asked for a server, or a connection through it closed at that moment. The request goes to
        /// the pool again.
        case askAgain
        /// A pooled connection was stale. The request is sent again over a new connection.
        case resend
        /// The server has not acted on the request, or it is closing the connection and the request may be
        /// repeated. The request is sent again over a new connection.
        case resendElsewhere

        /// Whether the request was on the wire before.
        var sendsAgain: Bool { self == .resend || self == .resendElsewhere }
    }

    /// The number of times that a request may be sent again for each reason, so that no server can cause
    /// endless repeats.
    package struct Allowance {
        private var stale = 1
        private var unsent = 8
        // A proxy that closes the connection refuses, and would be asked for each of the others.
        private var asked = 1
        // A server that shuts down or restarts may do so on each of a few connections.
        private var elsewhere = 4

        package init() {}

        /// Uses one repeat. Returns `false` if none is left.
        package mutating func take(_ decision: Decision) -> Bool {
            switch decision {
            case .fail: false
            case .waitAgain: true
            case .carryAgain: Self.take(&unsent)
            case .askAgain: Self.take(&asked)
            case .resend: Self.take(&stale)
            case .resendElsewhere: Self.take(&elsewhere)
            }
        }

        private static func take(_ count: inout Int) -> Bool {
            count -= 1
            return count >= 0
        }
    }

    package static func decide(after error: any Error, at stage: WireStage, isIdempotent: Bool, isReplayable: Bool) -> Decision {
        guard stage.isAttached else { return unsent(error, asksProxy: stage.asksProxy) }
        guard !stage.hasHead, isReplayable else { return .fail }
        if isUnprocessed(error, at: stage) { return .resendElsewhere }
        guard isIdempotent, NIOErrorMapping.isConnectionLoss(error) else { return .fail }
        if stage.isGoingAway { return .resendElsewhere }
        return stage.mayBeStale ? .resend : .fail
    }

    /// Decides about failures on the way to a connection that have no meaning for the server: the chosen
    /// connection closed at that moment, or a limit of the pool passed, while only the limits of the attempt
    /// count.
    private static func unsent(_ error: any Error, asksProxy: Bool) -> Decision {
        switch error {
        case let error as HTTPClientError:
            if [.getConnectionFromPoolTimeout, .connectTimeout, .tlsHandshakeTimeout].contains(error) {
                .waitAgain
            } else if error == .remoteConnectionClosed, asksProxy {
                .askAgain
            } else {
                [.remoteConnectionClosed, .cancelled].contains(error) ? .carryAgain : .fail
            }
        case ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed: .carryAgain
        default: isEarlyGoAway(error) ? .carryAgain : .fail
        }
    }

    /// Whether the server ended a connection before it sent its settings. AsyncHTTPClient does not publish the
    /// type of the error.
    private static func isEarlyGoAway(_ error: any Error) -> Bool {
        String(describing: type(of: error)) == "HTTP2ReceivedGoAwayBeforeSettingsError"
    }

    /// Whether the server states that it has not acted on a request that was sent to it, or cannot have seen it
    /// (RFC 9113 §8.7).
    static func isUnprocessed(_ error: any Error, at stage: WireStage) -> Bool {
        stage.isAttached && (stage.isUnprocessed || isUnprocessed(error))
    }

    private static func isUnprocessed(_ error: any Error) -> Bool {
        switch error {
        case let error as NIOHTTP2Errors.StreamError: isUnprocessed(error.baseError)
        case let error as NIOHTTP2Errors.StreamClosed: error.errorCode == .refusedStream
        case is NIOHTTP2Errors.CreatedStreamAfterGoaway: true
        default: false
        }
    }
}
#endif
