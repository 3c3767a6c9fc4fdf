#if NIO
import AsyncHTTPClient
import NIOCore
import NIOHTTP2
import TarmacCore

/// Decides whether a failed exchange is carried once more, because the connection and not the request was at fault.
package enum ResendPolicy {
    package enum Decision: Equatable {
        case fail
        /// The request was never sent, because one of the pool's own time limits passed: it goes to the pool again.
        case waitAgain
        /// The request was never sent, because its connection closed at that moment: it goes to the pool again.
        case carryAgain
        /// A pooled connection was stale: the request is sent once more, on a fresh one.
        case resend
        /// The server has not acted on the request, or is letting the connection go and the request may be repeated: it
        /// is sent again, on a fresh connection.
        case resendElsewhere

        /// Whether the request was on the wire before.
        var sendsAgain: Bool { self == .resend || self == .resendElsewhere }
    }

    /// How often one request may be carried again for each reason, so that no server can keep it going for ever.
    package struct Allowance {
        private var stale = 1
        private var unsent = 8
        // A server that is going away, or restarting, may do so on each of a few connections.
        private var elsewhere = 4

        package init() {}

        /// Takes one; `false` when there is none left.
        package mutating func take(_ decision: Decision) -> Bool {
            switch decision {
            case .fail: false
            case .waitAgain: true
            case .carryAgain: Self.take(&unsent)
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
        guard stage.isAttached else { return unsent(error) }
        guard !stage.hasHead, isReplayable else { return .fail }
        if isUnprocessed(error, at: stage) { return .resendElsewhere }
        guard isIdempotent, NIOErrorMapping.isConnectionLoss(error) else { return .fail }
        if stage.isGoingAway { return .resendElsewhere }
        return stage.mayBeStale ? .resend : .fail
    }

    /// Failures of the way to a connection that say nothing about the server: the connection the pool had chosen closed
    /// at that moment, or one of the pool's own limits passed, while only those of the attempt count.
    private static func unsent(_ error: any Error) -> Decision {
        switch error {
        case let error as HTTPClientError:
            if [.getConnectionFromPoolTimeout, .connectTimeout, .tlsHandshakeTimeout].contains(error) {
                .waitAgain
            } else {
                [.remoteConnectionClosed, .cancelled].contains(error) ? .carryAgain : .fail
            }
        case ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed: .carryAgain
        default: isEarlyGoAway(error) ? .carryAgain : .fail
        }
    }

    /// A connection that the server ended before it had said what it can do; AsyncHTTPClient keeps the type to itself.
    private static func isEarlyGoAway(_ error: any Error) -> Bool {
        String(describing: type(of: error)) == "HTTP2ReceivedGoAwayBeforeSettingsError"
    }

    /// Whether the server says that it has not acted on a request that went to it, or cannot have seen it (RFC 9113 §8.7).
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
