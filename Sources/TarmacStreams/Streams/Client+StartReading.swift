public import TarmacCore

extension Client {
    /// Starts reading a sequence, such as events, lines or pages, and delivers each element on the main actor.
    ///
    /// The sequence belongs to `owner` and ends with it. The closures get the owner as a parameter, so they need no
    /// `[weak self]`.
    ///
    /// ```swift
    /// client.start(owner: self) { $0.events(News()) } each: { owner, event in owner.show(event) } landed: { owner, result in
    ///     owner.streamEnded(result)
    /// }
    /// ```
    /// The next element is read after `each` has returned, so a slow owner slows the server down.
    ///
    /// - Parameters:
    ///   - owner: the owner of the reading.
    ///   - reading: returns the sequence, made with the given client.
    ///   - each: called with each element while the owner exists.
    ///   - landed: called exactly once while the owner exists, when the sequence has ended, failed or was cancelled.
    @MainActor @discardableResult
    public func start<Owner: AnyOwner, Elements: AsyncSequence>(
        owner: Owner, reading: @escaping @Sendable (Client) -> Elements, each: @escaping @MainActor (Owner, Elements.Element) -> Void,
        landed: @escaping @MainActor (Owner, Result<Void, any Error>) -> Void
    ) -> CallHandle where Elements: SendableMetatype, Elements.AsyncIterator: SendableMetatype, Elements.Element: Sendable {
        OwnedFlight.start(owner: owner, lifetime: .of(owner), work: work(reading: reading, each: each), landed: landed)
    }

    func work<Owner: AnyObject, Elements: AsyncSequence>(
        reading: @escaping @Sendable (Client) -> Elements, each: @escaping @MainActor (Owner, Elements.Element) -> Void
    ) -> OwnedWork<Void> where Elements: SendableMetatype, Elements.AsyncIterator: SendableMetatype, Elements.Element: Sendable {
        OwnedWork(engine) { [engine] owner in
            var isOver = false
            for try await element in reading(Client(unowned: engine, binding: CallBinding(owner: owner))) {
                // A sequence that knows no cancellation.
                if isOver { throw CancellationError() }
                isOver = await MainActor.run {
                    // An owner that is gone, or has cancelled, gets no further elements.
                    guard !CallBinding(owner: owner).isSilent, let living = owner.object as? Owner else { return true }
                    each(living, element)
                    return false
                }
                // The next turn meets it, so that the call is a cancelled one. Who leaves a loop has the call land.
                if isOver { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
    }
}
