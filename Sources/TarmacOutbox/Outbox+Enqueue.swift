#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
public import TarmacCore
import TarmacTransfer

extension Outbox {
    /// Stores a call, to be sent as soon as its lane and the network let it.
    ///
    /// The request is made now, as ``Client/send(_:configure:)`` would make it: bad input is refused here, and parameter
    /// transforms run here, so that a signature which ages belongs into ``Options/signing``. Its `Idempotency-Key` is
    /// ``Options/idempotencyKey``, else a random UUID, and is stored with it. A key that the lane already holds means the same
    /// mutation: it is not stored twice, and the ID of the first is returned, so that an app may enqueue again what it is
    /// not sure to have enqueued. It belongs to the account that is logged in now, for which a token store may have to be read.
    ///
    /// A body that is a file is copied, one that is a stream is read to its end, such as a form with files: into the entry up to
    /// ``OutboxRule/maximumBodySize``, else into a file beside the store. A form whose call may be enqueued again under its key
    /// needs a boundary of its own.
    ///
    /// - Parameters:
    ///   - lane: the line it stands in. Default `main`. Not a place for secrets.
    ///   - lifetime: how long it is wanted; then it becomes a dead letter. Default: the rule's.
    ///   - configure: the call's own layer of settings.
    /// - Returns: its ID, once it is stored.
    /// - Throws: `TarmacError`: what building the request throws; `.invalidHeader` for a credential among its header fields;
    ///   `.invalidParameter` for a secret that would be kept unsealed, or a body that is too large; `.unreadableFile`, `.unwritableFile` and
    ///   `.insufficientSpace` for one that cannot be copied; `.outboxFull`; `.invalidOption` for a key of another mutation; `.storeFailed`; `.tokenStoreFailed`
    ///   when whose login it is cannot be read.
    @discardableResult
    public func enqueue<E: Endpoint>(
        _ endpoint: E, lane: String = "main", lifetime: Duration? = nil, configure: (inout Options) -> Void = { _ in }
    ) async throws -> OutboxEntry.ID {
        try await enqueue(contentsOf: [endpoint], lane: lane, lifetime: lifetime, configure: configure)[0]
    }

    /// Stores a call with a body in the place of the endpoint's own, as ``Client/upload(_:to:configure:progress:)`` would send it.
    ///
    /// ```swift
    /// try await outbox.enqueue(.file(video, contentType: "video/mp4"), to: PostVideo())
    /// ```
    @discardableResult
    public func enqueue<E: Endpoint>(
        _ body: Body, to endpoint: E, lane: String = "main", lifetime: Duration? = nil, configure: (inout Options) -> Void = { _ in }
    ) async throws -> OutboxEntry.ID {
        try await enqueue(UploadEndpoint(base: endpoint, content: body), lane: lane, lifetime: lifetime, configure: configure)
    }

    /// Stores several calls at once, in order: all of them, or none when one cannot be stored.
    ///
    /// - Returns: their IDs, in the same order.
    @discardableResult
    public func enqueue<E: Endpoint>(
        contentsOf endpoints: [E], lane: String = "main", lifetime: Duration? = nil, configure: (inout Options) -> Void = { _ in }
    ) async throws -> [OutboxEntry.ID] {
        if endpoints.isEmpty { return [] }
        let options = Options(configure)
        var records: [OutboxRecord] = []
        do {
            for endpoint in endpoints { records.append(try await record(endpoint, lane, lifetime, options)) }
            return try await store(records)
        } catch {
            await discardFiles(of: records)
            throw error
        }
    }

    /// The files of entries that are not in the store; where it does not say, they are swept later.
    private func discardFiles(of records: [OutboxRecord]) async {
        guard let folder = core.folder else { return }
        let ids = Set(records.map(\.id))
        guard let there = try? await core.store.records(OutboxFilter(ids: ids), limit: ids.count) else { return }
        folder.remove(ids.subtracting(there.map(\.id)))
    }

    private func record<E: Endpoint>(_ endpoint: E, _ lane: String, _ lifetime: Duration?, _ call: Options) async throws -> OutboxRecord {
        let id = OutboxEntry.ID(rawValue: core.randomness.uuid())
        do {
            var composed = try composer.compose(endpoint, lane: lane, call)
            try await composer.complete(&composed, id)
            let now = core.now
            let entry = OutboxEntry(
                id, composed, isSealed: core.vault.sealer != nil, created: now,
                expires: (lifetime ?? core.rule.lifetime).map { now + $0 / .seconds(1) })
            composed.mutation.account = try await account(entry, composed)
            return OutboxRecord(
                id: entry.id, lane: entry.lane, fingerprint: OutboxCoder.fingerprint(entry.lane, of: composed.mutation),
                payload: try core.vault.payload(of: composed.mutation, entry.id, in: entry.lane), isSealed: entry.isSealed, created: now,
                expires: entry.expires)
        } catch {
            core.folder?.remove([id])
            if error is CancellationError { throw error }
            let known = error as? TarmacError ?? TarmacError.foreign(error)
            throw known.with(
                context: .init(endpoint: endpoint.endpointName, service: endpoint.service.name, request: "not sent", attempts: 0, duration: .zero))
        }
    }

    /// Whose login it would go out with if it went now, under the settings of its attempts.
    private func account(_ entry: OutboxEntry, _ composed: OutboxComposer.Composed) async throws -> String? {
        let options = OutboxCall.options(entry, composed.mutation, core.rule, core.configure)
        return try await OutboxCall.account(entry, for: composed.request, in: composed.runtime, options)
    }

    private func store(_ records: [OutboxRecord]) async throws -> [OutboxEntry.ID] {
        try checkAmongThemselves(records)
        let ids = try await reaching { try await core.store.append(records, limit: core.rule.maximumEntries, check: check) }
        for (record, id) in zip(records, ids) where record.id == id { core.hub.tell(.enqueued, id, record.lane) }
        core.folder?.remove(Set(records.map(\.id)).subtracting(ids))
        core.wake()
        return ids
    }

    /// Those of one batch, of which the store keeps the first of each key.
    private func checkAmongThemselves(_ records: [OutboxRecord]) throws {
        var firsts: [String: OutboxRecord] = [:]
        for record in records {
            if let first = firsts[record.fingerprint] { try check(first, record) } else { firsts[record.fingerprint] = record }
        }
    }

    /// A key that is there already stands for the very same mutation, or was used twice by mistake.
    private func check(_ there: OutboxRecord, _ record: OutboxRecord) throws {
        // Sealed with a key that is gone.
        guard let old = try? core.vault.mutation(in: there), var new = try? core.vault.mutation(in: record) else { return }
        // Whether a file is sealed makes no other mutation.
        if let file = old.file { new.file?.isSealed = file.isSealed }
        if old != new { throw TarmacError.outboxKeyTaken }
    }

    var composer: OutboxComposer {
        OutboxComposer(
            engine: core.engine, intake: OutboxBodyStorage(rule: core.rule, folder: core.rule.maximumFileBytes > 0 ? core.folder : nil),
            keepsSecrets: core.vault.sealer != nil || !core.store.isDurable || core.rule.allowsUnsealedSecrets)
    }

    /// Whatever a store throws comes out as what Tarmac throws.
    func reaching<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as CancellationError { throw error } catch { throw OutboxCore.storeError(error) }
    }
}
