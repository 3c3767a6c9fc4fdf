#if !canImport(Darwin)
import Foundation
import TarmacCore

extension SessionTask {
    /// Returns the body as a stream for the session.
    func open(_ body: RestingBody) -> InputStream? {
        guard let source = BodySources.open(body) else { return nil }
        carries(body)
        return BodyInputStream(source, length: body.length) { [weak self] in self?.bodyFailed($0) }
    }

    /// Returns the body again, after libcurl found a pooled connection dead and has to send the whole body
    /// again.
    func openBodyAgain() -> InputStream? {
        guard request.isIdempotent, let body = carriedBody else {
            refuseResend()
            // This body fails at once, so that the server cannot take the request for complete.
            return BodyInputStream(BytesBodySource(.empty), length: 1) { _ in }
        }
        exchange.report(.resent)
        return open(body)
    }
}
#endif
