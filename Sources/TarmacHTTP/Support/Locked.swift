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
    @inlinable @discardableResult
    public func withLock<Result, Failure: Error>(
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

@usableFromInline final class LockedBuffer<Value>: ManagedBuffer<Value, LockPrimitive> {
    @usableFromInline deinit {
        withUnsafeMutablePointerToElements { LockOperations.destroy($0) }
    }
}
