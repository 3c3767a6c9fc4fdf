#if NIO
import AsyncHTTPClient
import NIOCore
import NIOHTTP2
import Tarmac

/// Decides whether a failed exchange is carried once more, because the connection and not the request was at fault.
package enum ResendPolicy {
    package enum Decision: Equatable {
        case fail
        /// The request was never sent: it goes to the pool again.
        case carryAgain
        /// A pooled connection was stale: the request is sent once more, on a fresh one.
        case resend
    }

    package static func decide(after error: any Error, at stage: WireStage, isIdempotent: Bool, isReplayable: Bool) -> Decision {
        guard stage.isAttached else { return isPassing(error) ? .carryAgain : .fail }
        guard !stage.hasHead, isReplayable else { return .fail }
        if isUnprocessed(error) { return .resend }
        return stage.mayBeStale && isIdempotent && NIOErrorMapping.isConnectionLoss(error) ? .resend : .fail
    }

    /// Failures of the way to a connection that say nothing about the server: the connection the pool had chosen closed
    /// at that moment, or one of the pool's own limits passed, while only those of the attempt count.
    private static func isPassing(_ error: any Error) -> Bool {
        switch error {
        case let error as HTTPClientError:
            [.remoteConnectionClosed, .cancelled, .getConnectionFromPoolTimeout, .connectTimeout, .tlsHandshakeTimeout]
                .contains(error)
        case ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed: true
        default: false
        }
    }

    /// RFC 9113 §8.7: the server says that it has not acted on the request, or it cannot have seen it.
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
