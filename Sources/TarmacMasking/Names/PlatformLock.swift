// Only this file names the C library. The kernel's `Locked` is above this module.
#if canImport(Darwin)
import Darwin

/// The lock of the platform, which is never freed.
// SAFETY: the pointer is set once.
struct PlatformLock: @unchecked Sendable {
    private let primitive: UnsafeMutablePointer<os_unfair_lock>

    init() {
        primitive = .allocate(capacity: 1)
        primitive.initialize(to: os_unfair_lock())
    }

    func tryLock() -> Bool { os_unfair_lock_trylock(primitive) }
    func unlock() { os_unfair_lock_unlock(primitive) }
}
#else
#if canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#else
import Glibc
#endif

/// The lock of the platform, which is never freed. A thread that does not get it does not spin: it goes on without.
// SAFETY: the pointer is set once.
struct PlatformLock: @unchecked Sendable {
    private let primitive: UnsafeMutablePointer<pthread_spinlock_t>

    init() {
        primitive = .allocate(capacity: 1)
        primitive.initialize(to: pthread_spinlock_t())
        pthread_spin_init(primitive, Int32(PTHREAD_PROCESS_PRIVATE))
    }

    func tryLock() -> Bool { pthread_spin_trylock(primitive) == 0 }
    func unlock() { pthread_spin_unlock(primitive) }
}
#endif
