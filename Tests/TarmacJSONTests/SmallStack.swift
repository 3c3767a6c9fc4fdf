import Foundation

/// Runs `body` on a thread whose stack is as small as a secondary thread's of Apple's systems, and gives back what it made.
func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
    let box = ResultBox<Value>()
    let done = DispatchSemaphore(value: 0)
    let thread = Thread {
        box.result = Result { try body() }
        done.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    done.wait()
    guard let result = box.result else { throw CancellationError() }
    return try result.get()
}

// SAFETY: written before the semaphore is signalled, read after it was waited for.
private final class ResultBox<Value>: @unchecked Sendable {
    var result: Result<Value, any Error>?
}
