#if NIO
import NIOHTTP2
import Tarmac

/// What went wrong in HTTP/2.
enum HTTP2ErrorMapping {
    /// `nil` for an error that is not one of HTTP/2's.
    static func judge(_ error: any Error) -> (TarmacError.Code, String)? {
        switch error {
        case let error as NIOHTTP2Errors.StreamClosed: streamClosed(error.errorCode)
        case is NIOHTTP2Errors.NoSuchStream, is NIOHTTP2Errors.IOOnClosedConnection,
            is NIOHTTP2Errors.CreatedStreamAfterGoaway:
            (.connectionLost, "the HTTP/2 connection closed before there was a response")
        case is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock:
            (.headersTooLarge, "the response head is larger than the limit")
        case is NIOHTTP2Errors.ContentLengthViolated: (.truncatedBody, "the response body does not have its announced length")
        default: String(reflecting: type(of: error)).hasPrefix("NIOHTTP2.")
            ? (.malformedResponse, "the server broke HTTP/2: \(type(of: error))") : nil
        }
    }

    private static func streamClosed(_ code: HTTP2ErrorCode) -> (TarmacError.Code, String) {
        switch code {
        case .protocolError, .compressionError, .frameSizeError, .flowControlError:
            (.malformedResponse, "the HTTP/2 stream was reset: \(code)")
        default: (.connectionLost, "the HTTP/2 stream was reset: \(code)")
        }
    }
}
#endif
