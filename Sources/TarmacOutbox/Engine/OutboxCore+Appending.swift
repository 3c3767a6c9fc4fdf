@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// Storing new entries.
extension OutboxCore {
    /// The time after which a store that has not answered is given no more entries until it has.
    static let storeLimit = Duration.seconds(30)

    /// Stores entries, and returns their IDs in order.
    ///
    /// The caller waits until `deadline`, or until its task is cancelled. A store that has not answered by then may still store
    /// the entries.
    func append(_ records: [OutboxRecord], until deadline: Moment?) async throws -> [OutboxEntry.ID] {
        // This store answers at once.
        if store is MemoryOutboxStore { return try await appended(records) }
        guard let question = questions.begin(at: engine.time.moment) else {
            folder?.remove(Set(records.map(\.id)))
            throw TarmacError(.storeFailed, "the outbox's store has not answered for \(Self.storeLimit.shown)")
        }
        let end = Settlement<[OutboxEntry.ID]>()
        // LIFETIME: ends with the store's answer. No task can end the work of a store that hangs.
        Task { [self] in
            do { end.settle(.success(try await appended(records))) } catch { end.settle(.failure(error)) }
            questions.end(question)
        }
        let timer = deadline.map { engine.scope.deadlines.add(SettlementLimit(end, .failure(Self.appendedLate)), at: $0) }
        defer { timer?.stop() }
        return try await end.value()
    }

    private func appended(_ records: [OutboxRecord]) async throws -> [OutboxEntry.ID] {
        do {
            let ids = try await store.append(records, limit: rule.maximumEntries, check: check)
            for (record, id) in zip(records, ids) where record.id == id { observers.tell(.enqueued, id, record.lane) }
            folder?.remove(Set(records.map(\.id)).subtracting(ids))
            wake()
            return ids
        } catch {
            await discardFiles(of: records)
            if error is CancellationError { throw error }
            throw Self.storeError(error)
        }
    }

    /// Removes the files of entries that are not in the store. If the store cannot be read, they are swept later.
    private func discardFiles(of records: [OutboxRecord]) async {
        guard let folder else { return }
        let ids = Set(records.map(\.id))
        guard let there = try? await store.records(OutboxFilter(ids: ids), limit: ids.count) else { return }
        folder.remove(ids.subtracting(there.map(\.id)))
    }

    /// Throws if the key of an existing entry was used for another mutation.
    func check(_ there: OutboxRecord, _ record: OutboxRecord) throws {
        // The entry may be sealed with a key that is missing.
        guard let old = try? coder.mutation(in: there), var new = try? coder.mutation(in: record) else { return }
        // The same file is the same mutation, sealed or not.
        if let file = old.file { new.file?.isSealed = file.isSealed }
        // An earlier version of the app may have stored neither.
        (new.makesStale, new.fields) = (old.makesStale, old.fields)
        if old != new { throw TarmacError.outboxKeyTaken }
    }

    private static var appendedLate: TarmacError {
        TarmacError(
            .deadlineExceeded, "the outbox's store did not answer within the deadline",
            suggestion: "enqueue the call again with the same idempotency key: it is stored once")
    }
}
