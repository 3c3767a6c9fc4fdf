#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// The engine of an outbox: one loop that passes the first entries of lanes to workers.
final class OutboxCore: Sendable {
    let engine: Engine
    let store: any OutboxStore
    let rule: OutboxRule
    let coder: OutboxCoder
    /// The folder for large bodies; `nil` if the store has none.
    let folder: OutboxFolder?
    let observers: OutboxObservers
    let gauge: OutboxGauge
    let configure: OutboxConfiguration?
    /// The name of this outbox in leases.
    let owner: String
    let randomness: Randomness
    private let deadlines: DeadlineHeap
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let state = Locked(State())
    let hands = Locked(OutboxHands())
    /// The results that the store did not accept when they occurred.
    let overdue = Locked<[AttemptReport]>([])
    let workers = ReapedTasks()
    /// The batches of new entries that the store has not answered yet.
    let questions = OpenQuestions(limit: storeLimit)

    private struct State {
        var loop: Task<Void, Never>?
        /// Observe whether there is a network, and logins.
        var watches: [Task<Void, Never>] = []
        var isPaused = false
        var isStopping = false
        /// Whether more lanes are due than there are workers.
        var othersWait = false
        /// How often pauses were ended, and how often of that all entries were looked at. One more may come while the store is asked.
        var endedPauses = 0, servedPauses = 0
        /// The number of times that the network has returned.
        var returns = 0
        var wake: DeadlineEntry?
        var lastRenewal = Date.distantPast
        var lastCheck = Date.distantPast
        var storeFailures = 0
        var idle = Waiters()
        /// Counts events that may make entries due. The outbox is idle if a check of the store finds none since the
        /// last event.
        var news = 0
    }

    init(engine: Engine, store: any OutboxStore, rule: OutboxRule, sealer: (any Sealer)?, configure: OutboxConfiguration?) {
        self.engine = engine
        self.store = store
        self.rule = rule
        self.configure = configure
        coder = OutboxCoder(sealer: sealer)
        folder = OutboxFolder(store, coder)
        randomness = engine.randomness
        owner = engine.randomness.uuid()
        deadlines = DeadlineHeap(time: engine.time)
        gauge = OutboxGauge(store, engine.scope, deadlines)
        observers = OutboxObservers(gauge)
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var now: Date { engine.time.date }

    /// Returns the runtime of a lane's service, or `nil` if the client has none.
    func runtime(of lane: OutboxLane) -> ServiceRuntime? { try? engine.runtime(Service(lane.service, hosts: [:])) }

    // MARK: Life

    func start() {
        let signals = signals, logins = engine.scope.state(LoginWatch.self).changes()
        state.withLock { state in
            guard state.loop == nil, !state.isStopping else { return }
            // LIFETIME: ends with `stop()`, which the owner's end calls too, after the workers it has started.
            state.loop = Task.detached { [self] in
                await self.sweepFiles()
                await withTaskGroup(of: Void.self) { group in
                    for await _ in signals {
                        await self.workers.reap(&group)
                        await self.look(&group)
                    }
                }
                await self.close()
            }
            state.watches = [
                // LIFETIME: ends with the monitor's stream, or is cancelled with the loop.
                Task.detached { [weak self, monitor = engine.connectivity] in
                    var last: Connectivity?
                    for await next in monitor.states() {
                        // The first state is the current one, and no change.
                        if next == .connected, last != nil, last != .connected { self?.networkReturned() }
                        last = next
                    }
                },
                // LIFETIME: ends with the client, or is cancelled with the loop. An attempt under way keeps its pause: it may itself log in.
                Task.detached { [weak self, time = engine.time] in
                    var pace = LoginPace()
                    for await _ in logins {
                        if let moment = pace.delay(at: time.moment), (try? await time.sleep(until: moment)) == nil { return }
                        self?.wake(ignoringPauses: true)
                    }
                },
            ]
        }
        wake()
    }

    /// Starts nothing new. Requests in progress continue unless they are cancelled.
    func stop(cancelling: Bool) {
        let loop = state.withLock { state in
            state.isStopping = true
            return state.loop
        }
        signal.finish()
        if cancelling { loop?.cancel() }
        if loop == nil {
            gauge.stop()
            deadlines.stop()
            observers.end()
            state.withLock { $0.idle.takeAll() }.resume()
        }
    }

    /// Stops because the client can send nothing more.
    func clientEnded() {
        let isFirst = state.withLock { !$0.isStopping }
        if isFirst { observers.tell(.stopped) }
        stop(cancelling: false)
    }

    /// Returns when nothing of the outbox runs any more.
    func ended() async { await state.withLock { $0.loop }?.value }

    private func close() async {
        for watch in state.withLock({ $0.watches }) { watch.cancel() }
        gauge.stop()
        deadlines.stop()
        await settleOverdue()
        try? await store.release(owner: owner)
        observers.end()
        state.withLock { $0.idle.takeAll() }.resume()
    }

    func setPaused(_ isPaused: Bool) {
        state.withLock { $0.isPaused = isPaused }
        wake()
    }

    // MARK: Waking

    /// The network has returned: pauses before this are over. Entries whose attempts are under way are tried once more if these fail.
    func networkReturned() {
        state.withLock { $0.returns += 1 }
        wake(ignoringPauses: true)
    }

    var returns: Int { state.withLock { $0.returns } }

    /// Checks the store again.
    func wake(ignoringPauses: Bool = false) {
        state.withLock { state in
            state.news += 1
            if ignoringPauses { state.endedPauses += 1 }
        }
        signal.yield()
    }

    /// Waits until a check of the store finds nothing to send, now or later, and no request is in progress.
    func idle() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if !state.isStopping { state.idle.add(continuation) }
                return state.isStopping
            }
            if isOver { continuation.resume() } else { wake() }
        }
    }

    private func arm(at date: Date) {
        // A pause longer than the interval of checks need not be exact.
        let latest = engine.time.moment + rule.checkInterval
        let wake = deadlines.add(OutboxWake(signal: signal), at: min(engine.time.moment(of: date), latest))
        let old = state.withLock { state in
            defer { state.wake = wake }
            return state.wake
        }
        old?.stop()
    }

    // MARK: Looking

    private func look(_ group: inout TaskGroup<Void>) async {
        // The age of entries grows without a change, and another process may change the store.
        gauge.note()
        let (free, isHalted, news, ended, served) = state.withLock { state in
            (rule.lanesAtOnce - workers.kept, state.isPaused || state.isStopping, state.news, state.endedPauses, state.servedPauses)
        }
        do {
            try await renew()
            await settleOverdue()
            try await checkAwaited()
            guard !isHalted, !isOverdueFull else { return arm(at: nextSettling ?? .distantFuture) }
            let held = held
            let leased = free > 0 ? try await store.lease(lease(count: free, ignoringPauses: ended != served)) : OutboxLeased(hasMore: true)
            take(leased, heldBefore: held, &group)
            noteLook(leased, news: news, served: leased.records.count < free ? ended : served)
        } catch { noteFailure(error) }
    }

    func lease(count: Int, lane: OutboxLane? = nil, ignoringPauses: Bool = false) -> OutboxLease {
        let now = now
        var lease = OutboxLease(
            owner: owner, environment: engine.environment.name, lane: lane, now: now, until: now + rule.lease / .seconds(1), count: count,
            ignoresPauses: ignoringPauses, longestPause: rule.maximumDelay + rule.maximumRetryAfter)
        lease.longestDelay = rule.maximumDelay
        return lease
    }

    private func take(_ leased: OutboxLeased, heldBefore held: Set<OutboxEntry.ID>, _ group: inout TaskGroup<Void>) {
        state.withLock { if !leased.records.isEmpty, workers.kept == 0 { $0.lastRenewal = now } }
        for record in takeUp(leased.records, heldBefore: held) {
            workers.add(to: &group, work: { await OutboxWorker(core: self).serve(record) }, ended: { self.wake() })
        }
    }

    private func noteLook(_ leased: OutboxLeased, news: Int, served: Int) {
        let overdue = nextSettling
        let (next, idle) = state.withLock { state -> (Date?, Waiters) in
            state.othersWait = leased.hasMore
            state.storeFailures = 0
            state.servedPauses = served
            // The leases of entries in progress are renewed in time.
            let renewal = workers.kept > 0 ? state.lastRenewal + rule.lease / .seconds(3) : nil
            let next = [leased.nextWake, renewal, overdue].compactMap { $0 }.min()
            guard workers.kept == 0, next == nil, state.news == news else { return (next, Waiters()) }
            return (nil, state.idle.takeAll())
        }
        arm(at: next ?? .distantFuture)
        idle.resume()
    }

    /// Tries again after a pause that doubles up to a minute.
    private func noteFailure(_ error: any Error) {
        let failures = state.withLock { state in
            state.storeFailures += 1
            return state.storeFailures
        }
        observers.tell(.storeFailed(Self.storeError(error)))
        arm(at: now + Duration.seconds(1).doubled(failures - 1, atMost: .seconds(60)) / .seconds(1))
    }

    /// Renews the leases of workers, and of results that are still to be stored.
    private func renew() async throws {
        let now = now
        let isHeld = hasOverdue
        let isDue = state.withLock { state in
            guard workers.kept > 0 || isHeld, Self.isOver(rule.lease / 3, since: state.lastRenewal, now) else { return false }
            state.lastRenewal = now
            return true
        }
        if isDue { try await store.renew(owner: owner, until: now + rule.lease / .seconds(1)) }
    }

    /// An awaited entry may have been sent by another process.
    private func checkAwaited() async throws {
        let now = now
        let isDue = state.withLock { state in
            guard Self.isOver(rule.checkInterval, since: state.lastCheck, now) else { return false }
            state.lastCheck = now
            return true
        }
        if isDue { try await settleMissing(observers.awaited) }
    }

    /// Whether a span has passed since a date, which is also so for a clock that has been set back behind it.
    private static func isOver(_ span: Duration, since date: Date, _ now: Date) -> Bool { date > now || date + span / .seconds(1) <= now }

    /// Reports awaited entries that no longer exist.
    func settleMissing(_ ids: [OutboxEntry.ID]) async throws {
        let asked = Set(ids).subtracting(held)
        if asked.isEmpty { return }
        let there = Set(try await store.records(OutboxFilter(ids: asked), limit: asked.count).map(\.id))
        for id in asked.subtracting(there) where observers.known(id) == nil { observers.settle(id, .settledElsewhere) }
    }

    // MARK: For workers

    /// Whether a worker continues with its lane after this number of entries.
    func goesOn(after count: Int) -> Bool {
        state.withLock { !$0.isPaused && !$0.isStopping && !($0.othersWait && count >= 16) }
    }

    /// Pauses; returns `false` if the pause was cancelled.
    func pause(for duration: Duration) async -> Bool {
        do { try await engine.time.sleep(until: engine.time.moment + duration) } catch { return false }
        return true
    }

    static func storeError(_ error: any Error) -> TarmacError {
        error as? TarmacError ?? TarmacError(.storeFailed, "the outbox's store threw \(type(of: error))", cause: error)
    }
}

/// A deadline that wakes an outbox.
private struct OutboxWake: DeadlineWatch {
    let signal: AsyncStream<Void>.Continuation

    func expire(_ now: Moment) -> Moment? {
        signal.yield()
        return nil
    }
}
