#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
public import TarmacCore

/// One mutation in an outbox, as it stands now.
public struct OutboxEntry: Sendable, Identifiable {
    /// Names an entry, also after a restart.
    public struct ID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }
    }

    /// Where it stands.
    public enum State: String, Sendable, CaseIterable {
        /// It is to be sent.
        case waiting
        /// A dead letter: it stays until it is re-sent or dropped.
        case dead
    }

    public let id: ID
    /// The line it stands in.
    public let lane: OutboxLane
    public let state: State
    /// What it sends; `nil` when it is sealed with a key that is not there, or damaged.
    public let mutation: OutboxMutation?
    /// Why it was not sent the last time.
    public let failure: OutboxFailure?
    public let created: Date
    /// When it is no longer to be sent; `nil` for never.
    public let expires: Date?
    /// How many times it was sent or tried, since it was enqueued or re-sent.
    public let attempts: Int
    /// Not before this is it tried again.
    public let nextAttempt: Date
    /// Whether it is sealed at rest.
    public let isSealed: Bool
    /// Whether a process holds it to send it.
    public let isLeased: Bool
}

extension OutboxEntry {
    /// What a store keeps, read: for tools that look into one without an outbox.
    public init(_ record: OutboxRecord, sealer: (any Sealer)?) { self.init(record, OutboxCoder(sealer: sealer)) }

    /// One that is not stored yet.
    init(_ id: ID, _ composed: OutboxComposer.Composed, isSealed: Bool, created: Date, expires: Date?) {
        self.init(
            id: id, lane: composed.lane, state: .waiting, mutation: composed.mutation, failure: nil, created: created, expires: expires, attempts: 0,
            nextAttempt: created, isSealed: isSealed, isLeased: false)
    }

    init(_ record: OutboxRecord, _ vault: OutboxCoder) {
        id = record.id
        lane = record.lane
        state = record.state
        mutation = try? vault.mutation(in: record)
        failure = vault.failure(in: record)
        created = record.created
        expires = record.expires
        attempts = record.attempts
        nextAttempt = record.nextAttempt
        isSealed = record.isSealed
        isLeased = record.leasedUntil != nil
    }
}

extension OutboxEntry: CustomStringConvertible, CustomReflectable {
    /// No value of the request.
    public var description: String { "\(id), \(mutation?.endpoint ?? "sealed"), \(state.rawValue), attempts: \(attempts), lane \(lane)" }
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
