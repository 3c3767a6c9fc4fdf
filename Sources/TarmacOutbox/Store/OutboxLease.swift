#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A request to a store for the first entries of lanes, to be sent by one outbox only.
public struct OutboxLease: Sendable {
    /// A random text that identifies the outbox.
    public var owner: String
    /// The environment. Entries of other environments are skipped.
    public var environment: String
    /// The only lane to lease from; `nil` for all.
    public var lane: OutboxLane?
    public var now: Date
    /// The end of the lease.
    public var until: Date
    /// The largest number of entries.
    public var count: Int
    /// Whether entries are leased before their pause is over. A pause that the server asked for still applies.
    public var ignoresPauses = false
    /// The longest possible pause. A longer one was set by a clock that has been set back since.
    public var longestPause: Duration
    /// The longest pause from now that no server asked for; `nil` for ``longestPause``.
    var longestDelay: Duration?
    /// The longest possible lease.
    public static let longest = Duration.seconds(600)

    public init(
        owner: String, environment: String, lane: OutboxLane? = nil, now: Date, until: Date, count: Int, ignoresPauses: Bool = false,
        longestPause: Duration
    ) {
        self.owner = owner
        self.environment = environment
        self.lane = lane
        self.now = now
        self.until = until
        self.count = count
        self.ignoresPauses = ignoresPauses
        self.longestPause = longestPause
    }

    /// The decision about the first entry of a lane.
    public enum Verdict: Sendable, Equatable {
        case take
        /// The entry must wait until the date.
        case wait(until: Date)
        /// A dead letter holds the lane.
        case held
    }

    /// Returns the decision about the first entry of a lane; it is the same for every store.
    ///
    /// An expired entry is leased without further waits: it is not sent, and makes room for the entries behind it.
    public func verdict(on state: OutboxEntry.State, expires: Date?, nextAttempt: Date, notBefore: Date?, leasedUntil: Date?) -> Verdict {
        if state == .dead { return .held }
        if let leasedUntil, isAhead(leasedUntil, within: Self.longest) { return .wait(until: leasedUntil) }
        let end = expires ?? .distantFuture
        if end <= now { return .take }
        if let notBefore, isAhead(notBefore, within: longestPause) { return .wait(until: min(notBefore, end)) }
        // The server's pause is over, and what is left is at most a pause of the outbox's own.
        if !ignoresPauses, isAhead(nextAttempt, within: longestDelay ?? longestPause) { return .wait(until: min(nextAttempt, end)) }
        return .take
    }

    private func isAhead(_ date: Date, within span: Duration) -> Bool {
        date > now && date <= now + span / .seconds(1)
    }
}

/// The entries that a store has leased.
public struct OutboxLeased: Sendable {
    /// The records, each the first of its lane, with the oldest first.
    public var records: [OutboxRecord]
    /// The date when the next lane is due, if one must be waited for.
    public var nextWake: Date?
    /// Whether more entries were due than the lease asked for.
    public var hasMore: Bool

    public init(records: [OutboxRecord] = [], nextWake: Date? = nil, hasMore: Bool = false) {
        self.records = records
        self.nextWake = nextWake
        self.hasMore = hasMore
    }

    /// Notes the date when another lane is due.
    public mutating func note(_ date: Date) { nextWake = nextWake.map { min($0, date) } ?? date }
}
