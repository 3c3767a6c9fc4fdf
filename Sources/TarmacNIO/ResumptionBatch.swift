#if NIO
import NIOCore
import TarmacCore

/// Resumes the callers of an event loop together, after it has read from every connection with data.
///
/// A single resumption would wake a thread that finds no more work and sleeps again until the next one.
final class ResumptionBatch {
    /// A caller and its response.
    struct Resumption {
        let continuation: UnsafeContinuation<Response, any Error>
        let response: Response
    }

    private let eventLoop: any EventLoop
    private var waiting: [Resumption] = []

    init(on eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    func add(_ resumption: Resumption) {
        waiting.append(resumption)
        guard waiting.count == 1 else { return }
        eventLoop.assumeIsolated().execute { [self] in resumeAll() }
    }

    private func resumeAll() {
        let resumptions = waiting
        waiting.removeAll(keepingCapacity: true)
        for resumption in resumptions { resumption.continuation.resume(returning: resumption.response) }
    }
}

@available(*, unavailable)
extension ResumptionBatch: Sendable {}
#endif
