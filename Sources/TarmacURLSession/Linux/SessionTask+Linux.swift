#if !canImport(Darwin)
import Foundation
import TarmacCore

extension SessionTask {
    /// The body for the session to read.
    func open(_ body: RestingBody) -> InputStream? {
        guard let source = BodySources.open(body) else { return nil }
        carries(body)
        return BodyInputStream(source, length: body.length) { [weak self] in self?.bodyFailed($0) }
    }

    /// libcurl found a kept connection dead after it had sent some of the body, and wants to send it all again.
    func openBodyAgain() -> InputStream? {
        guard request.isIdempotent, let body = carriedBody else {
            refuseResend()
            // A body that fails at once, so that the request cannot be taken for complete.
            return BodyInputStream(BytesBodySource(.empty), length: 1) { _ in }
        }
        exchange.report(.resent)
        return open(body)
    }
}
#endif
