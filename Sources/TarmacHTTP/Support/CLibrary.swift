// Only this file names the C library. The rest of the target uses these declarations.
#if canImport(Darwin)
import Darwin

/// The lock of the platform.
@usableFromInline struct LockPrimitive { fileprivate var lock = os_unfair_lock() }

@usableFromInline enum LockOperations {
    @usableFromInline static func initialize(_ lock: UnsafeMutablePointer<LockPrimitive>) { lock.initialize(to: LockPrimitive()) }
    @usableFromInline static func destroy(_ lock: UnsafeMutablePointer<LockPrimitive>) { lock.deinitialize(count: 1) }
    @usableFromInline static func lock(_ lock: UnsafeMutablePointer<LockPrimitive>) { os_unfair_lock_lock(primitive(lock)) }
    @usableFromInline static func unlock(_ lock: UnsafeMutablePointer<LockPrimitive>) { os_unfair_lock_unlock(primitive(lock)) }

    private static func primitive(_ lock: UnsafeMutablePointer<LockPrimitive>) -> UnsafeMutablePointer<os_unfair_lock> {
        UnsafeMutableRawPointer(lock).assumingMemoryBound(to: os_unfair_lock.self)
    }
}
#else
#if canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Glibc
#endif

/// The lock of the platform.
@usableFromInline struct LockPrimitive { fileprivate var lock = pthread_mutex_t() }

@usableFromInline enum LockOperations {
    @usableFromInline static func initialize(_ lock: UnsafeMutablePointer<LockPrimitive>) {
        lock.initialize(to: LockPrimitive())
        pthread_mutex_init(primitive(lock), nil)
    }
    @usableFromInline static func destroy(_ lock: UnsafeMutablePointer<LockPrimitive>) {
        pthread_mutex_destroy(primitive(lock))
        lock.deinitialize(count: 1)
    }
    @usableFromInline static func lock(_ lock: UnsafeMutablePointer<LockPrimitive>) { pthread_mutex_lock(primitive(lock)) }
    @usableFromInline static func unlock(_ lock: UnsafeMutablePointer<LockPrimitive>) { pthread_mutex_unlock(primitive(lock)) }

    private static func primitive(_ lock: UnsafeMutablePointer<LockPrimitive>) -> UnsafeMutablePointer<pthread_mutex_t> {
        UnsafeMutableRawPointer(lock).assumingMemoryBound(to: pthread_mutex_t.self)
    }
}
#endif

/// The file operations of Tarmac, by descriptor. Foundation's `FileHandle` allocates for each read and traps on
/// some errors.
package enum FileDescriptor {
    /// Opens a file without waiting for the writer of a pipe.
    package static func openForReading(_ path: String) -> Int32 { open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    package static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        guard let base = buffer.baseAddress else { return 0 }
        return retryingOnInterrupt { pread(descriptor, base, buffer.count, off_t(offset)) }
    }
    /// Returns the size of a regular file, or `nil` for anything else.
    package static func size(_ descriptor: Int32) -> Int64? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int64(status.st_size)
    }
    package static func closeFile(_ descriptor: Int32) { _ = close(descriptor) }
    /// A description of the last failed operation on this thread.
    package static var lastError: String { String(cString: strerror(errno)) }

    /// Repeats an operation that a signal interrupted.
    package static func retryingOnInterrupt(_ operation: () -> Int) -> Int {
        while true {
            let count = operation()
            if count >= 0 || errno != EINTR { return count }
        }
    }
}
