#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// An entry as a store keeps it. The content is bytes, which may be sealed; the other fields are readable.
public struct OutboxRecord: Sendable, Equatable {
    public let id: OutboxEntry.ID
    public let lane: OutboxLane
    /// Text that identifies lane and idempotency key, unique within a store.
    public var fingerprint: String
    /// The content of the request.
    public var payload: Bytes
    public var isSealed: Bool
    public var state: OutboxEntry.State
    public let created: Date
    public var expires: Date?
    public var nextAttempt: Date
    /// The date until which the server asked for a pause.
    public var notBefore: Date?
    /// The number of attempts.
    public var attempts: Int { didSet { attempts = Self.bounded(attempts) } }
    /// The number of attempts that may have reached the server.
    public var arrivals: Int { didSet { arrivals = Self.bounded(arrivals) } }
    /// The reason for the last failure; `nil` if no attempt has failed, or if the process of the last one has ended.
    public var failure: Bytes?
    /// The end of the lease; `nil` if the entry is not leased.
    public var leasedUntil: Date?
    /// Whether the entry is a dead letter that holds its lane.
    public var holdsLane: Bool

    /// Creates a new entry, due at once.
    public init(
        id: OutboxEntry.ID, lane: OutboxLane, fingerprint: String, payload: Bytes, isSealed: Bool, created: Date, expires: Date? = nil
    ) {
        self.init(
            id: id, lane: lane, fingerprint: fingerprint, payload: payload, isSealed: isSealed, state: .waiting, created: created, expires: expires,
            nextAttempt: created, notBefore: nil, attempts: 0, arrivals: 0, failure: nil, leasedUntil: nil, holdsLane: false)
    }

    /// Creates an entry from its stored fields. Numbers and dates that no outbox has stored are brought within bounds.
    public init(
        id: OutboxEntry.ID, lane: OutboxLane, fingerprint: String, payload: Bytes, isSealed: Bool, state: OutboxEntry.State, created: Date,
        expires: Date?, nextAttempt: Date, notBefore: Date?, attempts: Int, arrivals: Int, failure: Bytes?, leasedUntil: Date?, holdsLane: Bool
    ) {
        self.id = id
        self.lane = lane
        self.fingerprint = fingerprint
        self.payload = payload
        self.isSealed = isSealed
        self.state = state
        self.created = created.bounded
        self.expires = expires?.bounded
        self.nextAttempt = nextAttempt.bounded
        self.notBefore = notBefore?.bounded
        self.attempts = Self.bounded(attempts)
        self.arrivals = Self.bounded(arrivals)
        self.failure = failure
        self.leasedUntil = leasedUntil?.bounded
        self.holdsLane = holdsLane
    }

    /// More attempts than an outbox makes in its life, and one more is no overflow.
    private static func bounded(_ count: Int) -> Int { min(max(count, 0), 1 << 30) }

    /// Whether the entry is in line: entries behind it in its lane are not sent before it.
    public var isInLine: Bool { state == .waiting || holdsLane }
}

extension OutboxRecord {
    /// Returns the record after a settlement; `nil` if it is removed.
    public func settled(_ settlement: OutboxSettlement) -> OutboxRecord? {
        var record = self
        record.leasedUntil = nil
        switch settlement {
        case .sent: return nil
        case .released: break
        case .postponed(let postponement):
            record.nextAttempt = postponement.until
            record.notBefore = postponement.notBefore
            record.attempts = postponement.attempts
            record.arrivals = postponement.arrivals
            record.failure = postponement.failure
        case .buried(let burial):
            record.state = .dead
            record.attempts = burial.attempts
            record.arrivals = burial.arrivals
            record.failure = burial.failure
            record.holdsLane = burial.holdsLane
        }
        return record
    }

    /// Returns the record as due at once and never tried. An expiry date in the past is removed, and a lease that has ended is kept.
    public func revived(at now: Date) -> OutboxRecord {
        var record = self
        record.state = .waiting
        record.holdsLane = false
        record.attempts = 0
        // Without a failure, the count tells of an attempt whose answer was lost with its process.
        record.arrivals = failure == nil ? min(arrivals, 1) : 0
        record.nextAttempt = now
        record.notBefore = nil
        if let expires, expires <= now { record.expires = nil }
        return record
    }
}

extension Date {
    /// The date within the years that calendars know. A value that is no number is long past.
    fileprivate var bounded: Date { self >= .distantPast ? min(self, .distantFuture) : .distantPast }
}
