#if Inspector
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Decides whether a server goes on after `accept` has failed (pure).
struct AcceptPolicy {
    private static let shortest = Duration.milliseconds(10)
    /// The longest pause, so that a server is back soon after the process has free descriptors again.
    static let longest = Duration.seconds(1)
    /// The number of failures in a row after which a server ends. With the pauses, they take more than a quarter of an hour.
    static let most = 1_000

    private var failures = 0

    mutating func accepted() { failures = 0 }

    /// Returns the pause before the next attempt, or `nil` if the socket that listens is of no use any more.
    ///
    /// The failure may be that of one connection, such as `ECONNABORTED`, or of the process, such as `EMFILE`.
    /// - Parameter number: the `errno` of the failure. `nil` if `accept` was not called.
    mutating func pause(after number: Int32?) -> Duration? {
        failures += 1
        guard let number, ![EBADF, ENOTSOCK].contains(number) else { return nil }
        return failures > Self.most ? nil : min(Self.shortest * (1 << min(failures - 1, 10)), Self.longest)
    }
}
#endif
