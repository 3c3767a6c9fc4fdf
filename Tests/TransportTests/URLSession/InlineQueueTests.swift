#if !canImport(Darwin)
import Foundation
import FoundationNetworking
@testable import TarmacURLSession
@_spi(TarmacRooms) import TarmacCore
import Tarmac
import Testing

@Suite struct InlineQueueTests {
    /// Fails when Foundation no longer hands its delegate calls to `addOperation(_:)`: downloads would pile up then.
    @Test func sessionRunsItsDelegateWithoutAHop() async throws {
        // SAFETY: its only state is the lock.
        final class Watch: OperationQueue, @unchecked Sendable {
            let calls = Locked(0)
            override func addOperation(_ block: @escaping @Sendable () -> Void) {
                calls.withLock { $0 += 1 }
                block()
            }
        }
        final class Delegate: NSObject, URLSessionDataDelegate {
            let done = Latch()
            func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
                done.open()
            }
        }
        let server = try ByteServer.answering(URLSessionExchangeTests.ok)
        let queue = Watch(), delegate = Delegate()
        let session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: queue)
        session.dataTask(with: URL(string: try server.url().string)!).resume()
        await delegate.done.wait()
        #expect(queue.calls.withLock { $0 } >= 3)
        session.finishTasksAndInvalidate()
    }

    @Test func queueRunsAtOnce() {
        let thread = Locked<Bool>(false)
        let here = pthread_self()
        InlineQueue().addOperation { thread.withLock { $0 = pthread_equal(pthread_self(), here) != 0 } }
        #expect(thread.withLock { $0 })
    }
}
#endif
