#if canImport(Darwin)
import Foundation
import Security
import TarmacCore

extension SessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let host = challenge.protectionSpace.host
        guard let serverTrust = challenge.protectionSpace.serverTrust else {
            return completionHandler(.performDefaultHandling, nil)
        }
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
        guard let transaction = metrics.transactionMetrics.last(where: { $0.resourceFetchType == .networkLoad }) else { return }
        flight(of: task)?.exchange.report(.network(TransactionTimes(transaction).timings))
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
