import Dispatch
import Foundation
import Tarmac
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Cancels tasks on a queue of its own: `cancel()` waits for the session's queue, and whoever aborts must not.
///
/// One hop serves a whole burst. The newest go first: they wait for a connection, and must not get that of an older one.
final class TaskCanceller: Sendable {
    private struct State {
        var tasks: [URLSessionTask] = []
        var isDraining = false
    }

    private let state = Locked(State())
    private let queue = DispatchQueue(label: "tarmac.urlsession.cancel")

    func cancel(_ task: URLSessionTask) {
        let starts = state.withLock { state in
            state.tasks.append(task)
            defer { state.isDraining = true }
            return !state.isDraining
        }
        if starts { queue.async { self.drain() } }
    }

    private func drain() {
        while let task = next() { task.cancel() }
    }

    private func next() -> URLSessionTask? {
        state.withLock { state in
            let task = state.tasks.popLast()
            state.isDraining = task != nil
            return task
        }
    }
}
