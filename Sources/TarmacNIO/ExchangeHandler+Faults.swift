#if NIO
import NIOCore
import NIOHTTP1
import NIOHTTP2
import TarmacCore

/// The faults of a response and of its connection that the pool does not report.
extension ExchangeHandler {
    static let tooLarge = TarmacError(
        .headersTooLarge, phase: .receiving, "the fields of the response are larger than \(HeaderConversion.limit / 1_024) KiB")

    /// RFC 9110 §6.4.1. Over HTTP/1, the decoder takes such bytes for another response.
    static let unexpectedContent = TarmacError(
        .malformedResponse, phase: .receiving, "the response has content, which its status or the method HEAD does not allow")

    static let headless = TarmacError(.malformedResponse, phase: .receiving, "the response has no head that is final")

    /// Returns the error of a response with this head, or `nil` if the head is valid.
    func fault(of head: HTTPResponseHead) -> TarmacError? {
        guard (100...999).contains(head.status.code) else {
            return TarmacError(.malformedResponse, phase: .receiving, "the response has no valid status")
        }
        guard head.headers.isWithinLimit(isHTTP2: uses.isHTTP2) else { return Self.tooLarge }
        // RFC 9112 §6.1: the responses that have no body may say what another one would have.
        let mayHaveBody = current?.message.head.method != .HEAD && head.status != .notModified
        if !uses.isHTTP2, mayHaveBody, let coding = head.headers.unknownTransferCoding {
            return TarmacError(.malformedResponse, phase: .receiving, "the response has the transfer coding \(coding)")
        }
        guard uses.isHTTP2, head.headers.hasDamagedLocation else { return nil }
        return TarmacError(.malformedResponse, phase: .receiving, "the Location of the response is not UTF-8")
    }

    /// Notes whether a failed stream may be replaced: the server refused it, or it was never opened.
    func judgeStream(_ context: ChannelHandlerContext) {
        guard uses.isHTTP2, let current else { return }
        let stream = try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
        if stream.map({ uses.disclaims($0) }) ?? true { current.noteUnprocessed() }
    }

    /// Ends the exchange with the error of its connection. RFC 9113 §5.4.1: such an error ends all streams, which only
    /// see that the connection closes.
    func endWithConnection() {
        guard uses.isHTTP2, let failure = uses.failure else { return }
        current?.failed(failure)
    }
}
#endif
