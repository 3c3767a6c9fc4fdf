#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// The result of an attempt, to be stored.
public enum OutboxSettlement: Sendable, Equatable {
    /// The server has accepted the entry: it is removed.
    case sent
    /// The entry is tried again.
    case postponed(Postponement)
    /// The entry is a dead letter.
    case buried(Burial)
    /// The entry was released without an attempt.
    case released

    public struct Postponement: Sendable, Equatable {
        public var until: Date
        public var notBefore: Date?
        public var attempts: Int
        public var arrivals: Int
        public var failure: Bytes?

        public init(until: Date, notBefore: Date?, attempts: Int, arrivals: Int, failure: Bytes?) {
            self.until = until
            self.notBefore = notBefore
            self.attempts = attempts
            self.arrivals = arrivals
            self.failure = failure
        }
    }

    public struct Burial: Sendable, Equatable {
        public var holdsLane: Bool
        public var attempts: Int
        public var arrivals: Int
        public var failure: Bytes

        public init(holdsLane: Bool, attempts: Int, arrivals: Int, failure: Bytes) {
            self.holdsLane = holdsLane
            self.attempts = attempts
            self.arrivals = arrivals
            self.failure = failure
        }
    }
}
