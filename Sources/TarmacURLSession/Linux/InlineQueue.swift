#if !canImport(Darwin)
import Foundation

/// A delegate queue that runs every call at once, on the session's own serial queue.
///
/// It saves two thread hops a callback, and memory: a download is written before the next chunk is read, where an
/// ordinary queue piles the chunks up. If Foundation ever stops going through `addOperation(_:)`, it is such a queue.
///
/// What runs here must not call `resume()` or `cancel()` or create a task, which wait for this very queue; nor wait for
/// anything else, since all sessions of the process share one thread.
final class InlineQueue: OperationQueue, @unchecked Sendable {
    // SAFETY: no state of its own.
    override init() {
        super.init()
        maxConcurrentOperationCount = 1
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
#endif
