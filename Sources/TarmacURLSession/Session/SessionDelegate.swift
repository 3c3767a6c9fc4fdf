import Foundation
@_spi(TarmacRooms) import TarmacCore
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes the events of a session to their exchange. On Linux, it runs on the session's own queue.
final class SessionDelegate: NSObject, Sendable {
    private struct State {
        var pooled: PooledSession?
        var notice: (@Sendable (PooledSession, PooledSession.Notice) -> Void)?
    }

    let answers: SessionAnswers
    private let state = Locked(State())

    init(_ answers: SessionAnswers) { self.answers = answers }

    /// Attaches the session. The session holds the session, the session holds its delegate until it is invalid, and
    /// the delegate holds the session.
    func attach(_ pooled: PooledSession, notice: @escaping @Sendable (PooledSession, PooledSession.Notice) -> Void) {
        state.withLock { $0 = State(pooled: pooled, notice: notice) }
    }

    private var pooled: PooledSession? { state.withLock { $0.pooled } }

    func flight(of task: URLSessionTask) -> SessionTask? { pooled?.flight(of: task) }

    private func complete(_ task: URLSessionTask, with error: (any Error)?) {
        guard let pooled else { return }
        let (flight, isEmpty) = pooled.remove(task)
        flight?.completed(with: error, response: task.response as? HTTPURLResponse)
        if isEmpty { report(.emptied) }
    }

    private func report(_ notice: PooledSession.Notice) {
        let state = state.withLock { $0 }
        if let pooled = state.pooled { state.notice?(pooled, notice) }
    }
}

extension SessionDelegate: URLSessionDataDelegate {
    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        let pooled = state.withLock { state in
            defer { state = State() }
            return state.pooled
        }
        pooled?.becameInvalid()
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        completionHandler(.allow)
        guard let response = response as? HTTPURLResponse, let flight = flight(of: dataTask) else { return }
        if !flight.received(response) { report(.spoilt) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        flight(of: dataTask)?.received(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        flight(of: task)?.sent(bytesSent, total: totalBytesSent)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        complete(task, with: error)
    }
}
