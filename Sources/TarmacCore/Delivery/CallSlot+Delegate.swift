extension CallSlot {
    /// Starts a call for a delegate, or does what the rule says. Returns whether the call runs now or later.
    ///
    /// ```swift
    /// private let list = CallSlot(.replace)
    /// func show(page: Int) { list.start(ListProducts(page: page), on: client, delegate: self) }
    /// ```
    /// Under ``Rule/replace`` and ``Rule/debounce(_:)``, an earlier call cannot deliver its value after a later one: it lands with
    /// one `CancellationError`.
    @discardableResult
    public func start<W: Work, Delegate: CallDelegate & AnyOwner>(
        _ work: W, on client: Client, delegate: Delegate, configure: @escaping @Sendable (inout Options) -> Void = { _ in }
    ) -> Bool {
        offer(
            Waiting(time: client.engine.time) { [weak delegate, engine = client.engine] in
                delegate.map { QueuedCallRegistration(engine.park(work, owner: $0, configure: configure), in: engine) }
            } launch: { [weak self, weak delegate, engine = client.engine] in
                guard let self, let delegate else { return }
                if let handle = Client(unowned: engine).call(work, delegate: delegate, configure: configure).start() { take(handle) }
            } cancel: { [weak delegate, engine = client.engine] in
                guard let delegate else { return }
                Call<W>.telling(delegate) { Call(cancelledOn: engine, owner: delegate, landed: $0) }.start()
            })
    }
}
