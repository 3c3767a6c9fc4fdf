import TarmacCore

extension Outbox {
    /// Returns the stored entries, oldest first.
    ///
    /// - Parameters:
    ///   - filter: The entries to return. Default: all; ``OutboxFilter/deadLetters`` for those that have failed.
    ///   - limit: The largest number of entries to return. A negative one counts as zero. Default: 1,000.
    public func entries(_ filter: OutboxFilter = .all, limit: Int = 1_000) async throws -> [OutboxEntry] {
        try await reaching { try await core.store.records(filter, limit: limit) }.map(core.entry)
    }

    /// Returns one entry; `nil` if it was sent or dropped.
    public func entry(_ id: OutboxEntry.ID) async throws -> OutboxEntry? {
        try await entries(OutboxFilter(ids: [id]), limit: 1).first
    }

    /// The handling of an entry's idempotency key when the entry is edited.
    public enum KeyChange: Sendable {
        /// Keeps the key: if an earlier attempt has arrived, the server does not act twice. A server that compares the
        /// requests under one key then refuses the entry (draft-ietf-httpapi-idempotency-key-header §2.7), and it
        /// becomes a dead letter again.
        case keep
        /// Creates a new key: for the server, the entry is another mutation.
        case mint
    }

    /// Changes the content of an entry. It keeps its place and its state: a dead letter stays one until it is resent.
    ///
    /// ```swift
    /// try await outbox.edit(id) { $0.body = corrected }
    /// try await outbox.resend(OutboxFilter(ids: [id]))
    /// ```
    /// - Throws: `TarmacError(.outboxEntryUnavailable)` when the entry is gone, cannot be read, or is being sent, and
    ///   the errors of ``enqueue(_:lane:lifetime:configure:)-(E,_,_,_)`` for content that cannot be stored.
    public func edit(_ id: OutboxEntry.ID, key: KeyChange = .keep, _ change: (inout OutboxMutation) throws -> Void) async throws {
        guard let record = try await reaching({ try await core.store.records(OutboxFilter(ids: [id]), limit: 1) }).first else {
            throw unavailable(id, "it is not there any more")
        }
        let old = try core.coder.mutation(in: record)
        var mutation = old
        try change(&mutation)
        if case .mint = key { mutation.mintKey(core.randomness) }
        let redactor = core.runtime(of: record.lane)?.options.redactor ?? .standard
        try composer.check(mutation, redactor)
        if core.holds(id) { throw unavailable(id, "it is being sent") }
        let payload = try core.coder.payload(of: mutation, id, in: record.lane)
        let isReplaced = try await reaching {
            try await core.store.replace(
                id, payload: payload, isSealed: core.coder.sealer != nil,
                fingerprint: OutboxCoder.fingerprint(record.lane, of: mutation), now: core.now)
        }
        guard isReplaced else { throw unavailable(id, "it is being sent, or is not there any more") }
        if mutation.file == nil { core.folder?.remove([id]) }
        let upload = upload(record, old)
        if upload?.row != self.upload(record, mutation)?.row { await upload?.forget(on: core.engine) }
        core.observers.tell(.edited, id, record.lane)
    }

    /// Makes dead letters wait again, and waiting entries due at once.
    ///
    /// The entries keep their places in their lanes, their attempts are counted from zero, and an expiry date in the
    /// past is removed. Entries that are being sent are left unchanged. An entry of another account than the current
    /// one becomes a dead letter again, unless ``edit(_:key:_:)`` changes its account.
    ///
    /// - Returns: The number of entries.
    @discardableResult
    public func resend(_ filter: OutboxFilter = .deadLetters) async throws -> Int {
        let records = try await reaching { try await core.store.revive(filter, now: core.now) }
        for record in records { core.observers.tell(.resent, record.id, record.lane) }
        core.wake()
        return records.count
    }

    /// Removes entries. One that is being sent may still arrive.
    ///
    /// - Returns: The number of entries.
    @discardableResult
    public func drop(_ filter: OutboxFilter) async throws -> Int {
        let records = try await reaching { try await core.store.remove(filter) }
        core.folder?.remove(records.map(\.id))
        await forgetUploads(of: records)
        for record in records { core.observers.tell(.dropped, record.id, record.lane) }
        core.wake()
        return records.count
    }

    /// Removes the records of resumable uploads from the ledger.
    private func forgetUploads(of records: [OutboxRecord]) async {
        for record in records where core.coder.mayBeUpload(record) {
            guard let mutation = try? core.coder.mutation(in: record) else { continue }
            await upload(record, mutation)?.forget(on: core.engine)
        }
    }

    private func upload(_ record: OutboxRecord, _ mutation: OutboxMutation) -> OutboxUpload? {
        if mutation.upload == nil { return nil }
        let entry = core.entry(record)
        return OutboxUpload(entry, mutation, OutboxCall.options(entry, mutation, core.rule, core.configure))
    }

    // MARK: Changes

    /// The changes from now on. See ``OutboxChanges`` for the changes that a slow consumer may miss.
    ///
    /// ```swift
    /// for await change in outbox.changes {
    ///     if case .sent(let answer) = change.kind { try orders.confirm(change.id, answer.decode()) }
    /// }
    /// ```
    public var changes: OutboxChanges { core.observers.changes() }

    /// Waits until an entry is sent, buried or dropped, and returns its outcome.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, `TarmacError(.outboxEntryUnavailable)` when the outbox
    ///   ends before the entry does.
    public func outcome(of id: OutboxEntry.ID) async throws -> OutboxOutcome {
        if let known = core.observers.known(id) { return known }
        let there = try await reaching { try await core.store.records(OutboxFilter(ids: [id]), limit: 1) }.first
        if let there, there.state == .dead {
            return .buried(core.failure(in: there) ?? OutboxFailure(.unreadable, reason: "it cannot be read", at: there.created))
        }
        if there == nil { try await reaching { try await core.settleMissing([id]) } }
        guard let outcome = await core.observers.outcome(of: id) else {
            try Task.checkCancellation()
            throw unavailable(id, "the outbox has ended")
        }
        return outcome
    }

    private func unavailable(_ id: OutboxEntry.ID, _ reason: String) -> TarmacError {
        TarmacError(.outboxEntryUnavailable, "the outbox entry \(id): \(reason)")
    }
}
