/// A slot for one work at a time, of any type. Its rule handles double taps and searches that overtake each other.
///
/// ```swift
/// let login = CallSlot(.ignoreWhileFlying)
/// login.start(Login(name: name, password: password), on: client, owner: self) { owner, result in … }
///
/// let search = CallSlot(.debounce(.milliseconds(300)))      // at each key: search.start(Search(text: field.text), …)
/// ```
@MainActor
public final class CallSlot {
    /// The rule for a call that starts while another is in flight.
    public enum Rule: Sendable, Hashable {
        /// The new call is dropped. Only the first runs.
        case ignoreWhileFlying
        /// The new call replaces the other, which lands with one `CancellationError`.
        case replace
        /// The new call waits for the others, in order.
        case queue
        /// The new call starts once no other has come for this time on the client's clock, for example for a search
        /// while the user types.
        ///
        /// A later call replaces a waiting one, which lands with one `CancellationError`. A call in flight continues
        /// until the next one starts, and then also lands with one `CancellationError`. At most one call waits. A negative
        /// time counts as zero.
        case debounce(Duration)
    }

    /// A call that may have to wait.
    struct Waiting {
        /// The clock of the call's client.
        let time: any TimeSource
        /// Registers the waiting call with its client.
        let park: @MainActor () -> QueuedCallRegistration?
        /// The registration, kept while the call waits.
        var place: QueuedCallRegistration?

        var isCancelled: Bool { place?.call.isCancelled ?? false }
        /// Starts the call, unless the owner is gone.
        let launch: @MainActor () -> Void
        /// Lands the call with one `CancellationError`, unless the owner is gone.
        let cancel: @MainActor () -> Void
    }

    private let rule: Rule
    private var flying: CallHandle?
    private var waiting: [Waiting] = []
    private let limit: Int
    /// The call that starts after the pause, and the pause.
    private var settling: (call: Waiting, pause: Task<Void, Never>)?
    /// The number of debounced calls so far. It tells a pause that has ended from the next one.
    private var settled = 0

    /// Creates a slot.
    ///
    /// - Parameters:
    ///   - rule: the rule for a call that starts while another is in flight.
    ///   - limit: the largest number of calls that wait under ``Rule/queue``. Further calls are dropped. Below zero counts as zero. Default: 64.
    public init(_ rule: Rule, limit: Int = 64) {
        self.rule = rule
        self.limit = max(limit, 0)
    }

    /// Whether a call is in flight. A cancelled call is not, even if its landing is still to come.
    public var isFlying: Bool { flying?.isFlying ?? false }

    /// Starts a work for `owner`, or does what the rule says. Returns whether the work runs now or later.
    @discardableResult
    public func start<W: Work, Owner: AnyOwner>(
        _ work: W, on client: Client, owner: Owner, configure: @escaping @Sendable (inout Options) -> Void = { _ in },
        progress: (@MainActor (Owner, W.WorkProgress) -> Void)? = nil,
        landed: @escaping @MainActor (Owner, Result<W.Value, any Error>) -> Void
    ) -> Bool {
        offer(
            Waiting(time: client.engine.time) { [weak owner, engine = client.engine] in
                owner.map { QueuedCallRegistration(engine.park(work, owner: $0, configure: configure), in: engine) }
            } launch: { [weak self, weak owner, engine = client.engine] in
                guard let self, let owner else { return }
                take(Client(unowned: engine).start(work, owner: owner, configure: configure, progress: progress, landed: landed))
            } cancel: { [weak owner, engine = client.engine] in
                guard let owner else { return }
                OwnedFlight.cancelled(owner: owner, lifetime: .of(owner), in: engine, landed: landed)
            })
    }

    /// Cancels the call in flight and those that wait. Each lands with one `CancellationError`. The slot is free at
    /// once.
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
        // Between a landing and the start of the next call, none is in flight and some may wait.
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

    /// Returns the same call, registered so that ``Client/cancelAll()`` finds it.
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
        let (number, end) = (settled, call.time.moment + quiet.withinACentury)
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
        // The flight holds the slot until it lands: without other references, the slot must still start the calls
        // that wait.
        handle.whenLanded {
            // LIFETIME: one hop to the main actor, after which the next call starts.
            Task { @MainActor in self.next() }
        }
    }

    private func next() {
        // A call whose owner is gone, or that was cancelled, does not start. The next one does.
        while !isFlying, !waiting.isEmpty {
            let call = waiting.removeFirst()
            if call.isCancelled { call.cancel() } else { call.launch() }
        }
    }
}

extension Engine {
    /// Returns a waiting work of `owner`.
    func park<W: Work, Owner: AnyOwner>(_ work: W, owner: Owner, configure: @escaping @Sendable (inout Options) -> Void) -> QueuedCall {
        QueuedCall(owner: WeakOwner(owner, CallHandle())) { [self] selection in
            work.traits(in: WorkRun(self, Options(configure), .none)).areIn(selection, on: self)
        }
    }
}
