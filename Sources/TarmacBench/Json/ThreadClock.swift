#if Tools
import Foundation

/// The processor time of this thread in seconds: what else the machine does is not in it.
enum ThreadClock {
    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Seconds one run of `work` takes, over `count` runs.
    static func measure(_ count: Int, _ work: () throws -> Void) rethrows -> Double {
        let start = now()
        for _ in 0..<count { try work() }
        return (now() - start) / Double(count)
    }
}
#endif
