#if canImport(Darwin)
import Foundation
import Security
import Tarmac

extension SessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard let serverTrust = challenge.protectionSpace.serverTrust else {
            return completionHandler(.performDefaultHandling, nil)
        }
        switch trust {
        case .system: completionHandler(.performDefaultHandling, nil)
        case .anyone: completionHandler(.useCredential, URLCredential(trust: serverTrust))
        case .systemAnd(let certificates): answer(serverTrust, certificates, only: false, completionHandler)
        case .only(let certificates): answer(serverTrust, certificates, only: true, completionHandler)
        }
    }

    private func answer(
        _ serverTrust: SecTrust, _ certificates: [Data], only: Bool,
        _ completionHandler: (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let anchors = certificates.compactMap { SecCertificateCreateWithData(nil, $0 as CFData) }
        SecTrustSetAnchorCertificates(serverTrust, anchors as CFArray)
        SecTrustSetAnchorCertificatesOnly(serverTrust, only)
        // The default handling evaluates the trust with these anchors, host name included.
        completionHandler(.performDefaultHandling, nil)
    }
}
#endif
