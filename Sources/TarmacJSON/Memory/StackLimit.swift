#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Detects when a recursion through types of an app comes near the end of the thread's stack: 8 MiB on a main thread,
/// and 512 KiB on other threads of Apple's systems.
///
/// A count of levels cannot detect it, because the size of a level depends on the types and the compiler. The use by one
/// coder cannot either, because a type may create another coder for each level.
///
/// SAFETY: addresses are compared as numbers and never dereferenced; the value stored with a thread is such a number.
struct StackLimit {
    /// The space that must be left in bytes: for one more level of any type, and for creating the error.
    private static let reserve: UInt = 96 << 10

    /// The lowest address of the stack of the creating thread, which grows downwards to it.
    private let lowest = Self.lowest()

    /// Whether the stack is nearly used up; `false` on another stack, whose addresses say nothing.
    @inline(__always)
    var isUsedUp: Bool {
        let here = Self.here()
        return here > lowest && here &- lowest < Self.reserve
    }

    @inline(__always)
    private static func here() -> UInt {
        var marker: UInt8 = 0
        return unsafe withUnsafeMutablePointer(to: &marker) { UInt(bitPattern: $0) }
    }

    // MARK: The thread's stack

    /// The key under which a thread stores its lowest address; nil if the process has no key left, and each coder asks
    /// again.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return unsafe pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// Returns the lowest address, requested once for each thread: on a main thread that takes longer than decoding a
    /// small model.
    private static func lowest() -> UInt {
        guard let key else { return said() ?? guess() }
        let kept = unsafe UInt(bitPattern: pthread_getspecific(key))
        // A guess is odd, which the end of a stack is not.
        if kept != 0, kept & 1 == 0 || isGuessed(kept) { return kept }
        let lowest = said() ?? guess() | 1
        _ = unsafe pthread_setspecific(key, UnsafeRawPointer(bitPattern: lowest))
        return lowest
    }

    /// Returns an address for coders where the system gives none: half of a thread's default stack in this process (128
    /// KiB with musl unless the program was linked with more), from the outermost coder.
    private static func guess() -> UInt {
        let here = here()
        return here - min(here, guessedLength + reserve)
    }

    private static let guessedLength: UInt = {
        var (attributes, size) = (pthread_attr_t(), 0)
        guard unsafe pthread_attr_init(&attributes) == 0 else { return 64 << 10 }
        defer { unsafe pthread_attr_destroy(&attributes) }
        return unsafe pthread_attr_getstacksize(&attributes, &size) == 0 ? UInt(size) / 2 : 64 << 10
    }()

    /// Whether a guess still holds: not if the stack has proved to reach further, and not if coders now start further
    /// up.
    private static func isGuessed(_ lowest: UInt) -> Bool {
        let here = here()
        return here > lowest && here - lowest <= guessedLength + reserve
    }

    #if canImport(Darwin)
    private static func said() -> UInt? {
        let thread = unsafe pthread_self()
        return unsafe UInt(bitPattern: pthread_get_stackaddr_np(thread)) &- UInt(pthread_get_stacksize_np(thread))
    }
    #elseif canImport(Musl)
    /// For a main thread musl returns the mapped part so far, which grows, and in a static program no function is found
    /// by name.
    private static func said() -> UInt? { nil }
    #else
    private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

    /// The function by its name, because the C library declares it for GNU sources only; nil in a statically linked program.
    ///
    /// SAFETY: the function has had this signature since glibc 2.2; Android has taken it over.
    private static let getAttributes = unsafe dlsym(nil, "pthread_getattr_np").map {
        unsafe unsafeBitCast($0, to: GetAttributes.self)
    }

    private static func said() -> UInt? {
        var attributes = pthread_attr_t()
        guard let getAttributes = unsafe getAttributes, unsafe getAttributes(pthread_self(), &attributes) == 0 else { return nil }
        defer { unsafe pthread_attr_destroy(&attributes) }
        var address: UnsafeMutableRawPointer?
        var size = 0
        guard unsafe pthread_attr_getstack(&attributes, &address, &size) == 0 else { return nil }
        return unsafe address.map { UInt(bitPattern: $0) }
    }
    #endif
}
