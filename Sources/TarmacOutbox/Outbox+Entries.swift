import TarmacCore

extension Outbox {
    /// What is stored, oldest first.
    ///
    /// - Parameters:
    ///   - filter: which of it. Default: all; ``OutboxFilter/deadLetters`` for those that were given up.
    ///   - limit: how many at most. Default 1,000.
    public func entries(_ filter: OutboxFilter = .all, limit: Int = 1_000) async throws -> [OutboxEntry] {
        try await reaching { try await core.store.records(filter, limit: limit) }.map(core.vault.entry)
    }

    /// One entry; `nil` when it was sent or dropped.
    public func entry(_ id: OutboxEntry.ID) async throws -> OutboxEntry? {
        try await entries(OutboxFilter(ids: [id]), limit: 1).first
    }

    /// What becomes of an entry's key when it is edited.
    public enum KeyChange: Sendable {
        /// It keeps its key: if an earlier attempt did arrive, nothing happens twice. A server that compares what comes under
        /// one key refuses it then (draft-ietf-httpapi-idempotency-key-header §2.7), and it is a dead letter again.
        case keep
        /// It gets a new one: for a server that has seen the old one, it is another mutation.
        case mint
    }

    /// Changes what an entry sends. It stays where it is; a dead letter stays one until it is re-sent.
    ///
    /// ```swift
    /// try await outbox.edit(id) { $0.body = corrected }
    /// try await outbox.resend(OutboxFilter(ids: [id]))
    /// ```
    /// - Throws: `TarmacError(.outboxEntryUnavailable)` when it is gone, cannot be read, or is being sent; what
    ///   ``enqueue(_:lane:lifetime:configure:)`` throws for what it cannot keep.
    public func edit(_ id: OutboxEntry.ID, key: KeyChange = .keep, _ change: (inout OutboxMutation) throws -> Void) async throws {
        guard let record = try await reaching({ try await core.store.records(OutboxFilter(ids: [id]), limit: 1) }).first else {
            throw unavailable(id, "it is not there any more")
        }
        var mutation = try core.vault.mutation(in: record)
        try change(&mutation)
        if case .mint = key { mutation.mintKey(core.randomness) }
        let redactor = (try? core.engine.runtime(Service(record.lane.service, hosts: [:])))?.options.redactor ?? .standard
        try composer.check(mutation, redactor)
        let payload = try core.vault.payload(of: mutation, id, in: record.lane)
        let isReplaced = try await reaching {
            try await core.store.replace(
                id, payload: payload, isSealed: core.vault.sealer != nil,
                fingerprint: OutboxCoder.fingerprint(record.lane, of: mutation), now: core.now)
        }
        guard isReplaced else { throw unavailable(id, "it is being sent, or is not there any more") }
        if mutation.file == nil { core.folder?.remove([id]) }
        core.hub.tell(.edited, id, record.lane)
    }

    /// Makes dead letters wait again, and waiting entries due at once. They stand where they stood in their lane, are counted
    /// anew, and an expiry that is past is lifted. Those being sent are left alone. One of another login than the present is a dead
    /// letter again: ``edit(_:key:_:)`` gives it away.
    ///
    /// - Returns: how many.
    @discardableResult
    public func resend(_ filter: OutboxFilter = .deadLetters) async throws -> Int {
        let records = try await reaching { try await core.store.revive(filter, now: core.now) }
        for record in records { core.hub.tell(.resent, record.id, record.lane) }
        core.wake()
        return records.count
    }

    /// Takes entries out for good. One that is being sent may still arrive.
    ///
    /// - Returns: how many.
    @discardableResult
    public func drop(_ filter: OutboxFilter) async throws -> Int {
        let records = try await reaching { try await core.store.remove(filter) }
        core.folder?.remove(records.map(\.id))
        for record in records { core.hub.tell(.dropped, record.id, record.lane) }
        core.wake()
        return records.count
    }

    // MARK: What happens

    /// What happens from now on, see ``OutboxChanges`` for what a slow consumer may miss.
    ///
    /// ```swift
    /// for await change in outbox.changes {
    ///     if case .sent(let answer) = change.kind { try orders.confirm(change.id, answer.decode()) }
    /// }
    /// ```
    public var changes: OutboxChanges { core.hub.changes() }

    /// What becomes of an entry: waits until it is sent, buried or dropped.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, `TarmacError(.outboxEntryUnavailable)` when the outbox ends
    ///   before the entry does.
    public func outcome(of id: OutboxEntry.ID) async throws -> OutboxOutcome {
        if let known = core.hub.known(id) { return known }
        let there = try await reaching { try await core.store.records(OutboxFilter(ids: [id]), limit: 1) }.first
        if let there, there.state == .dead {
            return .buried(core.vault.failure(in: there) ?? OutboxFailure(.unreadable, reason: "it cannot be read", at: there.created))
        }
        if there == nil { try await reaching { try await core.settleMissing([id]) } }
        guard let outcome = await core.hub.outcome(of: id) else {
            try Task.checkCancellation()
            throw unavailable(id, "the outbox has ended")
        }
        return outcome
    }

    private func unavailable(_ id: OutboxEntry.ID, _ reason: String) -> TarmacError {
        TarmacError(.outboxEntryUnavailable, "the outbox entry \(id): \(reason)")
    }
}
