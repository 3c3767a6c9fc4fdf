#if canImport(Darwin)
import Foundation
import Security
@_spi(TarmacRooms) import TarmacCore

extension SessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let space = challenge.protectionSpace
        switch answers.challenges.answer(to: Self.question(of: space), failures: challenge.previousFailureCount) {
        case .judgeServer:
            guard let serverTrust = space.serverTrust else { return completionHandler(.performDefaultHandling, nil) }
            judge(serverTrust, host: space.host, task, completionHandler)
        case .showIdentity: completionHandler(.useCredential, answers.identity?.credential)
        case .sendProxyCredentials:
            let credentials = answers.proxy.map { URLCredential(user: $0.user, password: $0.password, persistence: .none) }
            completionHandler(.useCredential, credentials)
        case .askApp: ask(session, task, challenge, completionHandler)
        case .performDefault: completionHandler(.performDefaultHandling, nil)
        case .refuse(let code):
            flight(of: task)?.end(.failure(TarmacError(code, phase: .connecting, "the other side has refused the credentials of the settings")))
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    private static func question(of space: URLProtectionSpace) -> ChallengePolicy.Question {
        if space.isProxy() { return .proxy }
        switch space.authenticationMethod {
        case NSURLAuthenticationMethodServerTrust: return .serverTrust
        case NSURLAuthenticationMethodClientCertificate: return .clientCertificate
        default: return .other
        }
    }

    private func judge(
        _ serverTrust: SecTrust, host: String, _ task: URLSessionTask,
        _ completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let trust = answers.trust
        prepare(serverTrust)
        let isTrusted = trust.needsEvaluation(of: host) && SecTrustEvaluateWithError(serverTrust, nil)
        let (answer, notice) = trust.answer(host: host, isTrusted: isTrusted, chain: Self.chain(of: serverTrust), now: Date())
        let flight = flight(of: task)
        if let notice { flight?.exchange.report(.pins(notice)) }
        switch answer {
        // The default handling evaluates the trust with its anchors and checks the host name.
        case .performDefault: completionHandler(.performDefaultHandling, nil)
        case .goOn: completionHandler(.useCredential, URLCredential(trust: serverTrust))
        case .refuse(let report):
            flight?.end(.failure(report.error))
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        if let transaction = metrics.transactionMetrics.last(where: { $0.resourceFetchType == .networkLoad }) {
            flight(of: task)?.exchange.report(.network(TransactionTimes(transaction).timings))
        }
        hear(session, task, metrics)
    }

    private func prepare(_ serverTrust: SecTrust) {
        switch answers.trust.trust {
        case .system, .anyone: break
        case .systemAnd(let certificates): anchor(serverTrust, certificates, only: false)
        case .only(let certificates): anchor(serverTrust, certificates, only: true)
        }
        if answers.trust.skipsHostName { SecTrustSetPolicies(serverTrust, SecPolicyCreateSSL(true, nil)) }
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

extension TransactionTimes {
    fileprivate init(_ metrics: URLSessionTaskTransactionMetrics) {
        self.init()
        (nameStart, nameEnd) = (metrics.domainLookupStartDate, metrics.domainLookupEndDate)
        (connectStart, connectEnd) = (metrics.connectStartDate, metrics.connectEndDate)
        (tlsStart, tlsEnd) = (metrics.secureConnectionStartDate, metrics.secureConnectionEndDate)
        (requestStart, requestEnd) = (metrics.requestStartDate, metrics.requestEndDate)
        (responseStart, responseEnd) = (metrics.responseStartDate, metrics.responseEndDate)
        (isReused, protocolName) = (metrics.isReusedConnection, metrics.networkProtocolName)
        (remoteAddress, remotePort) = (metrics.remoteAddress, metrics.remotePort)
    }
}
#endif
