#if NIO
import NIOCore
import TarmacCore

/// Resumes the callers of one event loop together, when it has read from every connection that had something.
///
/// A caller resumed alone wakes a thread that finds nothing more to do and sleeps again; the next one wakes it anew.
final class ResumptionBatch {
    /// A caller and what it gets.
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
