extension Client {
    /// Cancels every call in flight, every batch, chain, graph and owned work, and every call that waits in a
    /// ``CallSlot``.
    ///
    /// Each ends with one `CancellationError`, and no error is presented. An owned call counts as in flight from the
    /// line that starts it. Later calls are not affected. The refresh of a token, which several calls may wait for,
    /// continues.
    public func cancelAll() { engine.cancel(.all) }

    /// Cancels the calls and groups of calls, in flight or waiting in a ``CallSlot``, that carry a tag of
    /// ``Options/tags``.
    public func cancelAll(tagged tag: CallTag) { engine.cancel(.tag(tag)) }

    /// Cancels the calls to a service, in flight or waiting in a ``CallSlot``.
    ///
    /// In a graph, and in a batch whose calls land independently, the calls to other services continue. A chain, and
    /// a batch that succeeds or fails as a whole, end with the first cancelled call.
    public func cancelAll(to service: Service) { engine.cancel(.service(engine.name(of: service))) }

    /// Cancels the calls and the work that belong to an owner on this client, in flight or waiting in a ``CallSlot``.
    ///
    /// ``Lifetime/cancelAll()`` cancels the calls of an owner that have started, on all clients.
    public func cancelAll(ownedBy owner: AnyObject) { engine.cancel(.owner(ObjectIdentifier(owner))) }
}

extension Engine {
    func cancel(_ selection: CallSelection) {
        // The groups first: a call that starts meanwhile sees that its group was cancelled.
        let wholes = wholes.filter(selection.contains)
        for whole in wholes { whole.cancel() }
        // A token refresh belongs to the engine: cancelling it could log the user out. The calls that wait for it are
        // cancelled.
        for call in callsInFlight where call.awaitedWork == nil && (selection.contains(call) || wholes.contains(where: { $0.contains(call) })) {
            call.cancel()
        }
    }
}
