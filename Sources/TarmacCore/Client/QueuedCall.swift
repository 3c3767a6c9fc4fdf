/// A call that waits in a ``CallSlot``. ``Client/cancelAll()`` and similar methods cancel it before it starts.
package final class QueuedCall: Sendable {
    /// The name under which the client knows the call's service.
    let service: String
    let owner: CallOwner
    private let tags: @Sendable () -> Set<CallTag>
    private let state = Locked<(isCancelled: Bool, onCancel: (@Sendable () -> Void)?)>((false, nil))

    /// - Parameter tags: returns the call's tags. It runs only when a tag is looked for.
    init(service: String, owner: CallOwner, tags: @escaping @Sendable () -> Set<CallTag>) {
        self.service = service
        self.owner = owner
        self.tags = tags
    }

    func carries(_ tag: CallTag) -> Bool { tags().contains(tag) }

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
    func whenCancelled(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onCancel = action } }
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

extension Engine {
    /// Returns a waiting call of `owner`.
    func park<E: Endpoint, Owner: AnyOwner>(
        _ endpoint: E, owner: Owner, configure: @escaping @Sendable (inout Options) -> Void
    ) -> QueuedCall {
        QueuedCall(service: name(of: endpoint.service), owner: WeakOwner(owner, CallHandle())) { [self] in
            tags(of: endpoint, Options(configure))
        }
    }

    /// Returns the tags that a call will have.
    func tags<E: Endpoint>(of endpoint: E, _ call: Options) -> Set<CallTag> {
        guard let runtime = try? runtime(endpoint.service) else { return [] }
        return FlightPlan(endpoint).resolved(runtime, call).values.tags
    }
}
