#if canImport(Darwin)
package import Foundation
import Security
@_spi(TarmacRooms) package import TarmacCore

/// The answers to the challenges of a session. ``ChallengePolicy`` and ``ServerTrustPolicy`` decide.
extension SessionAnswers {
    package typealias Completion = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    /// The meaning of a challenge for its task, besides the answer.
    package enum Outcome: Sendable {
        /// The task ends with this error.
        case refused(TarmacError)
        case noticed(PinNotice)
    }

    /// Answers a challenge.
    package func answer(
        _ challenge: URLAuthenticationChallenge, of task: URLSessionTask, in session: URLSession, _ note: (Outcome) -> Void,
        _ completionHandler: @escaping Completion
    ) {
        let space = challenge.protectionSpace
        switch challenges.answer(to: question(of: space), failures: challenge.previousFailureCount) {
        case .judgeServer:
            guard let serverTrust = space.serverTrust else { return completionHandler(.performDefaultHandling, nil) }
            judge(serverTrust, host: space.host, note, completionHandler)
        case .showIdentity: completionHandler(.useCredential, identity?.credential)
        case .sendProxyCredentials:
            let credentials = proxy.map { URLCredential(user: $0.user, password: $0.password, persistence: .none) }
            completionHandler(.useCredential, credentials)
        case .askApp: ask(session, task, challenge, completionHandler)
        case .performDefault: completionHandler(.performDefaultHandling, nil)
        case .refuse(let code):
            note(.refused(TarmacError(code, phase: .connecting, "the other side has refused the credentials of the settings")))
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    private func question(of space: URLProtectionSpace) -> ChallengePolicy.Question {
        if space.isProxy() { return .proxy }
        switch space.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust: return .serverTrust(isSettled: trust.settles(space.host))
        case NSURLAuthenticationMethodClientCertificate: return .clientCertificate
        default: return .other
        }
    }

    private func judge(_ serverTrust: SecTrust, host: String, _ note: (Outcome) -> Void, _ completionHandler: Completion) {
        prepare(serverTrust)
        let isTrusted = trust.needsEvaluation(of: host) && SecTrustEvaluateWithError(serverTrust, nil)
        let (answer, notice) = trust.answer(host: host, isTrusted: isTrusted, chain: Self.chain(of: serverTrust), now: Date())
        if let notice { note(.noticed(notice)) }
        switch answer {
        // The default handling evaluates the trust with its anchors and checks the host name.
        case .performDefault: completionHandler(.performDefaultHandling, nil)
        case .goOn: completionHandler(.useCredential, URLCredential(trust: serverTrust))
        case .refuse(let report):
            note(.refused(report.error))
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    private func prepare(_ serverTrust: SecTrust) {
        switch trust.trust {
        case .system, .anyone: break
        case .systemAnd(let certificates): anchor(serverTrust, certificates, only: false)
        case .only(let certificates): anchor(serverTrust, certificates, only: true)
        }
        if trust.skipsHostName { SecTrustSetPolicies(serverTrust, SecPolicyCreateSSL(true, nil)) }
    }

    private func anchor(_ serverTrust: SecTrust, _ certificates: [Data], only: Bool) {
        let anchors = certificates.compactMap { SecCertificateCreateWithData(nil, coreData($0)) }
        SecTrustSetAnchorCertificates(serverTrust, coreArray(anchors))
        SecTrustSetAnchorCertificatesOnly(serverTrust, only)
    }

    private static func chain(of serverTrust: SecTrust) -> [Data] {
        plainCertificates(SecTrustCopyCertificateChain(serverTrust)).map { plainData(SecCertificateCopyData($0)) }
    }
}
#endif
