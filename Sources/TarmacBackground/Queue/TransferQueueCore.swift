#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
@_spi(TarmacRooms) import TarmacCore
import TarmacHTTP
import TarmacSupport

/// The engine of a queue: keeps the records, starts and stops their transfers as ``TransferQueuePolicy`` decides.
///
/// An actor, because the files are written in the order of the changes, outside of any lock. None of its steps awaits anything.
actor TransferQueueCore {
    typealias Run = @Sendable (TransferQueueRecord, _ progress: @escaping @Sendable (TransferProgress) -> Void) async throws -> Void

    private struct Item {
        var record: TransferQueueRecord
        var pause = TransferQueuePause()
    }

    private struct Running {
        let task: Task<Void, Never>
        let number: Int
        var isStopping = false
    }

    private let folder: TransferQueueFolder
    private let policy: TransferQueuePolicy
    private let run: Run
    /// Removes what a transfer that was removed has left.
    nonisolated let discard: @Sendable (TransferQueueRecord) async -> Void
    /// Reports damaged records.
    private let report: @Sendable ([String]) -> Void
    /// Whether the transport itself waits for networks.
    private let transportWaits: @Sendable () -> Bool
    nonisolated let engine: Engine
    private let deadlines: DeadlineHeap
    nonisolated let signals: AsyncStream<Void>
    private nonisolated let signal: AsyncStream<Void>.Continuation
    private nonisolated let events = Locked(TransferQueueEvents())

    private var items: [ExactText: Item] = [:]
    private var running: [ExactText: Running] = [:]
    private var isPaused = false
    private var isLoaded = false
    /// Whether nothing starts any more: the queue was released, or its client was shut down.
    private var isOver = false
    private var loadFailures = 0
    private var lastNumber = -1
    private var wake: DeadlineTimer<TransferQueueWake>?
    private var observers: [Int: AsyncStream<[TransferQueueEntry]>.Continuation] = [:]
    private var lastObserver = 0

    static let mostEntries = 10_000

    init(
        folder: String, limit: Int, engine: Engine, transportWaits: @escaping @Sendable () -> Bool, run: @escaping Run,
        discard: @escaping @Sendable (TransferQueueRecord) async -> Void, report: @escaping @Sendable ([String]) -> Void
    ) {
        self.folder = TransferQueueFolder(folder)
        policy = TransferQueuePolicy(limit: limit)
        (self.engine, self.transportWaits, self.run, self.discard, self.report) = (engine, transportWaits, run, discard, report)
        deadlines = DeadlineHeap(time: engine.time)
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        signal.yield()
    }

    // MARK: Events

    /// Notes the conditions that hold from now on.
    nonisolated func note(_ holding: TransferConditions) {
        events.withLock { $0.note(holding) }
        signal.yield()
    }

    /// Notes that a user has logged in, or that the environment has changed.
    nonisolated func noteLogin() {
        events.withLock { $0.noteLogin() }
        signal.yield()
    }

    /// Lets the queue decide once more.
    private nonisolated func wakeUp() {
        events.withLock { $0.noteChange() }
        signal.yield()
    }

    private nonisolated func note(_ progress: TransferProgress, of id: String) {
        events.withLock { $0.progress[ExactText(id)] = progress }
        signal.yield()
    }

    /// Ends the queue: nothing starts any more, and the running transfers are cancelled. Their records stay.
    func stop() {
        end()
        signal.finish()
        deadlines.stop()
        for run in running.values { run.task.cancel() }
    }

    private func end() {
        isOver = true
        for observer in observers.values { observer.finish() }
        observers = [:]
    }

    /// Decides once more, after anything has changed.
    func turn() {
        if isOver { return }
        guard let (holding, ends) = events.withLock({ $0.take() }) else { return publish() }
        do { try load() } catch {
            loadFailures += 1
            return arm(engine.time.moment + Duration.seconds(1).doubled(loadFailures - 1, atMost: .seconds(60)))
        }
        let now = engine.time.moment
        var situation = TransferQueuePolicy.Situation(now: now)
        if !ends.isEmpty { for id in items.keys { items[id]?.pause.end(ends) } }
        (situation.holding, situation.isPaused, situation.transportWaits) = (holding, isPaused, transportWaits())
        let decision = policy.decide(candidates, situation)
        for id in decision.stop { stop(ExactText(id)) }
        for id in decision.start { start(ExactText(id)) }
        arm(decision.wake)
        publish()
    }

    private var candidates: [TransferQueuePolicy.Candidate] {
        items.map { id, item in
            let run = running[id]
            return .init(item.record, notBefore: item.pause.notBefore, isRunning: run != nil, isStopping: run?.isStopping ?? false)
        }
    }

    private func arm(_ moment: Moment?) {
        let old = wake
        wake = moment.map { deadlines.add(TransferQueueWake { [weak self] in self?.wakeUp() }, at: $0) }
        old?.stop()
    }

    private func load() throws(TarmacError) {
        if isLoaded { return }
        let (records, damaged, isPaused) = try folder.open()
        if !damaged.isEmpty { report(damaged) }
        for var record in try renumbered(records) {
            // It may have arrived.
            if record.state == .running { record.hasArrived = true }
            items[ExactText(record.id)] = Item(record: record)
        }
        lastNumber = items.values.map(\.record.number).max() ?? -1
        (self.isPaused, isLoaded) = (isPaused, true)
        // The app has asked for the entries before the next attempt to open the folder.
        if loadFailures > 0 { wakeUp() }
    }

    /// Returns the records with numbers that leave room for others. A damaged file may have the largest one.
    private func renumbered(_ records: [TransferQueueRecord]) throws(TarmacError) -> [TransferQueueRecord] {
        guard records.contains(where: { $0.number > TransferQueueRecord.largestNumber / 2 }) else { return records }
        var records = records.sorted { $0.number < $1.number }
        for place in records.indices {
            records[place].number = place
            try folder.save(records[place])
        }
        return records
    }

    // MARK: Transfers

    private func start(_ id: ExactText) {
        guard var item = items[id] else { return }
        if item.record.state != .running {
            item.record.state = .running
            // Without the note, the next launch would not continue it before others.
            do { try folder.save(item.record) } catch {
                noteFailure(of: id, error)
                // The pause after it has an end.
                return wakeUp()
            }
        }
        item.pause.begin()
        items[id] = item
        let record = item.record
        // LIFETIME: ends with its transfer, which `stop` cancels. It keeps the engine until the end is noted.
        let task = Task.detached { [run, discard] in
            let result: Result<Void, any Error>
            do {
                try await run(record) { self.note($0, of: record.id) }
                result = .success(())
            } catch { result = .failure(error) }
            // LIFETIME: a task of its own, because this one is cancelled. It ends with the read of the ledgers, which has a deadline.
            if await self.ended(record, result) { await Task { await discard(record) }.value }
        }
        running[id] = Running(task: task, number: record.number)
    }

    private func stop(_ id: ExactText) {
        running[id]?.isStopping = true
        running[id]?.task.cancel()
    }

    /// Returns whether the transfer was removed before its end.
    private func ended(_ record: TransferQueueRecord, _ result: Result<Void, any Error>) -> Bool {
        let id = ExactText(record.id), run = running.removeValue(forKey: id)
        events.withLock { $0.progress[id] = nil }
        defer { wakeUp() }
        // It may have been removed, and another added under its ID.
        guard let item = items[id], item.record.number == record.number else { return true }
        switch result {
        case .success:
            items[id] = nil
            // If that fails, the next launch transfers it again, under the same key.
            try? folder.remove(record.id)
        case .failure(let failure):
            let (error, step) = (failure as? TransferFailure).map { ($0.error, $0.step) } ?? (failure, .app)
            // The next launch continues what ran when the queue was released.
            if isOver { return false }
            if run?.isStopping == true, error is CancellationError {
                change(id) {
                    if $0.state == .running { $0.state = .waiting }
                    if step == .upload { $0.hasArrived = true }
                }
                return false
            }
            // A cancellation that the queue did not ask for may pass.
            noteFailure(of: id, error as? TarmacError ?? TarmacError(.storeFailed, "the transfer was cancelled", cause: error), step)
        }
        return false
    }

    private func noteFailure(of id: ExactText, _ failure: TarmacError, _ step: TransferFailurePolicy.Step = .app) {
        if failure.unmapped.code == .clientShutDown { return end() }
        let now = engine.time.date.timeIntervalSince1970
        let asked = failure.response.flatMap { RetryAfter.duration($0.headers, now: now) }
        guard var item = items[id] else { return }
        item.pause.count(failure.unmapped)
        let decision = TransferFailurePolicy.decide(
            failure.unmapped, of: step, failures: item.pause.failures, conflicts: item.pause.conflicts, hasArrived: item.record.hasArrived,
            retryAfter: asked, chance: engine.randomness.fraction())
        let mayHaveArrived = step == .upload && failure.unmapped.reach == .mayHaveActed
        switch decision {
        case .again(let pause):
            item.pause.isAsked = asked != nil
            item.pause.notBefore = engine.time.moment + pause
            items[id]?.pause = item.pause
            change(id) {
                if $0.state == .running { $0.state = .waiting }
                if mayHaveArrived { $0.hasArrived = true }
            }
        case .fail:
            change(id) {
                if mayHaveArrived { $0.hasArrived = true }
                // Whoever paused it meanwhile gets to see why it will not go on.
                $0.state = .failed
                $0.failure = "\(failure)"
            }
        }
    }

    /// Changes a record. If its file cannot be written, the next launch finds the old one.
    private func change(_ id: ExactText, _ body: (inout TransferQueueRecord) -> Void) {
        guard var record = items[id]?.record else { return }
        body(&record)
        if record == items[id]?.record { return }
        items[id]?.record = record
        try? folder.save(record)
    }

    // MARK: The app

    func add(
        _ content: String, id: String, owner: TransferQueueOwner, priority: CallPriority, conditions: TransferConditions
    ) throws(TarmacError) {
        try load()
        defer { wakeUp() }
        let place = ExactText(id)
        if var item = items[place] {
            if item.record.owner?.isOther(than: owner) == true {
                throw TarmacError(
                    .invalidParameter, "the queue has a transfer \"\(id)\" of another login or environment",
                    suggestion: "use an ID that names the user, or remove the transfer first")
            }
            (item.record.priority, item.record.conditions) = (priority, conditions)
            if item.record.state == .failed { (item.record.state, item.record.failure, item.pause) = (.waiting, nil, TransferQueuePause()) }
            try folder.save(item.record)
            items[place] = item
            return
        }
        guard items.count < Self.mostEntries, lastNumber < TransferQueueRecord.largestNumber else {
            throw TarmacError(.invalidParameter, "a transfer queue holds at most \(Self.mostEntries) transfers")
        }
        let record = TransferQueueRecord(
            id: id, number: lastNumber + 1, key: engine.randomness.uuid(), content: content, owner: owner, priority: priority, conditions: conditions)
        try folder.save(record)
        lastNumber += 1
        items[place] = Item(record: record)
    }

    /// Returns the record of a transfer that did not run. The files of one that runs are removed after its end.
    func remove(_ id: String) throws(TarmacError) -> TransferQueueRecord? {
        try load()
        try folder.remove(id)
        defer { wakeUp() }
        let place = ExactText(id), item = items.removeValue(forKey: place)
        stop(place)
        return running[place] == nil ? item?.record : nil
    }

    func pause(_ id: String?) throws(TarmacError) {
        try load()
        defer { wakeUp() }
        guard let id = id.map({ ExactText($0) }) else {
            try folder.setPaused(true)
            isPaused = true
            return
        }
        guard var record = items[id]?.record, record.state != .failed else { return }
        // The process may end before the transfer has.
        if record.state == .running { record.hasArrived = true }
        record.state = .paused
        try folder.save(record)
        items[id]?.record = record
    }

    func resume(_ id: String?) throws(TarmacError) {
        try load()
        defer { wakeUp() }
        guard let id = id.map({ ExactText($0) }) else {
            try folder.setPaused(false)
            isPaused = false
            return
        }
        guard var item = items[id], item.record.state != .running else { return }
        (item.record.state, item.record.failure) = (.waiting, nil)
        try folder.save(item.record)
        item.pause = TransferQueuePause()
        items[id] = item
    }

    // MARK: Observing

    func entries() throws(TarmacError) -> [TransferQueueEntry] {
        try load()
        return snapshot
    }

    private var snapshot: [TransferQueueEntry] {
        let progress = events.withLock { $0.progress }
        return items.values.map(\.record).sorted(by: TransferQueuePolicy.precedes).map { record in
            TransferQueueEntry(record, progress: running[ExactText(record.id)] == nil ? nil : progress[ExactText(record.id)] ?? TransferProgress())
        }
    }

    func observe(_ observer: AsyncStream<[TransferQueueEntry]>.Continuation) {
        if isOver { return observer.finish() }
        lastObserver += 1
        let number = lastObserver
        observers[number] = observer
        // LIFETIME: ends at once.
        observer.onTermination = { [weak self] _ in Task { await self?.forget(number) } }
        if isLoaded { observer.yield(snapshot) }
    }

    private func forget(_ number: Int) { observers[number] = nil }

    private func publish() {
        if observers.isEmpty { return }
        let snapshot = snapshot
        for observer in observers.values { observer.yield(snapshot) }
    }
}
