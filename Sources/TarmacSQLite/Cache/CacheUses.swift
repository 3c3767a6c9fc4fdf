#if SQLite
import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Which entries were used and when, until it is written: with the next entry that is stored, or when there are many.
struct CacheUses {
    private var times: [UInt64: Int64] = [:]
    private var last: Int64 = 0
    private static let many = 1024
    /// Ten minutes, in microseconds: how exact the order of uses is in the file while nothing has to make room.
    static let grain: Int64 = 600_000_000
    /// A minute, in microseconds: by how much clocks of processes may differ.
    static let tolerance: Int64 = 60_000_000
    private let clock: @Sendable () -> Date

    init(clock: @escaping @Sendable () -> Date = { Date() }) { self.clock = clock }

    /// By the clock, in microseconds since 1970.
    var present: Int64 { Int64(clock().timeIntervalSince1970 * 1e6) }

    /// A time later than all before, in microseconds since 1970: two processes on one file agree about it.
    mutating func now() -> Int64 {
        last = max(last + 1, present)
        return last
    }

    /// The time before which nothing is kept that was not used since.
    func oldest(_ age: Duration?) -> Int64? {
        age.map { present - min(max(0, $0.components.seconds), 1 << 40) * 1_000_000 }
    }

    /// Notes a use; returns whether there are so many that they should be written.
    mutating func note(_ id: UInt64) -> Bool {
        times[id] = now()
        return times.count == Self.many
    }

    mutating func take() -> [UInt64: Int64] {
        defer { times = [:] }
        return times
    }
}
#endif
