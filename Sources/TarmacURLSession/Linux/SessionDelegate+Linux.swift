#if !canImport(Darwin)
import Foundation
import FoundationNetworking

extension SessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(flight(of: task)?.openBodyAgain())
    }

    /// Handles a 401 with a Basic challenge. The whole response has been delivered, and Foundation waits for
    /// credentials that it does not receive. The exchange ends with the 401.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        flight(of: task)?.finishEarly()
    }
}
#endif
