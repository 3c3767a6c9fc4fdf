@_spi(TarmacRooms) import TarmacHTTP

/// A call that waits in a ``CallSlot``. ``Client/cancelAll()`` and similar methods cancel it before it starts.
package final class QueuedCall: Sendable {
    let owner: CallOwner
    /// Returns whether a selection by tag or service contains the call.
    let belongs: @Sendable (CallSelection) -> Bool
    private let state = Locked<(isCancelled: Bool, onCancel: (@Sendable () -> Void)?)>((false, nil))

    init(owner: CallOwner, belongs: @escaping @Sendable (CallSelection) -> Bool) {
        self.owner = owner
        self.belongs = belongs
    }

    /// Whether the call was cancelled and must not start.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        let action = state.withLock { state in
            defer { state = (true, nil) }
            return state.onCancel
        }
        action?()
    }

    /// Runs `action` when the call is cancelled from now on. An earlier cancellation shows only in ``isCancelled``.
    func whenCancelled(_ action: @escaping @Sendable () -> Void) {
        state.withLock { state in
            defer { state.onCancel = action }
            return state.onCancel
        }
    }
}

/// The registration of a waiting call with an engine. It ends when the object is released.
final class QueuedCallRegistration: Sendable {
    let call: QueuedCall
    private let engine: Engine
    private let number: Int

    init(_ call: QueuedCall, in engine: Engine) {
        self.call = call
        self.engine = engine
        number = engine.enter(.parked(call))
    }

    deinit { engine.leave(number) }
}
