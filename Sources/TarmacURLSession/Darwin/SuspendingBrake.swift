#if canImport(Darwin)
import Dispatch
import Foundation
import Tarmac

/// Suspends and resumes a task; on a queue of its own, so that the two cannot overtake each other.
final class SuspendingBrake: Brake {
    private let task: URLSessionTask
    private let queue = DispatchQueue(label: "tarmac.urlsession.brake")
    private let holds = Locked(0)
    // Touched on the queue alone.
    private let isSuspended = Locked(false)

    init(_ task: URLSessionTask) { self.task = task }

    func hold() { change(by: 1) }
    func release() { change(by: -1) }

    private func change(by amount: Int) {
        holds.withLock { $0 += amount }
        queue.async { self.follow() }
    }

    /// Brings the task into the state that is wanted now.
    private func follow() {
        let wanted = holds.withLock { $0 > 0 }
        let changes = isSuspended.withLock { isSuspended in
            defer { isSuspended = wanted }
            return isSuspended != wanted
        }
        guard changes else { return }
        if wanted { task.suspend() } else { task.resume() }
    }
}
#endif
