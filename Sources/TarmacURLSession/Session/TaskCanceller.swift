import Dispatch
import Foundation
import TarmacCore
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Cancels tasks on a queue of its own: `cancel()` waits for the session's queue, and whoever aborts must not.
///
/// A burst is gathered, and the tasks made last go first, in whatever order they were cancelled: they still wait for a
/// connection, and would get that of an older one when it is closed. That takes a millisecond or a few, in which nobody waits.
final class TaskCanceller: Sendable {
    fileprivate struct State {
        /// By number, and so by age.
        var tasks: [URLSessionTask] = []
        var isDraining = false
    }

    private static let pause = DispatchTimeInterval.milliseconds(1)
    private static let longestBurst = 20

    private let state = Locked(State())
    private let queue = DispatchQueue(label: "tarmac.urlsession.cancel")

    func cancel(_ task: URLSessionTask) {
        let starts = state.withLock { state in
            state.insert(task)
            defer { state.isDraining = true }
            return !state.isDraining
        }
        if starts { gather(seen: 1, pauses: 0) }
    }

    /// Waits until no task has come in for a moment.
    private func gather(seen: Int, pauses: Int) {
        queue.asyncAfter(deadline: .now() + Self.pause) { [self] in
            let count = state.withLock { $0.tasks.count }
            if count > seen, pauses < Self.longestBurst { gather(seen: count, pauses: pauses + 1) } else { drain() }
        }
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

extension TaskCanceller.State {
    fileprivate mutating func insert(_ task: URLSessionTask) {
        var (low, high) = (0, tasks.count)
        while low < high {
            let middle = (low + high) / 2
            if tasks[middle].taskIdentifier < task.taskIdentifier { low = middle + 1 } else { high = middle }
        }
        tasks.insert(task, at: low)
    }
}
