/// A value behind a lock. All shared mutable state of Tarmac uses it.
///
/// While the lock is held, nothing is awaited and no foreign code is called. `Synchronization.Mutex` would need
/// iOS 18 and confuses the thread sanitizer on Linux.
package struct Locked<Value>: Sendable {
    // SAFETY: the buffer's header is touched only between lock and unlock of the primitive stored beside it.
    package nonisolated(unsafe) let buffer: LockedBuffer<Value>

    @inlinable package init(_ value: sending Value) {
        let buffer = LockedBuffer<Value>.create(minimumCapacity: 1) { _ in value }
        buffer.withUnsafeMutablePointerToElements { LockOperations.initialize($0) }
        self.buffer = unsafeDowncast(buffer, to: LockedBuffer<Value>.self)
    }

    /// Runs `body` with the lock held.
    @inlinable @discardableResult
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The closure of `withUnsafeMutablePointers` cannot throw a typed error, so the pointers are returned
        // first.
        let (value, lock) = buffer.withUnsafeMutablePointers { ($0, $1) }
        LockOperations.lock(lock)
        defer { LockOperations.unlock(lock) }
        return try body(&value.pointee)
    }
}

package final class LockedBuffer<Value>: ManagedBuffer<Value, LockPrimitive> {
    deinit {
        withUnsafeMutablePointerToElements { LockOperations.destroy($0) }
    }
}
