#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacCore
import TarmacSupport
import TarmacTransfer

/// Sends the entries of one lane, one after another, until none is due.
struct OutboxWorker {
    let core: OutboxCore

    func serve(_ first: OutboxRecord) async {
        var record = first
        var count = 0
        while true {
            count += 1
            let returns = core.returns
            let report = core.current(await attempt(record))
            guard let next = await next(after: report, goesOn: goesOn(report, count), since: returns) else { return }
            record = next
        }
    }

    /// Stores the result, puts the entry down, and returns the next entry of the lane to be sent.
    ///
    /// - Parameters:
    ///   - returns: the number of returns of the network before the attempt. One since then ends the pause of the lane.
    ///   - untold: the result of an earlier step that is still to be reported.
    private func next(after report: AttemptReport, goesOn: Bool, since returns: Int, untold: AttemptReport? = nil) async -> OutboxRecord? {
        let seen = core.returns
        let lease = goesOn ? core.lease(count: 1, lane: report.lane, ignoringPauses: seen != returns) : nil
        let held = core.held.subtracting([report.id])
        guard let (isOurs, leased) = await settle(report, lease) else {
            core.tell(untold)
            core.keep(report)
            return nil
        }
        if isOurs { await core.clean(report) }
        let news = untold ?? (isOurs ? report : nil)
        if !core.putDown(report.id, telling: news) {
            // The loop has leased it, and has left it to this worker. Release and lease are one transaction, or a busy loop would lease it again.
            let release = AttemptReport(releasing: report)
            if leased.records.isEmpty { return await next(after: release, goesOn: core.goesOn(after: 0), since: seen, untold: news) }
            core.tell(news)
            core.release(release)
        }
        let next = core.takeUp(leased.records, heldBefore: held).first
        // The loop may have looked before the result was stored.
        if next == nil, core.returns != seen { core.wake(ignoringPauses: true) }
        return next
    }

    /// Whether to continue. A lane whose first entry was not sent has nothing more to send now, or the next check
    /// passes it.
    private func goesOn(_ report: AttemptReport, _ count: Int) -> Bool {
        if report.kind == nil { return false }
        return core.goesOn(after: count)
    }

    // MARK: One attempt

    private func attempt(_ record: OutboxRecord) async -> AttemptReport {
        let now = core.now
        if policy(nil).isExpired(record.expires, now: now) {
            return bury(record, OutboxFailure(.expired, reason: "it was not sent before its expiry", at: now), holdsLane: false)
        }
        let mutation: OutboxMutation
        do { mutation = try core.coder.mutation(in: record) } catch {
            return bury(record, OutboxFailure(.unreadable, OutboxCore.storeError(error), at: now))
        }
        if let file = mutation.file, let fault = core.fault(of: record, file) { return bury(record, OutboxFailure(.unreadable, fault, at: now)) }
        core.observers.tell(.sending(attempt: record.attempts + 1), record.id, record.lane)
        return await send(record, mutation)
    }

    private func send(_ record: OutboxRecord, _ mutation: OutboxMutation) async -> AttemptReport {
        let entry = core.entry(record)
        var options = OutboxCall.options(entry, mutation, core.rule, core.configure)
        let wasUnanswered = core.coder.isUnanswered(record), lastConflicts = max(core.coder.failure(in: record)?.conflicts ?? 0, 0)
        if mutation.method == .delete, wasUnanswered {
            // An earlier attempt, whose answer was lost, has deleted it.
            let known = options.acceptableStatus ?? core.runtime(of: record.lane)?.options.values.acceptableStatus ?? .success
            options.acceptableStatus = known.adding(404, 410)
        }
        let upload = OutboxUpload(entry, mutation, options)
        var answer: Response?
        var failure: TarmacError?
        do {
            answer = try await reply(entry, mutation, record, options, upload)
        } catch let error as TarmacError { failure = error } catch { return cancelled(record) }
        let now = core.now
        // The mapped error of the app is for readers; the decision uses the original.
        let fault = failure?.unmapped
        let retryAfter = fault?.response.flatMap { RetryAfter.duration($0.headers, now: now.timeIntervalSince1970) }
        let conflicts = lastConflicts.addingClamped(fault?.rejectedStatus == 409 ? 1 : 0)
        let situation = OutboxPolicy.Situation(
            attempts: record.attempts + 1, arrivals: record.arrivals, isUnanswered: wasUnanswered, conflicts: conflicts, failure: fault,
            retryAfter: retryAfter, now: now, expires: record.expires, chance: core.randomness.fraction())
        let policy = policy(record.lane), decision = policy.decide(situation)
        guard let failure else { return AttemptReport(record, .sent, kind: answer.map { .sent($0.snapshot) }, upload: upload) }
        return report(decision, record, failure, isUnanswered: wasUnanswered || policy.losesAnswer(failure.unmapped), conflicts)
    }

    private func reply(
        _ entry: OutboxEntry, _ mutation: OutboxMutation, _ record: OutboxRecord, _ options: Options, _ upload: OutboxUpload?
    ) async throws -> Response {
        // The progress of a body in an entry, which is small, is not worth a change.
        let progress = mutation.file == nil && upload == nil ? nil : OutboxProgress(core.observers, record)
        defer { progress?.end() }
        let tell = progress.map { progress in { @Sendable (now: TransferProgress) in progress.tell(now) } }
        guard let upload, let content = mutation.upload else {
            return try await OutboxCall.send(entry, mutation, on: core.engine, options, progress: tell) { try body(of: mutation, record) }
        }
        return try await OutboxCall.upload(entry, mutation, by: content.settings, row: upload.row, on: core.engine, options, progress: tell) {
            try core.source(of: record, mutation, content)
        }
    }

    private func body(of mutation: OutboxMutation, _ record: OutboxRecord) throws -> Body {
        if let file = mutation.file { return try core.body(of: record, file, contentType: mutation.contentType) }
        return mutation.body.isEmpty && mutation.contentType == nil ? .none : .bytes(mutation.body, contentType: mutation.contentType)
    }

    /// Returns the report of an attempt that the end of the outbox or of the client has cancelled: the request may have arrived.
    private func cancelled(_ record: OutboxRecord) -> AttemptReport {
        var failure = core.coder.failure(in: record)
        failure?.unanswered = OutboxCoder.digest(of: record)
        let bytes = failure.flatMap { try? core.coder.bytes(of: $0, in: record) }
        return AttemptReport(
            record,
            .postponed(
                OutboxSettlement.Postponement(
                    until: record.nextAttempt, notBefore: record.notBefore, attempts: record.attempts, arrivals: max(record.arrivals, 1), failure: bytes)))
    }

    private func report(
        _ decision: OutboxPolicy.Decision, _ record: OutboxRecord, _ failure: TarmacError, isUnanswered: Bool, _ conflicts: Int
    ) -> AttemptReport {
        switch decision {
        case .sent: return AttemptReport(record, .sent)
        case .release:
            guard failure.unmapped.code == .clientShutDown else { return AttemptReport(record, .released) }
            core.clientEnded()
            return cancelled(record)
        case .postpone(let until, let notBefore, let arrivals):
            var passing = OutboxFailure(.passing, failure, at: core.now)
            passing.unanswered = isUnanswered ? OutboxCoder.digest(of: record) : nil
            if conflicts > 0 { passing.conflicts = conflicts }
            let bytes = try? core.coder.bytes(of: passing, in: record)
            let postponement = OutboxSettlement.Postponement(
                until: until, notBefore: notBefore, attempts: record.attempts + 1, arrivals: arrivals, failure: bytes)
            return AttemptReport(record, .postponed(postponement), kind: .postponed(until: until, because: failure))
        case .bury(let kind, let arrivals):
            // Later entries of the lane may belong to the account that is logged in now.
            let holdsLane = kind == .otherLogin ? false : nil
            return bury(
                record, OutboxFailure(kind, failure, at: core.now), holdsLane: holdsLane, arrivals: arrivals, attempts: record.attempts + 1,
                isUnanswered: isUnanswered)
        }
    }

    private func bury(
        _ record: OutboxRecord, _ failure: OutboxFailure, holdsLane: Bool? = nil, arrivals: Int? = nil, attempts: Int? = nil,
        isUnanswered: Bool? = nil
    ) -> AttemptReport {
        var stored = storable(failure, record)
        stored.unanswered = isUnanswered ?? core.coder.isUnanswered(record) ? OutboxCoder.digest(of: record) : nil
        let bytes = (try? core.coder.bytes(of: stored, in: record)) ?? .empty
        let burial = OutboxSettlement.Burial(
            holdsLane: holdsLane ?? (core.rule.deadLetters == .holdLane), attempts: attempts ?? record.attempts, arrivals: arrivals ?? record.arrivals,
            failure: bytes)
        return AttemptReport(record, .buried(burial), kind: .buried(failure))
    }

    /// Returns the failure without a body that must not be in an unsealed file.
    private func storable(_ failure: OutboxFailure, _ record: OutboxRecord) -> OutboxFailure {
        if record.isSealed || !core.store.isDurable || core.rule.allowsUnsealedSecrets { return failure }
        let redactor = core.runtime(of: record.lane)?.options.redactor ?? .standard
        var failure = failure
        if let body = failure.response?.body, redactor.json(body)?.contains(Redactor.mask) == true { failure.response = nil }
        return failure
    }

    /// Returns the policy, with the retryable codes of the service's envelope.
    private func policy(_ lane: OutboxLane?) -> OutboxPolicy {
        let runtime = lane.flatMap(core.runtime)
        return OutboxPolicy(rule: core.rule, retryableCodes: runtime?.options.values.envelope.retryable ?? [])
    }

    // MARK: Writing it down

    /// Stores the result; returns `nil` if the store cannot be written.
    private func settle(_ report: AttemptReport, _ lease: OutboxLease?) async -> (isOwners: Bool, OutboxLeased)? {
        for attempt in 1...3 {
            do { return try await core.store.settle(report.id, as: report.settlement, owner: core.owner, then: lease) } catch {
                core.observers.tell(.storeFailed(OutboxCore.storeError(error)), report.id, report.lane)
                guard attempt < 3, await core.pause(for: .seconds(attempt)) else { return nil }
            }
        }
        return nil
    }
}
