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

    /// A 401 with a Basic challenge: everything of the response has been delivered, and Foundation waits for
    /// credentials that it will not get from here. The flight lands with the 401.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        flight(of: task)?.finishEarly()
    }
}
#endif
