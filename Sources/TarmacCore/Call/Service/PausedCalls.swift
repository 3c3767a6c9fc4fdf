@_spi(TarmacRooms) import TarmacHTTP

/// The calls of a service that pause. A shutdown of the service ends their pauses.
package final class PausedCalls: Sendable {
    private struct State {
        var waits = SlotArray<CallWait>()
        var isClosed = false
    }
    private let state = Locked(State())

    package init() {}

    /// Holds a call until `instant`, or until ``wake()`` ends all pauses.
    ///
    /// - Parameter isOver: checked once the call can be woken, so that no event is missed in between.
    /// - Throws: an error if the call is cancelled or the client shut down before.
    package func pause(_ context: CallContext, until instant: Moment?, unless isOver: () -> Bool = { false }) async throws {
        try await hold(CallWait(), for: context, until: instant, unless: isOver)
    }

    /// Holds a call until the wait is settled, at the latest at the call's deadline.
    package func hold(_ wait: CallWait, for context: CallContext) async throws {
        try await hold(wait, for: context, until: context.deadline) { false }
    }

    private func hold(_ wait: CallWait, for context: CallContext, until instant: Moment?, unless isOver: () -> Bool) async throws {
        let place = state.withLock { state in state.isClosed ? nil : state.waits.enter(wait) }
        guard let place else { throw TarmacError.clientShutDown }
        defer { _ = state.withLock { $0.waits.leave(place) } }
        if !isOver() { try await wait.value(for: context, until: instant) }
    }

    /// Ends every pause. The calls continue.
    package func wake() {
        for wait in state.withLock({ $0.waits.all }) { wait.settle(.success(())) }
    }

    /// Ends every pause, current and future, with an error.
    package func close() {
        let waits = state.withLock { state in
            state.isClosed = true
            return state.waits.all
        }
        for wait in waits { wait.settle(.failure(TarmacError.clientShutDown)) }
    }

    /// The number of calls that pause.
    package var count: Int { state.withLock { $0.waits.all.count } }
}
