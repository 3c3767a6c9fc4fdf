#if NIO
import NIOHTTP2
import TarmacCore

/// The error with which NIO's codec gave a connection up, because the server broke the protocol.
struct HTTP2ConnectionFailure: Error {
    let cause: any Error
}

/// Converts errors of HTTP/2 to codes.
enum HTTP2ErrorMapping {
    /// Whether an error is from NIO's codec for HTTP/2, and not from TLS or the network.
    static func isFromCodec(_ error: any Error) -> Bool { String(reflecting: type(of: error)).hasPrefix("NIOHTTP2.") }

    /// Returns the code and the reason, or `nil` for an error that is not from HTTP/2.
    static func judge(_ error: any Error, _ stage: WireStage) -> (TarmacError.Code, String)? {
        switch error {
        case let error as HTTP2ConnectionFailure: connection(error.cause)
        case let error as NIOHTTP2Errors.StreamError: judge(error.baseError, stage)
        case let error as NIOHTTP2Errors.StreamClosed: streamClosed(error.errorCode, stage)
        case is NIOHTTP2Errors.NoSuchStream, is NIOHTTP2Errors.IOOnClosedConnection,
            is NIOHTTP2Errors.CreatedStreamAfterGoaway:
            NIOErrorMapping.lost(stage)
        case is NIOHTTP2Errors.ContentLengthViolated: (.truncatedBody, "the response body does not have its announced length")
        default:
            isFromCodec(error)
                ? (.malformedResponse, "the server broke HTTP/2: \(type(of: error))") : nil
        }
    }

    private static func connection(_ error: any Error) -> (TarmacError.Code, String) {
        switch error {
        case is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock, is NIOHTTP2Errors.ExcessiveContinuationFrames:
            (.headersTooLarge, "the response head is larger than the limit")
        default: (.malformedResponse, "the server broke HTTP/2, which ends the connection: \(type(of: error))")
        }
    }

    private static func streamClosed(_ code: HTTP2ErrorCode, _ stage: WireStage) -> (TarmacError.Code, String) {
        switch code {
        // NIO reports this error if a body does not have its announced length.
        case .protocolError where stage.missesBytes:
            (.truncatedBody, "the response body is shorter than its announced length")
        case .protocolError, .compressionError, .frameSizeError, .flowControlError, .streamClosed:
            (.malformedResponse, "the HTTP/2 stream was reset: \(code)")
        default: (stage.hasHead ? .truncatedBody : .connectionLost, "the HTTP/2 stream was reset: \(code)")
        }
    }
}
#endif
