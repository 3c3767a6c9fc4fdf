#if canImport(Darwin)
import Foundation
@_spi(TarmacRooms) import TarmacCore

extension SessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let flight = flight(of: task)
        let note = { (outcome: SessionAnswers.Outcome) -> Void in
            switch outcome {
            case .refused(let error): flight?.end(.failure(error))
            case .noticed(let notice): flight?.exchange.report(.pins(notice))
            }
        }
        answers.answer(challenge, of: task, in: session, note, completionHandler)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        if let transaction = metrics.transactionMetrics.last(where: { $0.resourceFetchType == .networkLoad }) {
            flight(of: task)?.exchange.report(.network(TransactionTimes(transaction).timings))
        }
        answers.hear(session, task, metrics)
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
