#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// Something that happened to an entry of an outbox, or to the outbox.
public struct OutboxChange: Sendable {
    /// The entry; `nil` for what concerns the outbox.
    public let id: OutboxEntry.ID?
    /// The entry's lane.
    public let lane: OutboxLane?
    public let kind: Kind

    /// What happened. Cases are added over time: keep a `default`.
    public enum Kind: Sendable {
        /// It is stored.
        case enqueued
        /// It goes to the server, for the n-th time.
        case sending(attempt: Int)
        /// It was not sent, and is tried again.
        case postponed(until: Date, because: TarmacError)
        /// Final: the server has accepted it. The first 64 KiB of the answer's body come along.
        case sent(ResponseSnapshot)
        /// Final, unless it is re-sent: it is a dead letter.
        case buried(OutboxFailure)
        /// It was edited.
        case edited
        /// A dead letter waits again, or one that waits does so no longer.
        case resent
        /// Final: it was taken out.
        case dropped
        /// The store could not be read or written; it is tried again.
        case storeFailed(TarmacError)
        /// The client was shut down: nothing is sent any more, everything stays stored.
        case stopped
        /// This consumer was too slow, and that many changes, final ones among them, were not kept for it.
        case missed(Int)
    }
}

extension OutboxChange.Kind {
    /// Whether the entry has come to an end.
    public var isFinal: Bool {
        switch self {
        case .sent, .buried, .dropped: true
        default: false
        }
    }
}

/// What became of an entry.
public enum OutboxOutcome: Sendable {
    /// The server has accepted it.
    case sent(ResponseSnapshot)
    /// It is a dead letter.
    case buried(OutboxFailure)
    /// It was taken out before it was sent.
    case dropped
    /// It is not there any more: another process that shares the store has sent it or taken it out, or it was longer ago than
    /// the last thousand.
    case settledElsewhere
}
