#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// A store that can count its entries without reading them.
package protocol CountedOutboxStore: OutboxStore {
    func tally(at now: Date) async throws -> OutboxTally
}

/// The entries of a store by their states.
package struct OutboxTally: Sendable, Equatable {
    /// The entries that are not dead letters.
    package var open: Int
    /// Those among them with a lease that has not ended.
    package var leased: Int
    package var dead: Int
    /// When the oldest entry was stored that is not a dead letter.
    package var oldest: Date?

    package init(open: Int, leased: Int, dead: Int, oldest: Date?) {
        (self.open, self.leased, self.dead, self.oldest) = (open, leased, dead, oldest)
    }

    func count(at now: Date) -> OutboxCount {
        // A clock that was set back makes no entry younger than new.
        let age = oldest.map { max(0, now.timeIntervalSince($0)) } ?? 0
        return OutboxCount(waiting: max(0, open - leased), inFlight: leased, dead: dead, oldestAge: Duration.seconds(age).withinACentury)
    }
}

/// Tells the metrics of the client how many entries the store has, soon after each change.
final class OutboxGauge: Sendable {
    private struct State {
        var plan = OutboxGaugePlan()
        /// The observer that has heard of this outbox.
        var told: (any OutboxObserver)?
    }
    private let store: (any CountedOutboxStore)?
    private let scope: ClientScope
    private let deadlines: DeadlineHeap
    private let state = Locked(State())

    init(_ store: any OutboxStore, _ scope: ClientScope, _ deadlines: DeadlineHeap) {
        self.store = store as? any CountedOutboxStore
        (self.scope, self.deadlines) = (scope, deadlines)
    }

    /// Notes that entries may have changed.
    func note() {
        guard store != nil, scope.outboxObserver != nil || state.withLock({ $0.told != nil }) else { return }
        let now = scope.time.moment
        perform(state.withLock { $0.plan.note(at: now) })
    }

    /// Ends the metrics of this outbox.
    func stop() { perform(state.withLock { $0.plan.stop() }) }

    fileprivate func wake() { perform(state.withLock { $0.plan.wake() }) }

    private func perform(_ action: OutboxGaugePlan.Action?) {
        switch action {
        case nil: break
        case .count:
            // LIFETIME: ends with the store's answer. No task can end the work of a store that hangs, and no other count begins meanwhile.
            Task.detached { [self] in await count() }
        case .wait(let moment): _ = deadlines.add(OutboxGaugeWake(gauge: self), at: moment)
        case .end: tell(nil)
        }
    }

    private func count() async {
        let now = scope.time.date
        // The last count stays if the store fails. The change of the outbox says so.
        if let tally = try? await store?.tally(at: now) { tell(tally.count(at: now)) }
        let moment = scope.time.moment
        perform(state.withLock { $0.plan.noteCounted(at: moment) })
    }

    private func tell(_ count: OutboxCount?) {
        let observer = count == nil ? nil : scope.outboxObserver
        let before = state.withLock { state in
            defer { state.told = observer }
            return state.told
        }
        // Another telemetry may have been set since.
        if before !== observer { before?.outbox(ObjectIdentifier(self), has: nil) }
        observer?.outbox(ObjectIdentifier(self), has: count)
    }
}

/// Wakes a gauge after the pause between two counts.
private struct OutboxGaugeWake: DeadlineWatch {
    weak let gauge: OutboxGauge?

    func expire(_ now: Moment) -> Moment? {
        gauge?.wake()
        return nil
    }
}

/// Decides when the entries are counted (pure): at the first change at once, and then at most once in each pause. One count is in
/// progress at a time.
struct OutboxGaugePlan {
    enum Action: Equatable {
        case count
        case wait(until: Moment)
        /// The outbox has ended.
        case end
    }
    private enum Phase { case resting, waiting, counting, over }

    static let pause = Duration.seconds(1)

    private var phase = Phase.resting
    /// The end of the pause after the last count.
    private var next: Moment?
    /// Whether something has changed, or the outbox has ended, since the count in progress began.
    private var isDirty = false, isEnding = false

    /// Notes a change.
    mutating func note(at now: Moment) -> Action? {
        switch phase {
        case .waiting, .over: return nil
        case .counting:
            isDirty = true
            return nil
        case .resting:
            if let next, now < next {
                phase = .waiting
                return .wait(until: next)
            }
            phase = .counting
            return .count
        }
    }

    /// Notes the end of the pause.
    mutating func wake() -> Action? {
        guard phase == .waiting else { return nil }
        phase = .counting
        return .count
    }

    mutating func noteCounted(at now: Moment) -> Action? {
        if isEnding {
            phase = .over
            return .end
        }
        let end = now + Self.pause
        (phase, next) = (isDirty ? .waiting : .resting, end)
        defer { isDirty = false }
        return isDirty ? .wait(until: end) : nil
    }

    mutating func stop() -> Action? {
        switch phase {
        case .over: return nil
        case .counting:
            isEnding = true
            return nil
        case .resting, .waiting:
            phase = .over
            return .end
        }
    }
}
