#if canImport(Darwin)
import Dispatch
import Foundation
@_spi(TarmacRooms) import TarmacCore

/// Suspends and resumes a task on a queue of its own, so that the two steps keep their order. ``BrakeState``
/// decides.
final class SuspendingBrake: Brake {
    private let task: URLSessionTask
    private let queue = DispatchQueue(label: "tarmac.urlsession.brake")
    private let state = Locked(BrakeState())

    init(_ task: URLSessionTask) { self.task = task }

    func hold() {
        state.withLock { $0.hold() }
        queue.async { self.follow() }
    }

    func release() {
        state.withLock { $0.release() }
        queue.async { self.follow() }
    }

    private func follow() {
        switch state.withLock({ $0.next() }) {
        case .suspend: task.suspend()
        case .resume: task.resume()
        case nil: break
        }
    }
}
#endif
