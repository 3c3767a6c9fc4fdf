import Foundation
@_spi(TarmacRooms) import TarmacCore
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A `URLSession` and its exchanges.
///
/// A task that is made in a session that is being invalidated ends the process. A session therefore counts the
/// exchanges that are about to make one.
final class PooledSession: Sendable {
    private struct State {
        var flights: [Int: SessionTask] = [:]
        var boarding = 0
        /// Whether the session accepts no more exchanges.
        var isRetired = false
        /// Whether the session has also ended its exchanges.
        var isClosed = false
        var isInvalid = false
        var waiting = Waiters()
    }

    private let session: URLSession
    private let notice: @Sendable (PooledSession, Notice) -> Void
    private let state = Locked(State())

    /// An event that a session reports to its pool.
    enum Notice {
        /// The last task of the session is done.
        case emptied
        /// A response on one of the session's connections broke the protocol, or its server fell silent, and the platform
        /// would use that connection again.
        case spoilt
    }

    init(
        _ configuration: URLSessionConfiguration, _ answers: SessionAnswers, notice: @escaping @Sendable (PooledSession, Notice) -> Void
    ) {
        let delegate = SessionDelegate(answers)
        session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: Platform.makeDelegateQueue())
        self.notice = notice
        delegate.attach(self, notice: notice)
    }

    /// Makes the task of an exchange and starts it, or ends the exchange if the session was closed in the
    /// meantime. Returns `false` if the session accepts no more exchanges.
    func start(_ flight: SessionTask, _ request: URLRequest, _ body: RestingBody, canceller: TaskCanceller) -> Bool {
        guard enter() else { return false }
        let task = Platform.makeTask(in: session, request, body, for: flight)
        task.priority = TaskPriority.value(of: flight.exchange.priority)
        let isOpen = state.withLock { state in
            state.flights[task.taskIdentifier] = flight
            return !state.isClosed
        }
        leave()
        guard isOpen, flight.boards(task, silence: { [weak self] in self?.fellSilent() }) else {
            canceller.cancel(task)
            flight.end(.failure(Self.closedError))
            return true
        }
        flight.departs(with: body)
        task.resume()
        return true
    }

    private func fellSilent() { notice(self, .spoilt) }

    func flight(of task: URLSessionTask) -> SessionTask? { state.withLock { $0.flights[task.taskIdentifier] } }

    /// Removes a task. Returns its exchange and whether it was the last one.
    func remove(_ task: URLSessionTask) -> (flight: SessionTask?, isEmpty: Bool) {
        state.withLock { state in
            let flight = state.flights.removeValue(forKey: task.taskIdentifier)
            return (flight, state.flights.isEmpty)
        }
    }

    static var closedError: TarmacError { TarmacError(.clientShutDown, phase: .connecting, "the transport is shut down") }

    // MARK: Closing

    /// Ends every exchange and releases the session.
    func close() {
        retire()
        let flights = state.withLock { state in
            state.isClosed = true
            return Array(state.flights.values)
        }
        for flight in flights { flight.end(.failure(Self.closedError)) }
    }

    /// Accepts no more exchanges, and releases the session when the last one has ended.
    func retire() {
        let isQuiet = state.withLock { state in
            defer { state.isRetired = true }
            return !state.isRetired && state.boarding == 0
        }
        // `invalidateAndCancel` would read Foundation's table of tasks from this thread. Exchanges cancel their
        // own tasks.
        if isQuiet { session.finishTasksAndInvalidate() }
    }

    /// Returns when the session is invalid.
    func waitUntilClosed() async {
        await state.wait(in: \.waiting) { $0.isInvalid }
    }

    func becameInvalid() {
        let waiting = state.withLock { state in
            state.isInvalid = true
            return state.waiting.takeAll()
        }
        waiting.resume()
    }

    private func enter() -> Bool {
        state.withLock { state in
            if !state.isRetired { state.boarding += 1 }
            return !state.isRetired
        }
    }

    private func leave() {
        let isLast = state.withLock { state in
            state.boarding -= 1
            return state.isRetired && state.boarding == 0
        }
        if isLast { session.finishTasksAndInvalidate() }
    }
}
