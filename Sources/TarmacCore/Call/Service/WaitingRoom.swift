/// The calls of a service that pause, so that its shutdown ends their pauses.
package final class WaitingRoom: Sendable {
    private struct State {
        var waits = Roster<CallWait>()
        var isClosed = false
    }
    private let state = Locked(State())

    package init() {}

    /// Holds a call back until `instant`, or until all are woken; throws when it is cancelled or the client shut down before.
    ///
    /// - Parameter isOver: looked at once the call can be woken, so that nothing is missed in between.
    package func pause(_ context: CallContext, until instant: ContinuousClock.Instant?, unless isOver: () -> Bool = { false }) async throws {
        try await hold(CallWait(), for: context, until: instant, unless: isOver)
    }

    /// Holds a call back until the wait is settled, its deadline at the latest.
    package func hold(_ wait: CallWait, for context: CallContext) async throws {
        try await hold(wait, for: context, until: context.deadline) { false }
    }

    private func hold(_ wait: CallWait, for context: CallContext, until instant: ContinuousClock.Instant?, unless isOver: () -> Bool) async throws {
        let place = state.withLock { state in state.isClosed ? nil : state.waits.enter(wait) }
        guard let place else { throw TarmacError.clientShutDown }
        defer { _ = state.withLock { $0.waits.leave(place) } }
        if !isOver() { try await wait.value(for: context, until: instant) }
    }

    /// Ends every pause: the calls go on.
    package func wake() {
        for wait in state.withLock({ $0.waits.all }) { wait.settle(.success(())) }
    }

    /// Ends every pause, and those to come.
    package func close() {
        let waits = state.withLock { state in
            state.isClosed = true
            return state.waits.all
        }
        for wait in waits { wait.settle(.failure(TarmacError.clientShutDown)) }
    }

    /// How many pause.
    package var count: Int { state.withLock { $0.waits.all.count } }
}
