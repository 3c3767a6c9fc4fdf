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
    typealias Calls = BackgroundCalls<Wait>
    static let name = "URLSession in the background"

    /// A waiting call.
    struct Wait: Sendable {
        let exchange: Exchange
        let continuation: CheckedContinuation<BackgroundArrival, any Error>
    }

    /// A call on its way to a task.
    struct Order: Sendable {
        let ticket: Calls.Ticket
        let request: URLRequest
        let isRepeatable: Bool
        /// The body of an upload, once it is in a file.
        var body: BackgroundResultStore.Staged?
    }

    var name: String { Self.name }
    let capabilities: TransportCapabilities = [.decodesContent, .networkAccess, .outlivesProcess]
    let results: BackgroundResultStore
    let answers: SessionAnswers
    let calls = Locked(Calls())
    let didFinishEvents: (@Sendable () -> Void)?
    private let queue = Platform.makeDelegateQueue()
    /// The session, or `nil` after the shutdown. Until then, the session holds its delegate.
    let session = Locked<URLSession?>(nil)

    init(
        _ configuration: URLSessionConfiguration, _ results: BackgroundResultStore, _ ledger: TransferLedger, _ answers: SessionAnswers,
        _ didFinishEvents: (@Sendable () -> Void)?
    ) {
        self.results = results
        self.answers = answers
        self.didFinishEvents = didFinishEvents
        super.init()
        results.removeDrafts()
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
        results.sweep(known: keys, tasks: Set(tasks.compactMap(\.label)))
        for (task, fate) in zip(tasks, BackgroundPolicy().fates(of: tasks.map(\.seen), known: keys)) { task.meet(fate) }
    }

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        let label = try BackgroundPolicy.label(of: request, exchange.delivery)
        try answers.check(request.url)
        var urlRequest = try URLRequest(request)
        Platform.restrict(&urlRequest, to: exchange.networkAccess)
        var order = Order(ticket: calls.withLock { $0.makeTicket(label) }, request: urlRequest, isRepeatable: request.isRepeatableTransfer)
        let ticket = order.ticket
        exchange.onAbort { [self] reason in onQueue { $0.abort(ticket, reason.error) } }
        defer {
            results.discard(order.body)
            exchange.report(.ended)
        }
        // The body is prepared once, and once more if a task of an earlier call was cancelled.
        for _ in 0..<BackgroundPolicy.turns {
            switch try await arrival(order, exchange) {
            case .arrived: return try await response(label, request, exchange)
            case .prepare:
                exchange.prepareBody()
                order.body = try await results.stage(request.body, label)
            case .again: order.body = nil
            }
        }
        throw BackgroundPolicy.lostOutcome
    }

    private func arrival(_ order: Order, _ exchange: Exchange) async throws -> BackgroundArrival {
        try await withCheckedThrowingContinuation { continuation in
            onQueue { $0.enter(order, Wait(exchange: exchange, continuation: continuation)) }
        }
    }

    private func response(_ label: BackgroundLabel, _ request: Request, _ exchange: Exchange) async throws -> Response {
        guard case .collected(let limit) = exchange.delivery else {
            let response = try results.landed(label, request)
            exchange.report(.receivedHead)
            return response
        }
        let response = try await results.take(label, request, limit: limit)
        exchange.report(.sentAll)
        exchange.report(.receivedHead)
        return response
    }

    /// Counts a service that uses the session.
    func entered() -> BackgroundTransport {
        calls.withLock { $0.enter() }
        return self
    }

    /// Ends the calls of the last service. Their tasks continue, because they belong to the system.
    func shutdown() async {
        guard calls.withLock({ $0.leave() }) else { return }
        await withCheckedContinuation { done in
            onQueue { transport in
                transport.session.withLock { $0.take() }?.finishTasksAndInvalidate()
                for wait in transport.calls.withLock({ $0.close() }) { wait.continuation.resume(throwing: TarmacError(.clientShutDown)) }
                done.resume()
            }
        }
    }

    func onQueue(_ step: @escaping @Sendable (BackgroundTransport) -> Void) {
        queue.addOperation { [self] in step(self) }
    }
}
#endif
