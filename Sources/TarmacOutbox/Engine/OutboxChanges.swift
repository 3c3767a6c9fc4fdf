@_spi(TarmacRooms) import TarmacCore

/// The changes of an outbox from now on: `for await change in outbox.changes`.
///
/// Each sequence has its own buffer. For a slow consumer it keeps the last 256 changes that are not final. It keeps
/// final changes (sent, buried, dropped) until they are read, up to 10,000; beyond that,
/// ``OutboxChange/Kind/missed(_:)`` reports the number of lost changes, and ``Outbox/entries(_:limit:)`` returns the
/// entries that remain. The sequence ends with the outbox, or when its task is cancelled.
public struct OutboxChanges: AsyncSequence, Sendable {
    public typealias Element = OutboxChange
    let queue: OutboxChangeQueue
    private let place: OutboxChangeRegistration

    init(_ queue: OutboxChangeQueue, observers: OutboxObservers, number: Int) {
        self.queue = queue
        place = OutboxChangeRegistration(observers: observers, number: number)
    }

    public func makeAsyncIterator() -> Iterator { Iterator(queue: queue, place: place) }

    /// An iterator. Two iterators of one sequence share its changes.
    public struct Iterator: AsyncIteratorProtocol {
        let queue: OutboxChangeQueue
        // Held for its deinit, which frees the place.
        fileprivate let place: OutboxChangeRegistration

        public mutating func next() async -> OutboxChange? { await queue.next() }
    }
}

/// Frees a consumer's place when no reader is left.
private final class OutboxChangeRegistration: Sendable {
    private let observers: OutboxObservers
    private let number: Int

    init(observers: OutboxObservers, number: Int) {
        self.observers = observers
        self.number = number
    }

    deinit { observers.leave(number) }
}

/// The consumers of changes, and the tasks that wait for the outcome of one entry.
final class OutboxObservers: Sendable {
    fileprivate struct State {
        var queues = SlotArray<OutboxChangeQueue>()
        var waiters: [OutboxEntry.ID: SlotArray<Settlement<OutboxOutcome?>>] = [:]
        /// The last outcomes, for a caller that asks after the entry has ended.
        var outcomes: [OutboxEntry.ID: OutboxOutcome] = [:]
        var order: [OutboxEntry.ID] = []
        /// The bytes of the bodies in them.
        var bodies = 0
        var isOver = false
    }
    private let state = Locked(State())
    private let gauge: OutboxGauge
    private static let remembered = 1_024, rememberedBytes = 16 << 20

    init(_ gauge: OutboxGauge) { self.gauge = gauge }

    // MARK: Changes

    func changes() -> OutboxChanges {
        let queue = OutboxChangeQueue(OutboxChangeQueue.Limits())
        let (number, isOver) = state.withLock { ($0.queues.enter(queue), $0.isOver) }
        if isOver { queue.end() }
        return OutboxChanges(queue, observers: self, number: number)
    }

    fileprivate func leave(_ number: Int) { _ = state.withLock { $0.queues.leave(number) } }

    func tell(_ kind: OutboxChange.Kind, _ id: OutboxEntry.ID? = nil, _ lane: OutboxLane? = nil) {
        let change = OutboxChange(id: id, lane: lane, kind: kind)
        let queues = state.withLock { $0.queues.all }
        for queue in queues { queue.add(change) }
        if !kind.isProgress { gauge.note() }
        guard let id else { return }
        if let outcome = kind.outcome { settle(id, outcome) } else if case .resent = kind { forget(id) }
    }

    // MARK: Outcomes

    /// Returns the outcome of an entry, now or when it is known; `nil` if the outbox ends or the task is cancelled
    /// first.
    func outcome(of id: OutboxEntry.ID) async -> OutboxOutcome? {
        let wait = Settlement<OutboxOutcome?>()
        let place = state.withLock { state -> Int? in
            if let outcome = state.outcomes[id] { wait.settle(.success(outcome)) } else if state.isOver { wait.settle(.success(nil)) }
            return wait.isSettled ? nil : state.waiters[id, default: SlotArray()].enter(wait)
        }
        defer { if let place { state.withLock { $0.leave(place, of: id) } } }
        return try? await wait.value()
    }

    /// The entries with waiting tasks.
    var awaited: [OutboxEntry.ID] { state.withLock { Array($0.waiters.keys) } }

    func known(_ id: OutboxEntry.ID) -> OutboxOutcome? { state.withLock { $0.outcomes[id] } }

    func settle(_ id: OutboxEntry.ID, _ outcome: OutboxOutcome) {
        let waiters = state.withLock { state in
            state.remember(outcome, of: id)
            if state.order.count > Self.remembered * 2 { state.forget(Self.remembered) }
            // The last one stays, and no body is that large.
            if state.bodies > Self.rememberedBytes { state.forget(state.order.count / 2) }
            return state.waiters[id]?.all ?? []
        }
        for waiter in waiters { waiter.settle(.success(outcome)) }
    }

    private func forget(_ id: OutboxEntry.ID) {
        state.withLock { state in
            guard let outcome = state.outcomes.removeValue(forKey: id) else { return }
            state.bodies -= outcome.bodyCount
            state.order.removeAll { $0 == id }
        }
    }

    /// Ends every sequence and every wait.
    func end() {
        let (queues, waiters) = state.withLock { state in
            state.isOver = true
            return (state.queues.all, state.waiters.values.flatMap(\.all))
        }
        for queue in queues { queue.end() }
        for waiter in waiters { waiter.settle(.success(nil)) }
    }
}

extension OutboxObservers.State {
    /// Removes a task that waits for an entry no more.
    fileprivate mutating func leave(_ place: Int, of id: OutboxEntry.ID) {
        _ = waiters[id]?.leave(place)
        if waiters[id]?.isEmpty == true { waiters[id] = nil }
    }

    fileprivate mutating func remember(_ outcome: OutboxOutcome, of id: OutboxEntry.ID) {
        let old = outcomes.updateValue(outcome, forKey: id)
        if old == nil { order.append(id) }
        bodies += outcome.bodyCount - (old?.bodyCount ?? 0)
    }

    /// Forgets the oldest outcomes.
    fileprivate mutating func forget(_ count: Int) {
        for old in order.prefix(count) { bodies -= outcomes.removeValue(forKey: old)?.bodyCount ?? 0 }
        order.removeFirst(count)
    }
}

extension OutboxOutcome {
    fileprivate var bodyCount: Int { if case .sent(let answer) = self { answer.body.count } else { 0 } }
}

extension OutboxChange.Kind {
    fileprivate var isProgress: Bool { if case .progress = self { true } else { false } }

    /// The outcome that the change means for a task that waits for the entry.
    fileprivate var outcome: OutboxOutcome? {
        switch self {
        case .sent(let answer): .sent(answer)
        case .buried(let failure): .buried(failure)
        case .dropped: .dropped
        default: nil
        }
    }
}
