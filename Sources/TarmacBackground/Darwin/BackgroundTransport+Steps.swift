#if canImport(Darwin)
import Foundation
@_spi(TarmacRooms) import TarmacCore
import TarmacTransfer
import TarmacURLSession

/// The steps of a call, each on the queue of the session.
extension BackgroundTransport {
    func enter(_ order: Order, _ wait: Wait) {
        let abortion = wait.exchange.abortReason?.error
        if let refusal = calls.withLock({ $0.admit(order.ticket, wait, abortion: abortion) }) { return wait.continuation.resume(throwing: refusal) }
        session.withLock { $0 }?.getAllTasks { [self] tasks in onQueue { $0.start(order, tasks) } }
    }

    private func start(_ order: Order, _ tasks: [URLSessionTask]) {
        guard calls.withLock({ $0.isWaiting(order.ticket) }) else { return }
        let label = order.ticket.label
        switch decide(order, tasks.map(\.seen)) {
        case .take: land(order, .success(.arrived))
        case .prepare: land(order, .success(.prepare))
        case .lost: land(order, .failure(BackgroundPolicy.lostOutcome))
        case .adopt(let number): assign(tasks[number], order.ticket)
        case .goOn(let data): assign(begin(label) { $0.downloadTask(withResumeData: data) }, order.ticket)
        case .begin where label.isUpload: upload(order)
        case .begin: assign(begin(label) { $0.downloadTask(with: order.request) }, order.ticket)
        }
    }

    private func decide(_ order: Order, _ tasks: [BackgroundPolicy.SeenTask]) -> BackgroundPolicy.Start {
        let label = order.ticket.label, hasCome = results.has(label)
        guard label.isUpload else {
            let rest = results.takeResumeData(label)
            return calls.withLock { $0.start(order.ticket, tasks: tasks, hasCome: hasCome, resumeData: rest) }
        }
        var facts = BackgroundPolicy.UploadFacts()
        (facts.hasCome, facts.isSent) = (hasCome, results.isSent(label))
        (facts.hasBody, facts.isRepeatable) = (order.body != nil, order.isRepeatable)
        return calls.withLock { [facts] in $0.start(order.ticket, tasks: tasks, upload: facts) }
    }

    private func upload(_ order: Order) {
        guard let body = order.body else { return }
        do {
            let file = URL(fileURLWithPath: try results.markSent(order.ticket.label, body))
            assign(begin(order.ticket.label) { $0.uploadTask(with: order.request, fromFile: file) }, order.ticket)
        } catch { land(order, .failure(error)) }
    }

    private func land(_ order: Order, _ result: Result<BackgroundArrival, any Error>) {
        calls.withLock { $0.take(order.ticket) }?.continuation.resume(with: result)
    }

    private func assign(_ task: URLSessionTask?, _ ticket: Calls.Ticket) {
        guard let task else { return }
        calls.withLock { $0.assign(task.taskIdentifier, to: ticket) }
        task.resume()
    }

    /// Returns a task for a label, or `nil` after the shutdown.
    func begin(_ label: BackgroundLabel, _ make: (URLSession) -> URLSessionTask) -> URLSessionTask? {
        let task = session.withLock { $0 }.map(make)
        task?.taskDescription = label.description
        return task
    }

    func abort(_ ticket: Calls.Ticket, _ error: any Error) {
        guard let wait = calls.withLock({ $0.abort(ticket) }) else { return }
        wait.continuation.resume(throwing: error)
        session.withLock { $0 }?.getAllTasks { [results] tasks in
            for task in tasks where task.label == ticket.label { task.pause { results.keep($0, for: ticket.label) } }
        }
    }
}
#endif
