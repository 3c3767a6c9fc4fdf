#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// What became of an attempt, for the store to write down.
public enum OutboxSettlement: Sendable, Equatable {
    /// The server has accepted it: the entry is removed.
    case sent
    /// It is tried again.
    case postponed(Postponement)
    /// It is a dead letter.
    case buried(Burial)
    /// It was given back untried.
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
