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
        var drafts: [Draft] = [], records: [OutboxRecord] = []
        do {
            for endpoint in endpoints {
                drafts.append(try await naming(endpoint) { try draft(endpoint, upload, lane, lifetime, options) })
            }
            // Copying the bodies takes time, in which someone else may log in.
            let accounts = try await naming(endpoints[0]) { try await self.accounts(drafts) }
            for (number, draft) in drafts.enumerated() {
                draft.composed.mutation.account = accounts[number]
                records.append(try await naming(endpoints[number]) { try await record(draft, upload, lifetime) })
            }
            try checkAmongThemselves(records)
        } catch {
            core.folder?.remove(Set(drafts.map(\.id)))
            throw error
        }
        return try await core.append(records, until: drafts.compactMap(\.composed.deadline).min().map { start + $0 })
    }

    private static func check(_ lane: String, _ lifetime: Duration?) throws(TarmacError) {
        if lane.isEmpty { throw TarmacError(.invalidOption, "the lane of an entry has an empty name") }
        guard let lifetime, !(lifetime > .zero && lifetime <= .century) else { return }
        throw TarmacError(.invalidOption, "the lifetime of an entry is \(lifetime.shown), and must be more than nothing and at most a century")
    }

    /// An entry whose body has not been copied yet.
    private struct Draft {
        let id: OutboxEntry.ID
        let composed: OutboxComposer.Composed
    }

    private func draft<E: Endpoint>(
        _ endpoint: E, _ upload: (UploadSource, UploadProtocol)?, _ lane: String, _ lifetime: Duration?, _ call: Options
    ) throws -> Draft {
        try Self.check(lane, lifetime)
        let draft = Draft(id: OutboxEntry.ID(rawValue: core.randomness.uuid()), composed: try composer.compose(endpoint, lane: lane, call))
        if let upload { try prepare(upload, draft.composed, draft.id) }
        return draft
    }

    private func record(_ draft: Draft, _ upload: (UploadSource, UploadProtocol)?, _ lifetime: Duration?) async throws -> OutboxRecord {
        let composed = draft.composed
        try await composer.complete(composed, with: try upload?.0.body() ?? composed.request.body, draft.id)
        let now = core.now
        let entry = entry(draft.id, composed, now, expires: (lifetime ?? core.rule.lifetime).map { now + $0 / .seconds(1) })
        return OutboxRecord(
            id: entry.id, lane: entry.lane, fingerprint: OutboxCoder.fingerprint(entry.lane, of: composed.mutation),
            payload: try core.coder.payload(of: composed.mutation, entry.id, in: entry.lane), isSealed: entry.isSealed, created: now,
            expires: entry.expires)
    }

    /// Adds the name of the endpoint to the errors of `body`.
    private func naming<E: Endpoint, Value>(_ endpoint: E, _ body: () async throws -> Value) async throws -> Value {
        do { return try await body() } catch {
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

    /// Returns the accounts of the entries of one batch, all under the same login.
    private func accounts(_ drafts: [Draft]) async throws -> [String?] {
        var accounts: [String?] = []
        for _ in 0..<5 {
            let before = accounts
            accounts = []
            for draft in drafts { accounts.append(try await account(draft)) }
            // Someone else may log in while they are read.
            if drafts.count == 1 || accounts == before { return accounts }
        }
        throw TarmacError(.tokenStoreFailed, "the login changes all the time", suggestion: "enqueue the calls again")
    }

    /// Returns the account that would send the entry now, with the settings of its attempts.
    private func account(_ draft: Draft) async throws -> String? {
        let composed = draft.composed, entry = entry(draft.id, composed, core.now, expires: nil)
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
