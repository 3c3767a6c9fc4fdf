import Dispatch
import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// A gate that opens once.
final class Latch: Sendable {
    private let state = Locked((isOpen: false, waiting: [CheckedContinuation<Void, Never>]()))

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Waits on a thread of its own, such as a server's.
    func waitOnThread() {
        let opened = DispatchSemaphore(value: 0)
        // LIFETIME: ends when the gate opens.
        Task {
            await wait()
            opened.signal()
        }
        opened.wait()
    }
}
