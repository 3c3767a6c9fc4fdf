import Dispatch
import Foundation
@_spi(TarmacRooms) import TarmacCore
#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Cancels tasks on a queue of its own: `cancel()` waits for the session's queue, and the aborting thread must
/// not wait.
///
/// Tasks are collected for a few milliseconds and the newest are cancelled first. They still wait for a
/// connection and would otherwise receive the connection of an older task when it closes. No thread waits in
/// that time.
final class TaskCanceller: Sendable {
    fileprivate struct State {
        /// The tasks, in the order of their numbers and therefore of their age.
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

    /// Waits until no task has been added for a moment.
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
