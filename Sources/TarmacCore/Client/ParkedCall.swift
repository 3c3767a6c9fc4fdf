/// A call that waits in a ``CallSlot``: ``Client/cancelAll()`` and the like reach it before it takes off.
package final class ParkedCall: Sendable {
    /// The name under which the client knows its service.
    let service: String
    let owner: CallOwner
    private let tags: @Sendable () -> Set<CallTag>
    private let state = Locked<(isCancelled: Bool, onCancel: (@Sendable () -> Void)?)>((false, nil))

    /// - Parameter tags: asked only when somebody looks for one.
    init(service: String, owner: CallOwner, tags: @escaping @Sendable () -> Set<CallTag>) {
        self.service = service
        self.owner = owner
        self.tags = tags
    }

    func carries(_ tag: CallTag) -> Bool { tags().contains(tag) }

    /// Whether it must not take off any more.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        let action = state.withLock { state in
            defer { state = (true, nil) }
            return state.onCancel
        }
        action?()
    }

    /// Runs `action` when it is cancelled; it was not before it has a place.
    func whenCancelled(_ action: @escaping @Sendable () -> Void) { state.withLock { $0.onCancel = action } }
}

/// Its place among what an engine can cancel, left when the call waits no more.
final class ParkedPlace: Sendable {
    let call: ParkedCall
    private let engine: Engine
    private let number: Int

    init(_ call: ParkedCall, in engine: Engine) {
        self.call = call
        self.engine = engine
        number = engine.enter(.parked(call))
    }

    deinit { engine.leave(number) }
}

extension Engine {
    /// A call of `owner` that is to wait.
    func park<E: Endpoint, Owner: LifetimeOwner>(
        _ endpoint: E, owner: Owner, configure: @escaping @Sendable (inout Options) -> Void
    ) -> ParkedCall {
        ParkedCall(service: name(of: endpoint.service), owner: WeakOwner(owner, CallHandle())) { [self] in
            tags(of: endpoint, Options(configure))
        }
    }

    /// The tags a call will have.
    func tags<E: Endpoint>(of endpoint: E, _ call: Options) -> Set<CallTag> {
        guard let runtime = try? runtime(endpoint.service) else { return [] }
        return FlightPlan(endpoint).resolved(runtime, call).values.tags
    }
}
