#if Redis
import TarmacCore

/// The entries used, until the server learns of them: when there are many, after a while, or before it makes room (pure).
struct PendingUses {
    private var order: [UInt64: Int] = [:]
    private var count = 0
    private var since: Moment?
    private static let many = 256
    private static let longest = Duration.seconds(1)

    /// Notes a use; returns whether to write them to the server.
    mutating func note(_ id: UInt64, now: Moment) -> Bool {
        count += 1
        order[id] = count
        let begin = since ?? now
        since = begin
        return order.count >= Self.many || now - begin >= Self.longest
    }

    /// Returns the entries in the order of their last uses.
    mutating func take() -> [UInt64] {
        defer { (order, count, since) = ([:], 0, nil) }
        return order.sorted { $0.value < $1.value }.map(\.key)
    }
}
#endif
