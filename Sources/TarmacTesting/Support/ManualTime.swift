#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
@_spi(TarmacRooms) public import TarmacCore

/// Time that a test controls.
///
/// ```swift
/// let time = ManualTime()
/// let call = Task { try await client.send(endpoint) }
/// try await time.hasSleepers()
/// time.advance(by: .seconds(61))
/// ```
public final class ManualTime: TimeSource {
    private struct Sleeper {
        let id: Int
        let deadline: ContinuousClock.Instant
        let continuation: CheckedContinuation<Void, any Error>
    }
    private struct State {
        var now: ContinuousClock.Instant
        var date: Date
        var sleepers: [Sleeper] = []
        var nextID = 0
    }
    private let state: Locked<State>
    private let sleeping = Watched(0)

    /// - Parameter date: The date at the start. Default: 2001-01-01 00:00 UTC.
    public init(date: Date = Date(timeIntervalSinceReferenceDate: 0)) {
        state = Locked(State(now: .now, date: date))
    }

    public var now: ContinuousClock.Instant { state.withLock { $0.now } }
    public var date: Date { state.withLock { $0.date } }

    /// Moves both clocks forward and wakes the sleepers that are due, with the earliest deadline first.
    ///
    /// A sleeper that sleeps again during the step is woken by the next step.
    public func advance(by duration: Duration) {
        let due = state.withLock { state -> [Sleeper] in
            state.now += duration
            state.date += duration / .seconds(1)
            let now = state.now
            let due = state.sleepers.filter { $0.deadline <= now }
            state.sleepers.removeAll { $0.deadline <= now }
            return due.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
        }
        publish()
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Changes only the date, as a user or a time server does.
    public func setDate(_ date: Date) {
        state.withLock { $0.date = date }
    }

    /// Waits until at least `count` tasks sleep; throws `CancellationError` when cancelled.
    public func hasSleepers(count: Int = 1) async throws {
        try await sleeping.wait { $0 >= count }
    }

    /// The number of sleeping tasks.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }

    /// The time until the first sleeper is due; `nil` if no task sleeps.
    public var nextDeadline: Duration? {
        state.withLock { state in
            let now = state.now
            return state.sleepers.map(\.deadline).min().map { now.duration(to: $0) }
        }
    }

    public func sleep(until instant: ContinuousClock.Instant) async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Sleeper(id: id, deadline: instant, continuation: continuation))
            }
        } onCancel: {
            remove(id)?.continuation.resume(throwing: CancellationError())
        }
    }

    private func add(_ sleeper: Sleeper) {
        let outcome = state.withLock { state -> Result<Void, any Error>? in
            if Task.isCancelled { return .failure(CancellationError()) }
            if sleeper.deadline <= state.now { return .success(()) }
            state.sleepers.append(sleeper)
            return nil
        }
        publish()
        if let outcome { sleeper.continuation.resume(with: outcome) }
    }

    private func remove(_ id: Int) -> Sleeper? {
        let sleeper = state.withLock { state -> Sleeper? in
            guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else { return nil }
            return state.sleepers.remove(at: index)
        }
        publish()
        return sleeper
    }

    private func publish() {
        // Read inside the update, so that the last of several writers publishes the latest count.
        sleeping.update { $0 = self.sleepers }
    }
}
