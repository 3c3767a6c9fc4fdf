/// A place for one call at a time: it decides about double taps and about searches that overtake each other.
///
/// ```swift
/// let login = CallSlot<Login>(.ignoreWhileFlying)
/// login.start(Login(name: name, password: password), on: client, owner: self) { owner, result in … }
///
/// let search = CallSlot<Search>(.debounce(.milliseconds(300)))      // at each key: search.start(Search(text: field.text), …)
/// ```
@MainActor
public final class CallSlot<E: Endpoint> {
    /// What becomes of a call that comes while another is in flight.
    public enum Rule: Sendable, Hashable {
        /// It is dropped; only the first flies.
        case ignoreWhileFlying
        /// It replaces the other, which lands with one `CancellationError`.
        case replace
        /// It waits for the other; in order.
        case queue
        /// It takes off once no other has come for this long, on the client's clock: for a search as one types. A call
        /// that comes before takes its place, and it lands with one `CancellationError`; so does one that is still in
        /// flight when the next takes off. What is in flight goes on until then. Nothing else waits.
        case debounce(Duration)
    }

    /// A call that may have to wait.
    struct Waiting {
        /// The clock of its client.
        let time: any TimeSource
        /// The call as its client sees it while it waits.
        let park: @MainActor () -> ParkedPlace?
        /// Kept for as long as it waits.
        var place: ParkedPlace?

        var isCancelled: Bool { place?.call.isCancelled ?? false }
        /// Takes off, unless the owner is gone.
        let launch: @MainActor () -> Void
        /// Lands with one `CancellationError`, unless the owner is gone.
        let cancel: @MainActor () -> Void
    }

    private let rule: Rule
    private var flying: CallHandle?
    private var waiting: [Waiting] = []
    private let limit: Int
    /// The call that takes off after the pause, and the pause.
    private var settling: (call: Waiting, pause: Task<Void, Never>)?
    /// Of the calls that settled or still do, so that a pause that has ended is not taken for the one after it.
    private var settled = 0

    /// - Parameter limit: how many calls may wait under ``Rule/queue``; beyond it they are dropped. Default 64.
    public init(_ rule: Rule, limit: Int = 64) {
        self.rule = rule
        self.limit = limit
    }

    /// Whether a call is in flight. One that was cancelled is not any more, though its landing is still to come.
    public var isFlying: Bool { flying?.isFlying ?? false }

    /// Starts a call for `owner` or does what the rule says. Returns whether the call flies or will.
    @discardableResult
    public func start<Owner: LifetimeOwner>(
        _ endpoint: E, on client: Client, owner: Owner, configure: @escaping @Sendable (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner, Result<E.Value, any Error>) -> Void
    ) -> Bool { offer(endpoint, on: client, owner: owner, configure: configure, landed: landed) }

    /// Any call may take the slot, such as the slot's own reformed.
    package func offer<Other: Endpoint, Owner: LifetimeOwner>(
        _ endpoint: Other, on client: Client, owner: Owner, configure: @escaping @Sendable (inout Options) -> Void,
        landed: @escaping @MainActor (Owner, Result<Other.Value, any Error>) -> Void
    ) -> Bool {
        offer(
            Waiting(time: client.engine.time) { [weak owner, engine = client.engine] in
                owner.map { ParkedPlace(engine.park(endpoint, owner: $0, configure: configure), in: engine) }
            } launch: { [weak self, weak owner, engine = client.engine] in
                guard let self, let owner else { return }
                take(Client(unowned: engine).start(endpoint, owner: owner, configure: configure, landed: landed))
            } cancel: { [weak owner, engine = client.engine] in
                guard let owner else { return }
                OwnedFlight.cancelled(owner: owner, lifetime: owner.lifetime, in: engine, landed: landed)
            })
    }

    /// Cancels the call in flight and those that wait; each lands with one `CancellationError`. The slot is free at once.
    public func cancel() {
        let cancelled = waiting + takeSettling()
        waiting = []
        flying?.cancel()
        for call in cancelled { call.cancel() }
    }

    func offer(_ call: Waiting) -> Bool {
        if case .debounce(let quiet) = rule {
            settle(call, for: quiet)
            return true
        }
        // Between a landing and the hop that launches the next, nothing flies and some may wait.
        guard isFlying || !waiting.isEmpty else {
            call.launch()
            return true
        }
        switch rule {
        case .ignoreWhileFlying: return false
        case .replace:
            flying?.cancel()
            call.launch()
        case .queue:
            if waiting.count >= limit { return false }
            waiting.append(parked(call))
        case .debounce: break
        }
        return true
    }

    // MARK: Waiting

    /// The same call with a place where ``Client/cancelAll()`` finds it.
    private func parked(_ call: Waiting) -> Waiting {
        var call = call
        call.place = call.park()
        call.place?.call.whenCancelled { [weak self] in
            // LIFETIME: one hop to the main actor, where the call lands.
            Task { @MainActor in self?.dropCancelled() }
        }
        return call
    }

    private func dropCancelled() {
        var cancelled = waiting.filter(\.isCancelled)
        waiting.removeAll(where: \.isCancelled)
        if let settling, settling.call.isCancelled { cancelled += takeSettling() }
        for call in cancelled { call.cancel() }
    }

    // MARK: Debouncing

    private func settle(_ call: Waiting, for quiet: Duration) {
        let displaced = takeSettling()
        settled += 1
        let call = parked(call)
        let (number, end) = (settled, call.time.now + quiet)
        // LIFETIME: ends with the pause; cancelled by the next call and by `cancel()`.
        let pause = Task { @MainActor in
            do { try await call.time.sleep(until: end) } catch { return }
            // The next call may have come between the end of the pause and the hop to the main actor.
            guard number == self.settled, !self.takeSettling().isEmpty else { return }
            if call.isCancelled { return call.cancel() }
            self.flying?.cancel()
            call.launch()
        }
        settling = (call, pause)
        for call in displaced { call.cancel() }
    }

    private func takeSettling() -> [Waiting] {
        defer { settling = nil }
        settling?.pause.cancel()
        return settling.map { [$0.call] } ?? []
    }

    func take(_ handle: CallHandle) {
        flying = handle
        // The flight holds the slot until it lands: a slot nobody else holds must still launch those that wait.
        handle.whenLanded {
            // LIFETIME: one hop to the main actor, after which the next call takes off.
            Task { @MainActor in self.next() }
        }
    }

    private func next() {
        // A call whose owner is gone does not fly, and neither does one that was cancelled; the one behind it does.
        while !isFlying, !waiting.isEmpty {
            let call = waiting.removeFirst()
            if call.isCancelled { call.cancel() } else { call.launch() }
        }
    }
}
