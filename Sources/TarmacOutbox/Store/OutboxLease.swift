#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Asks a store for the heads of lanes, to be sent by one outbox and no other.
public struct OutboxLease: Sendable {
    /// Who asks: a random text of each outbox.
    public var owner: String
    /// The environment; entries of others are passed over.
    public var environment: String
    /// Only this lane; `nil` for all.
    public var lane: OutboxLane?
    public var now: Date
    /// Until when what is handed out is the owner's.
    public var until: Date
    /// How many at most.
    public var count: Int
    /// Whether heads are handed out before their pause is over. What a server asked for is waited for all the same.
    public var ignoresPauses = false
    /// The longest pause there can be: one that would last longer was set by a clock that has been put back since.
    public var longestPause: Duration
    /// The longest lease there can be.
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

    /// What a store is to do with the first entry of a lane.
    public enum Verdict: Sendable, Equatable {
        case take
        /// Leave it until then.
        case wait(until: Date)
        /// A dead letter holds the lane.
        case held
    }

    /// Decides about the first entry of a lane; the same for every store.
    ///
    /// One that has expired is handed out whatever it waits for: it is not sent, and makes way for those behind it.
    public func verdict(on state: OutboxEntry.State, expires: Date?, nextAttempt: Date, notBefore: Date?, leasedUntil: Date?) -> Verdict {
        if state == .dead { return .held }
        if let leasedUntil, isAhead(leasedUntil, within: Self.longest) { return .wait(until: leasedUntil) }
        let end = expires ?? .distantFuture
        if end <= now { return .take }
        if let notBefore, isAhead(notBefore, within: longestPause) { return .wait(until: min(notBefore, end)) }
        if !ignoresPauses, isAhead(nextAttempt, within: longestPause) { return .wait(until: min(nextAttempt, end)) }
        return .take
    }

    private func isAhead(_ date: Date, within span: Duration) -> Bool {
        date > now && date <= now + span / .seconds(1)
    }
}

/// What a store has handed out.
public struct OutboxLeased: Sendable {
    /// Each the first of its lane, the one that waits longest first.
    public var records: [OutboxRecord]
    /// When the next lane is due, if any is to be waited for.
    public var nextWake: Date?
    /// Whether more heads were due than were asked for.
    public var hasMore: Bool

    public init(records: [OutboxRecord] = [], nextWake: Date? = nil, hasMore: Bool = false) {
        self.records = records
        self.nextWake = nextWake
        self.hasMore = hasMore
    }

    /// Notes another lane to be waited for.
    public mutating func note(_ date: Date) { nextWake = nextWake.map { min($0, date) } ?? date }
}
