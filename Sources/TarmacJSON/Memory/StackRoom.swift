#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Says when a recursion through types of an app comes near the end of the thread's stack: 8 MiB on a main thread, and
/// 512 KiB on others of Apple's. No count of levels could: how much a level takes is up to the types and the compiler.
///
/// SAFETY: addresses are compared as numbers and never read through.
struct StackRoom {
    /// What must be left: for one more level, whatever its types do, and for making the error.
    private static let reserve: UInt = 96 << 10
    /// Below this the system is not asked, which takes longer than decoding a small model.
    private static let unasked: UInt = 48 << 10

    private let start = Self.here()

    /// Whether so much of the stack was taken since this was made that it is worth asking for its end.
    @inline(__always)
    var isDeep: Bool {
        let here = Self.here()
        return start > here && start &- here > Self.unasked
    }

    /// Whether this thread's stack, which grows downwards to `lowest`, is nearly used up.
    static func isUsedUp(_ lowest: UInt?) -> Bool {
        let here = here()
        guard let lowest, here > lowest else { return false }
        return here - lowest < reserve
    }

    @inline(__always)
    private static func here() -> UInt {
        var marker: UInt8 = 0
        return unsafe withUnsafeMutablePointer(to: &marker) { UInt(bitPattern: $0) }
    }

    #if canImport(Darwin)
    /// The lowest address of this thread's stack.
    static func lowest() -> UInt? {
        let thread = pthread_self()
        return unsafe UInt(bitPattern: pthread_get_stackaddr_np(thread)) &- UInt(pthread_get_stacksize_np(thread))
    }
    #else
    private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

    /// By name, because the C library declares it for GNU sources only.
    ///
    /// SAFETY: the function has had this signature since glibc 2.2; musl and Android have taken it over.
    private static let getAttributes = unsafe dlsym(nil, "pthread_getattr_np").map {
        unsafe unsafeBitCast($0, to: GetAttributes.self)
    }

    /// The lowest address of this thread's stack; nil where the C library does not say.
    static func lowest() -> UInt? {
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
