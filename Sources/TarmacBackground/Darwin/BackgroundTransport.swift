#if canImport(Darwin)
import Foundation
@_spi(TarmacRooms) import TarmacCore
import TarmacTransfer
import TarmacURLSession

/// Performs calls in a background session. `BackgroundCalls` and `BackgroundPolicy` decide, and
/// `BackgroundResultStore` keeps the bodies.
///
/// Everything runs on one serial queue, including the calls of the session. No event arrives between two steps,
/// and no task is made in a session that is being invalidated, which would end the process.
final class BackgroundTransport: NSObject, Transport {
    typealias Calls = BackgroundCalls<CheckedContinuation<Void, any Error>>
    static let name = "URLSession in the background"

    var name: String { Self.name }
    let capabilities: TransportCapabilities = [.decodesContent, .networkAccess, .outlivesProcess]
    let results: BackgroundResultStore
    let calls = Locked(Calls())
    let didFinishEvents: (@Sendable () -> Void)?
    private let queue = Platform.makeDelegateQueue()
    /// The session, or `nil` after the shutdown. Until then, the session holds its delegate.
    private let session = Locked<URLSession?>(nil)

    init(_ identifier: String, _ results: BackgroundResultStore, _ ledger: TransferLedger, _ didFinishEvents: (@Sendable () -> Void)?) {
        self.results = results
        self.didFinishEvents = didFinishEvents
        super.init()
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        let session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
        self.session.withLock { $0 = session }
        // LIFETIME: ends with the responses of session and ledger.
        Task { [self] in await sort(session, ledger) }
    }

    /// Handles the tasks of earlier launches.
    private func sort(_ session: URLSession, _ ledger: TransferLedger) async {
        // The tasks are read first: a record is written before its task begins, so each wanted task has a
        // record by now. In the other order, the task of a call that begins in between would seem to have no
        // record and would be cancelled.
        let tasks = await session.allTasks
        guard let records = try? await ledger.unfinished() else { return }
        let keys = Set(records.map(\.key))
        results.sweep(known: keys)
        for (task, fate) in zip(tasks, BackgroundPolicy().fates(of: tasks.map(\.seen), known: keys)) { task.meet(fate) }
    }

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        let label = try BackgroundPolicy.label(of: request, exchange.delivery)
        var urlRequest = try URLRequest(request)
        Platform.restrict(&urlRequest, to: exchange.networkAccess)
        let order = urlRequest
        let ticket = calls.withLock { $0.makeTicket(label) }
        exchange.onAbort { [self] reason in onQueue { $0.abort(ticket, reason.error) } }
        defer { exchange.report(.ended) }
        try await withCheckedThrowingContinuation { wait in
            onQueue { $0.enter(ticket, wait, order, exchange) }
        }
        let response = try results.landed(label, request)
        exchange.report(.receivedHead)
        return response
    }

    /// Ends the calls. Their tasks continue, because they belong to the system.
    func shutdown() async {
        await withCheckedContinuation { done in
            onQueue { transport in
                transport.session.withLock { $0.take() }?.finishTasksAndInvalidate()
                for wait in transport.calls.withLock({ $0.close() }) { wait.resume(throwing: TarmacError(.clientShutDown)) }
                done.resume()
            }
        }
    }

    private func onQueue(_ step: @escaping @Sendable (BackgroundTransport) -> Void) {
        queue.addOperation { [self] in step(self) }
    }

    // MARK: Steps, each on the queue

    private func enter(_ ticket: Calls.Ticket, _ wait: CheckedContinuation<Void, any Error>, _ order: URLRequest, _ exchange: Exchange) {
        let abortion = exchange.abortReason?.error
        if let refusal = calls.withLock({ $0.admit(ticket, wait, abortion: abortion) }) { return wait.resume(throwing: refusal) }
        session.withLock { $0 }?.getAllTasks { [self] tasks in onQueue { $0.start(ticket, order, tasks) } }
    }

    private func start(_ ticket: Calls.Ticket, _ order: URLRequest, _ tasks: [URLSessionTask]) {
        guard calls.withLock({ $0.isWaiting(ticket) }) else { return }
        let label = ticket.label
        let (hasCome, rest) = (results.has(label), results.takeResumeData(label))
        switch calls.withLock({ $0.start(ticket, tasks: tasks.map(\.seen), hasCome: hasCome, resumeData: rest) }) {
        case .take: calls.withLock { $0.take(ticket) }?.resume()
        case .adopt(let number): assign(tasks[number], ticket)
        case .goOn(let data): assign(begin(label) { $0.downloadTask(withResumeData: data) }, ticket)
        case .begin: assign(begin(label) { $0.downloadTask(with: order) }, ticket)
        }
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

    private func abort(_ ticket: Calls.Ticket, _ error: any Error) {
        guard let wait = calls.withLock({ $0.abort(ticket) }) else { return }
        wait.resume(throwing: error)
        session.withLock { $0 }?.getAllTasks { [results] tasks in
            for task in tasks where task.label == ticket.label { task.pause { results.keep($0, for: ticket.label) } }
        }
    }
}
#endif
