#if Tools
import Foundation

/// The resources that the process has used so far.
struct Usage {
    var wall: Double
    var cpu: Double
    var switches: Int

    static func now() -> Usage {
        var usage = rusage()
        getrusage(ownUsage, &usage)
        let seconds: (timeval) -> Double = { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }
        return Usage(
            wall: Double(DispatchTime.now().uptimeNanoseconds) / 1e9, cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime),
            switches: usage.ru_nvcsw + usage.ru_nivcsw)
    }

    static func - (after: Usage, before: Usage) -> Usage {
        Usage(wall: after.wall - before.wall, cpu: after.cpu - before.cpu, switches: after.switches - before.switches)
    }
}

#if os(Linux)
private let ownUsage = __rusage_who_t(RUSAGE_SELF.rawValue)
#else
private let ownUsage = RUSAGE_SELF
#endif

/// The memory of this process, in bytes.
enum Memory {
    static var resident: Int { status("VmRSS:") }
    static var peak: Int { status("VmHWM:") }

    /// Resets the peak to the memory that is resident now.
    static func resetPeak() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    private static func status(_ name: String) -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        let kilobytes = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) }
        return (kilobytes ?? 0) * 1024
    }
}
#endif
