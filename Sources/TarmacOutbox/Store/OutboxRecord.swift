#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// An entry as a store keeps it. What it sends is bytes to the store, which may be sealed; the rest is in the clear.
public struct OutboxRecord: Sendable, Equatable {
    public let id: OutboxEntry.ID
    public let lane: OutboxLane
    /// Stands for lane and idempotency key: unique within a store.
    public var fingerprint: String
    /// What it sends.
    public var payload: Bytes
    public var isSealed: Bool
    public var state: OutboxEntry.State
    public let created: Date
    public var expires: Date?
    public var nextAttempt: Date
    /// Until when the server asked to be left alone.
    public var notBefore: Date?
    /// How often it was sent or tried.
    public var attempts: Int
    /// How many of the attempts may have reached the server.
    public var arrivals: Int
    /// Why it was not sent the last time.
    public var failure: Bytes?
    /// Until when a process holds it.
    public var leasedUntil: Date?
    /// Whether, being dead, it holds its lane.
    public var holdsLane: Bool

    /// A new entry, due at once.
    public init(
        id: OutboxEntry.ID, lane: OutboxLane, fingerprint: String, payload: Bytes, isSealed: Bool, created: Date, expires: Date? = nil
    ) {
        self.init(
            id: id, lane: lane, fingerprint: fingerprint, payload: payload, isSealed: isSealed, state: .waiting, created: created, expires: expires,
            nextAttempt: created, notBefore: nil, attempts: 0, arrivals: 0, failure: nil, leasedUntil: nil, holdsLane: false)
    }

    /// An entry as it was kept.
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
        self.created = created
        self.expires = expires
        self.nextAttempt = nextAttempt
        self.notBefore = notBefore
        self.attempts = attempts
        self.arrivals = arrivals
        self.failure = failure
        self.leasedUntil = leasedUntil
        self.holdsLane = holdsLane
    }

    /// Whether it stands in its lane's line: entries behind it are not sent before it.
    public var isInLine: Bool { state == .waiting || holdsLane }
}

extension OutboxRecord {
    /// What a settlement makes of it; `nil` when it is gone.
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

    /// The same, due at once and as if it had never been tried; an expiry that is past is lifted.
    public func revived(at now: Date) -> OutboxRecord {
        var record = self
        record.state = .waiting
        record.holdsLane = false
        record.attempts = 0
        record.arrivals = 0
        record.nextAttempt = now
        record.notBefore = nil
        if let expires, expires <= now { record.expires = nil }
        return record
    }
}
