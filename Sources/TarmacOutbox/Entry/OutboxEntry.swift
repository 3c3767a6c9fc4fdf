#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
import HTTPTypes
public import TarmacCore
import TarmacJSON

/// The current state of one mutation in an outbox.
public struct OutboxEntry: Sendable, Identifiable {
    /// The identifier of an entry, stable across restarts.
    public struct ID: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }
    }

    /// The states of an entry.
    public enum State: String, Sendable, CaseIterable {
        /// It waits to be sent.
        case waiting
        /// A dead letter: it stays until it is resent or dropped.
        case dead
    }

    public let id: ID
    /// The lane that orders it.
    public let lane: OutboxLane
    public let state: State
    /// The content of the request; `nil` when it is damaged, or sealed with a key that is missing.
    public let mutation: OutboxMutation?
    /// The reason for the last failure, or `nil` if no attempt has failed.
    public let failure: OutboxFailure?
    public let created: Date
    /// The date after which the entry is no longer sent; `nil` for never.
    public let expires: Date?
    /// The number of attempts since the entry was enqueued or resent.
    public let attempts: Int
    /// The date before which the entry is not tried again.
    public let nextAttempt: Date
    /// Whether the entry is sealed in the store.
    public let isSealed: Bool
    /// Whether a process has leased the entry to send it.
    public let isLeased: Bool
    /// The settings of the service, which an edited body is read with; `nil` if the client does not know the service.
    var settings: ResolvedOptions?
}

extension OutboxEntry {
    /// Returns the endpoint that was enqueued, from its stored properties or, for an edited entry, from the body, which is
    /// read with the decoder of the service.
    ///
    /// ```swift
    /// let edit = try letter.endpoint(as: EditNote.self)
    /// ```
    /// - Throws: `TarmacError` with `.decodingFailed` for an entry of another endpoint, and for one whose properties are not
    ///   stored: it is not `Encodable`, or the app's transforms protect its parameters and the outbox has no sealer; and
    ///   with `.storeFailed` if the entry cannot be read.
    public func endpoint<E: Endpoint & Decodable>(as type: E.Type = E.self) throws(TarmacError) -> E {
        guard let mutation else { throw TarmacError(.storeFailed, "the outbox entry \(id) cannot be read") }
        guard mutation.endpoint == E.endpointName else {
            throw TarmacError(.decodingFailed, phase: .decoding, "the outbox entry \(id) is a call of \(mutation.endpoint), not of \(E.endpointName)")
        }
        if mutation.fields?.isEmpty == true, let edited = try? editedBody(of: mutation).decode(as: type) { return edited }
        do { return try TarmacJSONDecoder().decode(type, from: stored(mutation).array) } catch {
            // The cause could quote the content, so it is left out.
            let path = DecodingFailure.error(error, as: type).path
            throw TarmacError(.decodingFailed, phase: .decoding, "the outbox entry \(id) does not hold the properties of \(E.endpointName)", path: path)
        }
    }

    /// The endpoint in the form of TarmacJSON.
    private func stored(_ mutation: OutboxMutation) -> Bytes {
        guard let fields = mutation.fields, !fields.isEmpty else { return mutation.body }
        return fields
    }

    /// An edited body has the form that the service reads and writes, such as names in snake case.
    private func editedBody(of mutation: OutboxMutation) -> ResponseSnapshot {
        var headers = HTTPFields()
        headers[.contentType] = mutation.contentType
        return ResponseSnapshot(
            status: .ok, headers: headers, body: mutation.body, options: settings?.documentOptions, decoder: settings?.values.decoder, limit: .max)
    }

    /// Creates an entry from a store's record, for tools that read a store without an outbox.
    public init(_ record: OutboxRecord, sealer: (any Sealer)?) { self.init(record, OutboxCoder(sealer: sealer)) }

    /// Creates an entry that is not stored yet.
    init(_ id: ID, _ composed: OutboxComposer.Composed, isSealed: Bool, created: Date, expires: Date?) {
        self.init(
            id: id, lane: composed.lane, state: .waiting, mutation: composed.mutation, failure: nil, created: created, expires: expires, attempts: 0,
            nextAttempt: created, isSealed: isSealed, isLeased: false)
    }

    init(_ record: OutboxRecord, _ coder: OutboxCoder) { self.init(record, coder, coder.failure(in: record)) }

    init(_ record: OutboxRecord, _ coder: OutboxCoder, _ failure: OutboxFailure?) {
        id = record.id
        lane = record.lane
        state = record.state
        mutation = try? coder.mutation(in: record)
        self.failure = failure
        created = record.created
        expires = record.expires
        attempts = record.attempts
        nextAttempt = record.nextAttempt
        isSealed = record.isSealed
        isLeased = record.leasedUntil != nil
    }
}

extension OutboxEntry: MaskedReflectable {
    /// A description without the values of the request.
    public var description: String { "\(id), \(mutation?.endpoint ?? "sealed"), \(state.rawValue), attempts: \(attempts), lane \(lane)" }
}
