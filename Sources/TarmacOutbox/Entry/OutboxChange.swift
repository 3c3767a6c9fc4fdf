#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// A change of an entry of an outbox, or of the outbox itself.
public struct OutboxChange: Sendable {
    /// The entry; `nil` for a change of the outbox itself.
    public let id: OutboxEntry.ID?
    /// The entry's lane; `nil` for a change of the outbox itself.
    public let lane: OutboxLane?
    public let kind: Kind

    /// The kinds of changes. Later versions add cases: keep a `default`.
    public enum Kind: Sendable {
        /// The entry is stored.
        case enqueued
        /// The entry is being sent, for the n-th time.
        case sending(attempt: Int)
        /// The body of the entry is being sent: of a body that is kept as a file, and of a resumable upload, which counts the
        /// bytes of earlier attempts that the server has.
        ///
        /// At most 20 changes a second, and the last one when all bytes have been sent, which need not be the end of the
        /// attempt. A redirect or a resend starts over. For a slow consumer a newer progress of the entry replaces the one
        /// before.
        case progress(TransferProgress)
        /// The entry could not be sent and will be tried again.
        case postponed(until: Date, because: TarmacError)
        /// Final: the server has accepted the entry. The snapshot holds at most the first 64 KiB of the response's
        /// body.
        case sent(ResponseSnapshot)
        /// Final, unless it is resent: the entry is a dead letter.
        case buried(OutboxFailure)
        /// The entry was edited.
        case edited
        /// ``Outbox/resend(_:)`` made a dead letter wait again, or a waiting entry due at once.
        case resent
        /// Final: the entry was removed.
        case dropped
        /// The store could not be read or written. The outbox tries again.
        case storeFailed(TarmacError)
        /// The client was shut down: the outbox sends nothing more, and all entries stay stored.
        case stopped
        /// This consumer was too slow, and this number of final changes was discarded for it.
        case missed(Int)
    }
}

extension OutboxChange.Kind {
    /// Whether the entry has ended.
    public var isFinal: Bool {
        switch self {
        case .sent, .buried, .dropped: true
        default: false
        }
    }
}

/// The outcome of an entry.
public enum OutboxOutcome: Sendable {
    /// The server has accepted it.
    case sent(ResponseSnapshot)
    /// It is a dead letter.
    case buried(OutboxFailure)
    /// It was removed before it was sent.
    case dropped
    /// It no longer exists: another process that shares the store has sent or removed it, or it ended before the last
    /// thousand or so outcomes that are remembered.
    case settledElsewhere
}
