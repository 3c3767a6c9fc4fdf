#if SQLite
import TarmacCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The entries used and their times, until they are written: with the next stored entry, or when there are many.
struct CacheUses {
    private var times: [UInt64: Int64] = [:]
    private var last: Int64 = 0
    private static let many = 1024
    /// Ten minutes in microseconds: the precision of the order of uses in the file while no room is needed.
    static let grain: Int64 = 600_000_000
    /// One minute in microseconds: the allowed difference between the clocks of processes.
    static let tolerance: Int64 = 60_000_000
    private let clock: @Sendable () -> Date

    init(clock: @escaping @Sendable () -> Date = { Date() }) { self.clock = clock }

    /// The time of the clock, in microseconds since 1970.
    var present: Int64 { Int64(clock().timeIntervalSince1970 * 1e6) }

    /// Returns a time later than all before, in microseconds since 1970, comparable between processes.
    mutating func now() -> Int64 {
        last = max(last + 1, present)
        return last
    }

    /// Returns the time such that entries not used since are removed.
    func oldest(_ age: Duration?) -> Int64? {
        age.map { present - Int64($0.withinACentury.seconds) * 1_000_000 }
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
