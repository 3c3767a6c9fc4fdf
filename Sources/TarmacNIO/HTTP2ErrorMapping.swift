#if NIO
import NIOHTTP2
import TarmacCore

/// Converts errors of HTTP/2 to codes.
enum HTTP2ErrorMapping {
    /// Returns the code and the reason, or `nil` for an error that is not from HTTP/2.
    static func judge(_ error: any Error, _ stage: WireStage) -> (TarmacError.Code, String)? {
        switch error {
        case let error as NIOHTTP2Errors.StreamError: judge(error.baseError, stage)
        case let error as NIOHTTP2Errors.StreamClosed: streamClosed(error.errorCode, stage)
        case is NIOHTTP2Errors.NoSuchStream, is NIOHTTP2Errors.IOOnClosedConnection,
            is NIOHTTP2Errors.CreatedStreamAfterGoaway:
            NIOErrorMapping.lost(stage)
        case is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock:
            (.headersTooLarge, "the response head is larger than the limit")
        case is NIOHTTP2Errors.ContentLengthViolated: (.truncatedBody, "the response body does not have its announced length")
        default:
            String(reflecting: type(of: error)).hasPrefix("NIOHTTP2.")
                ? (.malformedResponse, "the server broke HTTP/2: \(type(of: error))") : nil
        }
    }

    private static func streamClosed(_ code: HTTP2ErrorCode, _ stage: WireStage) -> (TarmacError.Code, String) {
        switch code {
        // NIO reports this error if a body does not have its announced length.
        case .protocolError where stage.missesBytes:
            (.truncatedBody, "the response body is shorter than its announced length")
        case .protocolError, .compressionError, .frameSizeError, .flowControlError:
            (.malformedResponse, "the HTTP/2 stream was reset: \(code)")
        default: (stage.hasHead ? .truncatedBody : .connectionLost, "the HTTP/2 stream was reset: \(code)")
        }
    }
}
#endif
