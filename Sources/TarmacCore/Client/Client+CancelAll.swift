extension Client {
    /// Cancels every call in flight, awaited, owned or held, every batch, chain, graph and owned work, and what waits in a
    /// ``CallSlot`` (YTK-23). Each ends with one `CancellationError`; nothing of it is presented. An owned call counts
    /// from the line that starts it; calls made afterwards fly.
    public func cancelAll() { engine.cancel(.all) }

    /// Cancels the calls and wholes, in flight or waiting in a ``CallSlot``, that carry a tag of ``Options/tags``.
    public func cancelAll(tagged tag: CallTag) { engine.cancel(.tag(tag)) }

    /// Cancels the calls in flight to a service. In a graph, and in a batch whose calls land each for itself, the calls to
    /// other services go on; a chain, and a batch of all or nothing, end with the first that is cancelled.
    public func cancelAll(to service: Service) { engine.cancel(.service(engine.name(of: service))) }

    /// Cancels the calls and work in flight that belong to an owner, on this client. ``Lifetime/cancelAll()`` does it on
    /// all clients.
    public func cancelAll(ownedBy owner: AnyObject) { engine.cancel(.owner(ObjectIdentifier(owner))) }
}

extension Engine {
    func cancel(_ selection: CallSelection) {
        // The wholes first: a call that takes off meanwhile sees that its whole was cancelled.
        let wholes = wholes.filter(selection.contains)
        for whole in wholes { whole.cancel() }
        // A refresh belongs to the engine: its end could cost the login, and those who wait for it are cancelled anyway.
        for call in callsInFlight where call.awaitedWork == nil && (selection.contains(call) || wholes.contains(where: { $0.contains(call) })) {
            call.cancel()
        }
    }
}
