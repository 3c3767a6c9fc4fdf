@_spi(TarmacRooms) import TarmacHTTP

/// The slots of one service. They limit the requests that are with the transport at the same time. Other calls wait
/// here, where a call costs little. A call that is cancelled or times out while it waits is never sent.
package final class Dispatcher: Sendable {
    private let state: Locked<State>

    fileprivate struct State {
        var queue: SlotQueue<DispatchTicket>
        var isClosed = false
    }

    init(limit: Int) { state = Locked(State(queue: SlotQueue(limit: limit))) }

    /// The number of waiting calls.
    var waiting: Int { state.withLock { $0.queue.waiting } }

    /// Takes a slot if one is free and no call waits for it.
    func entersAtOnce(isReplay: Bool) throws(TarmacError) -> Bool {
        try state.withLock { state throws(TarmacError) in try state.enter(isExpected: false, isReplay: isReplay) }
    }

    /// Waits for a slot. ``leave()`` gives it back.
    ///
    /// - Parameter isExpected: whether the slot was kept by ``expect()``.
    func enter(
        _ priority: CallPriority, isReplay: Bool = false, isExpected: Bool = false, watch: (DispatchTicket) -> DeadlineEntry?, queued: () -> Void
    ) async throws {
        let isIn = try state.withLock { try $0.enter(isExpected: isExpected, isReplay: isReplay) }
        if isIn {
            if isExpected { letThrough() }
            return
        }
        queued()
        let ticket = DispatchTicket()
        let watch = watch(ticket)
        defer { watch?.stop() }
        do {
            try await ticket.value { join(ticket, isWaiting: $0, priority: priority, isReplay: isReplay, isExpected: isExpected) }
        } catch {
            state.withLock { $0.queue.abandon { $0.isSettled } }
            throw error
        }
    }

    private func join(_ ticket: DispatchTicket, isWaiting: Bool, priority: CallPriority, isReplay: Bool, isExpected: Bool) {
        guard isWaiting else { return isExpected ? cease() : () }
        enum Place { case waits, flies, closed }
        let place = state.withLock { state -> Place in
            if state.isClosed { return .closed }
            if state.queue.enter(isExpected: isExpected, isReplay: isReplay) { return .flies }
            state.queue.wait(ticket, priority: priority, isReplay: isReplay)
            // From now on it is among the replays, and no new call came between.
            if isExpected { state.queue.cease() }
            return .waits
        }
        if isExpected { letThrough() }
        switch place {
        case .waits: break
        case .flies: if !ticket.settle(.success(())) { leave() }
        case .closed: ticket.settle(.failure(Dispatcher.closed))
        }
    }

    /// Keeps a slot for a replay that is about to enter. If the replay does not enter, it calls ``cease()``.
    func expect() { state.withLock { $0.queue.expect() } }

    func cease() {
        state.withLock { $0.queue.cease() }
        letThrough()
    }

    /// Starts the calls that waited behind a replay.
    private func letThrough() {
        while let next = state.withLock({ $0.queue.next() }) {
            if !next.settle(.success(())) { leave() }
        }
    }

    /// Gives a slot back. It goes to the next waiting call.
    func leave() {
        while let next = state.withLock({ $0.queue.leave() }) {
            if next.settle(.success(())) { return }
        }
    }

    /// Fails all waiting calls and all later ones.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            return state.queue.removeAll()
        }
        for ticket in waiting { ticket.settle(.failure(Self.closed)) }
    }

    fileprivate static var closed: TarmacError { TarmacError(.clientShutDown, phase: .queued, "the client was shut down") }
}

extension Dispatcher.State {
    fileprivate mutating func enter(isExpected: Bool, isReplay: Bool) throws(TarmacError) -> Bool {
        if isClosed { throw Dispatcher.closed }
        return queue.enter(isExpected: isExpected, isReplay: isReplay)
    }
}

/// A call that waits for a slot.
typealias DispatchTicket = Settlement<Void>
