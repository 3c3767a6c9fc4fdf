/// A value behind a lock. All shared mutable state of Tarmac uses it.
///
/// While the lock is held, nothing is awaited and no foreign code is called. `Synchronization.Mutex` would need
/// iOS 18 and confuses the thread sanitizer on Linux.
///
/// It is public for the package's own modules alone, because the compiler specializes no generic `package` declaration in
/// another module.
@_spi(TarmacRooms) public struct Locked<Value>: Sendable {
    // SAFETY: the buffer's header is touched only between lock and unlock of the primitive stored beside it.
    @usableFromInline nonisolated(unsafe) let buffer: LockedBuffer<Value>

    @inlinable public init(_ value: sending Value) {
        let buffer = LockedBuffer<Value>.create(minimumCapacity: 1) { _ in value }
        buffer.withUnsafeMutablePointerToElements { LockOperations.initialize($0) }
        self.buffer = unsafeDowncast(buffer, to: LockedBuffer<Value>.self)
    }

    /// Runs `body` with the lock held.
    ///
    /// The result is released without the lock. Return what `body` removes or replaces: it may hold the last reference to an object of
    /// the app, whose `deinit` may call anything.
    @inlinable @discardableResult
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The closure of `withUnsafeMutablePointers` cannot throw a typed error, so the pointers are returned
        // first.
        let (value, lock) = buffer.withUnsafeMutablePointers { ($0, $1) }
        let result: Result
        LockOperations.lock(lock)
        do {
            defer { LockOperations.unlock(lock) }
            result = try body(&value.pointee)
        }
        // An optimized build would otherwise end a result that the caller ignores under the lock.
        withExtendedLifetime(result) {}
        return result
    }
}

@usableFromInline final class LockedBuffer<Value>: ManagedBuffer<Value, LockPrimitive> {
    @usableFromInline deinit {
        withUnsafeMutablePointerToElements { LockOperations.destroy($0) }
    }
}
