#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
public import TarmacCore
import TarmacResumableUpload
public import TarmacTransfer

extension Outbox {
    /// Stores a call, to be sent as soon as its lane and the network allow it.
    ///
    /// The request is built now, as ``CallSender/send(_:configure:)->_`` would build it: invalid input is refused, and
    /// parameter transforms run. Put a signature that expires into ``Options/signing`` instead. The request's
    /// `Idempotency-Key` is ``Options/idempotencyKey``, or else a random UUID, and is stored with it. If the lane
    /// already holds that key, the call counts as the same mutation: it is not stored twice, and the ID of the first is
    /// returned. An app may therefore enqueue a call again if it does not know whether the first attempt succeeded. The
    /// entry belongs to the account that is logged in now, which may be read from a token store.
    ///
    /// A file is copied, and a stream, such as a form with files, is read to its end: into the entry up to
    /// ``OutboxRule/maximumBodySize``, otherwise into a file beside the store. A form that may be enqueued again under
    /// its key needs an explicit boundary.
    ///
    /// The method waits for the store until the call's ``Options/deadline``, or until its task is cancelled. A store that has not
    /// answered by then may still store the call: enqueue it again under its key.
    ///
    /// - Parameters:
    ///   - endpoint: The call.
    ///   - lane: The name of the lane, which is not empty. Default: `main`. It must not hold secrets.
    ///   - lifetime: The time after which the entry expires and becomes a dead letter: more than nothing, and at most a
    ///     century. Default: the rule's.
    ///   - configure: Changes the settings of this call.
    /// - Returns: The ID of the stored entry.
    /// - Throws: `TarmacError`: the errors of building the request; `.invalidParameter` for a credential in a header
    ///   field; `.invalidParameter` for a secret that would be stored unsealed, or a body that is too large;
    ///   `.unreadableFile`, `.unwritableFile` and `.insufficientSpace` for a body that cannot be copied; `.outboxFull`; `.deadlineExceeded`;
    ///   `.invalidOption` for a key of another mutation, or an impossible lane or lifetime; `.storeFailed`; `.tokenStoreFailed` when the account cannot be
    ///   read.
    @discardableResult
    public func enqueue<E: Endpoint>(
        _ endpoint: E, lane: String = "main", lifetime: Duration? = nil, configure: (inout Options) -> Void = { _ in }
    ) async throws -> OutboxEntry.ID {
        try await enqueue(contentsOf: [endpoint], lane: lane, lifetime: lifetime, configure: configure)[0]
    }

    /// Stores an upload: a call with the upload's body, or a resumable upload.
    ///
    /// ```swift
    /// try await outbox.enqueue(Upload(.file(video, contentType: "video/mp4"), to: PostVideo()))
    /// try await outbox.enqueue(Upload(.file(video), to: CreateVideo(), by: .tus), lane: "videos")
    /// ```
    /// The file is copied now. With `by:` its name is kept for the server. Each attempt asks the server how much it has, and sends
    /// the rest, also in another process. For that the address of the upload is kept in ``Options/transferLedger``, which
    /// client, service or the outbox's `configure` must set. If the server no longer knows the upload, it starts from the
    /// beginning under the same `Idempotency-Key`. ``OutboxChange/Kind/progress(_:)`` reports the bytes that the server has.
    ///
    /// - Throws: `TarmacError`, as ``enqueue(_:lane:lifetime:configure:)-(E,_,_,_)`` does. With `by:`, `.invalidOption` without
    ///   a ledger, or for settings that no server could accept.
    @discardableResult
    public func enqueue<Value: Sendable>(
        _ upload: Upload<Value>, lane: String = "main", lifetime: Duration? = nil, configure: (inout Options) -> Void = { _ in }
    ) async throws -> OutboxEntry.ID {
        let source = (upload.source as? ResumableSource).map { ($0.source, $0.settings) }, options = Options(configure)
        func enqueue<E: Endpoint>(_ endpoint: E) async throws -> OutboxEntry.ID { try await self.enqueue([endpoint], source, lane, lifetime, options)[0] }
        return try await enqueue(upload.endpoint)
    }

    /// Stores several calls in order: all of them, or none if one cannot be stored.
    ///
    /// - Returns: The IDs, in the same order.
    @discardableResult
    public func enqueue<E: Endpoint>(
        contentsOf endpoints: [E], lane: String = "main", lifetime: Duration? = nil, configure: (inout Options) -> Void = { _ in }
    ) async throws -> [OutboxEntry.ID] {
        try await enqueue(endpoints, nil, lane, lifetime, Options(configure))
    }

    private func enqueue<E: Endpoint>(
        _ endpoints: [E], _ upload: (UploadSource, UploadProtocol)?, _ lane: String, _ lifetime: Duration?, _ options: Options
    ) async throws -> [OutboxEntry.ID] {
        if endpoints.isEmpty { return [] }
        let start = core.engine.time.moment
        var records: [OutboxRecord] = [], deadline: Duration?
        do {
            for endpoint in endpoints {
                let (record, limit) = try await record(endpoint, upload, lane, lifetime, options)
                records.append(record)
                deadline = limit.map { min($0, deadline ?? $0) } ?? deadline
            }
            try checkAmongThemselves(records)
        } catch {
            core.folder?.remove(Set(records.map(\.id)))
            throw error
        }
        return try await core.append(records, until: deadline.map { start + $0 })
    }

    private static func check(_ lane: String, _ lifetime: Duration?) throws(TarmacError) {
        if lane.isEmpty { throw TarmacError(.invalidOption, "the lane of an entry has an empty name") }
        guard let lifetime, !(lifetime > .zero && lifetime <= .century) else { return }
        throw TarmacError(.invalidOption, "the lifetime of an entry is \(lifetime.shown), and must be more than nothing and at most a century")
    }

    /// Returns the entry, and the time in which it must be stored.
    private func record<E: Endpoint>(
        _ endpoint: E, _ upload: (UploadSource, UploadProtocol)?, _ lane: String, _ lifetime: Duration?, _ call: Options
    ) async throws -> (OutboxRecord, limit: Duration?) {
        let id = OutboxEntry.ID(rawValue: core.randomness.uuid())
        do {
            try Self.check(lane, lifetime)
            let composed = try composer.compose(endpoint, lane: lane, call)
            if let upload { try prepare(upload, composed, id) }
            // Copying the body takes time, in which someone else may log in.
            let account = try await account(entry(id, composed, core.now, expires: nil), composed)
            try await composer.complete(composed, with: try upload?.0.body() ?? composed.request.body, id)
            let now = core.now
            let entry = entry(id, composed, now, expires: (lifetime ?? core.rule.lifetime).map { now + $0 / .seconds(1) })
            composed.mutation.account = account
            let record = OutboxRecord(
                id: entry.id, lane: entry.lane, fingerprint: OutboxCoder.fingerprint(entry.lane, of: composed.mutation),
                payload: try core.coder.payload(of: composed.mutation, entry.id, in: entry.lane), isSealed: entry.isSealed, created: now,
                expires: entry.expires)
            return (record, composed.deadline)
        } catch {
            core.folder?.remove([id])
            if error is CancellationError { throw error }
            let known = error as? TarmacError ?? TarmacError.foreign(error)
            throw known.with(
                context: .init(endpoint: endpoint.endpointName, service: endpoint.service.name, request: "not sent", attempts: 0, duration: .zero))
        }
    }

    private func entry(_ id: OutboxEntry.ID, _ composed: OutboxComposer.Composed, _ now: Date, expires: Date?) -> OutboxEntry {
        OutboxEntry(id, composed, isSealed: core.coder.sealer != nil, created: now, expires: expires)
    }

    /// Makes a call a resumable upload. Throws if it could not continue.
    private func prepare(_ upload: (UploadSource, UploadProtocol), _ composed: OutboxComposer.Composed, _ id: OutboxEntry.ID) throws {
        try upload.1.check()
        composed.mutation.upload = OutboxMutation.Upload(settings: upload.1, name: upload.0.name)
        let entry = entry(id, composed, core.now, expires: nil)
        let options = OutboxCall.options(entry, composed.mutation, core.rule, core.configure)
        guard try OutboxUpload(entry, composed.mutation, options)?.hasLedger(on: core.engine) == true else {
            throw TarmacError(
                .invalidOption, "a resumable upload in an outbox needs a transfer ledger to continue from, and its service has none",
                suggestion: "set transferLedger for the client or the service, such as .folder(path)")
        }
    }

    /// Returns the account that would send the entry now, with the settings of its attempts.
    private func account(_ entry: OutboxEntry, _ composed: OutboxComposer.Composed) async throws -> String? {
        let options = OutboxCall.options(entry, composed.mutation, core.rule, core.configure)
        return try await OutboxCall.account(entry, for: composed.request, in: composed.runtime, options)
    }

    /// Checks the entries of one batch, of which the store keeps the first of each key.
    private func checkAmongThemselves(_ records: [OutboxRecord]) throws {
        var firsts: [String: OutboxRecord] = [:]
        for record in records {
            if let first = firsts[record.fingerprint] { try core.check(first, record) } else { firsts[record.fingerprint] = record }
        }
    }

    var composer: OutboxComposer {
        OutboxComposer(
            engine: core.engine, intake: OutboxBodyStorage(rule: core.rule, folder: core.rule.maximumFileBytes > 0 ? core.folder : nil),
            keepsSecrets: core.coder.sealer != nil || !core.store.isDurable || core.rule.allowsUnsealedSecrets)
    }

    /// Converts the errors of a store to `TarmacError`.
    func reaching<Value>(_ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch let error as CancellationError { throw error } catch { throw OutboxCore.storeError(error) }
    }
}
