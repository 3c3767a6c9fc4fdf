#if !canImport(Darwin)
import Foundation

/// A delegate queue that runs every call at once, on the session's own serial queue.
///
/// It saves two thread changes per callback, and memory: a download is written before the next chunk is read,
/// while an ordinary queue collects the chunks. If Foundation ever stops using `addOperation(_:)`, this class
/// acts as an ordinary queue.
///
/// Code on this queue must not call `resume()` or `cancel()` or create a task, because these calls wait for
/// this queue. It must not wait for anything else either, because all sessions of the process share one thread.
// SAFETY: no state of its own.
final class InlineQueue: OperationQueue, @unchecked Sendable {
    override init() {
        super.init()
        maxConcurrentOperationCount = 1
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
}
#endif
