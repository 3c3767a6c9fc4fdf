#if canImport(Darwin)
import Darwin
private typealias SystemLock = os_unfair_lock
#elseif canImport(Glibc)
import Glibc
private typealias SystemLock = pthread_mutex_t
#elseif canImport(Musl)
import Musl
private typealias SystemLock = pthread_mutex_t
#elseif canImport(Android)
import Android
private typealias SystemLock = pthread_mutex_t
#endif

/// The locks of the documents' look-up indexes. Documents share them: most documents never need one, and a lock in each
/// would cost every document an allocation.
///
/// A lock is held for an access to a dictionary. Indexes are built and searched without it.
enum DocumentLock {
    private static let count = 64
    /// The distance of two locks in bytes, so that they do not share a cache line.
    private static let distance = 128

    // SAFETY: it holds `count` initialized locks at fixed addresses from the first use to the end of the process, and every
    // place is masked to be below `count`. No system has a lock of more than 64 bytes.
    nonisolated(unsafe) private static let base = unsafe initialized()

    /// Calls `body` with the lock of `owner` held. It must not take another one.
    @inline(__always)
    static func withLock<Result>(of owner: AnyObject, _ body: () -> Result) -> Result {
        let lock = unsafe lock(of: owner)
        #if canImport(Darwin)
        unsafe os_unfair_lock_lock(lock)
        defer { unsafe os_unfair_lock_unlock(lock) }
        #else
        unsafe pthread_mutex_lock(lock)
        defer { unsafe pthread_mutex_unlock(lock) }
        #endif
        return body()
    }

    private static func lock(of owner: AnyObject) -> UnsafeMutablePointer<SystemLock> {
        let address = UInt(bitPattern: ObjectIdentifier(owner))
        let place = Int((address >> 4 ^ address >> 10) & UInt(count - 1))
        return unsafe (base + place * distance).assumingMemoryBound(to: SystemLock.self)
    }

    private static func initialized() -> UnsafeMutableRawPointer {
        let base = UnsafeMutableRawPointer.allocate(byteCount: count * distance, alignment: distance)
        for place in 0..<count {
            let lock = unsafe (base + place * distance).bindMemory(to: SystemLock.self, capacity: 1)
            unsafe lock.initialize(to: SystemLock())
            #if !canImport(Darwin)
            unsafe pthread_mutex_init(lock, nil)
            #endif
        }
        return unsafe base
    }
}
