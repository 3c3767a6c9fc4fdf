/// A place for one call at a time: it decides about double taps and about searches that overtake each other.
///
/// ```swift
/// let login = CallSlot<Login>(.ignoreWhileFlying)
/// login.start(Login(name: name, password: password), on: client, owner: self) { owner, result in … }
/// ```
@MainActor
public final class CallSlot<E: Endpoint> {
    /// What becomes of a call that comes while another is in flight.
    public enum Rule: Sendable, CaseIterable {
        /// It is dropped; only the first flies.
        case ignoreWhileFlying
        /// It replaces the other, which lands with one `CancellationError`.
        case replace
        /// It waits for the other; in order.
        case queue
    }

    private let rule: Rule
    private var flying: CallHandle?
    private var waiting: [@MainActor () -> Void] = []
    private let limit: Int

    /// - Parameter limit: how many calls may wait under ``Rule/queue``; beyond it they are dropped. Default 64.
    public init(_ rule: Rule, limit: Int = 64) {
        self.rule = rule
        self.limit = limit
    }

    /// Whether a call is in flight.
    public var isFlying: Bool { flying.map { !$0.hasLanded } ?? false }

    /// Starts a call for `owner` or does what the rule says. Returns whether the call flies or will.
    @discardableResult
    public func start<Owner: LifetimeOwner>(
        _ endpoint: E, on client: Client, owner: Owner, configure: @escaping @Sendable (inout Options) -> Void = { _ in },
        landed: @escaping @MainActor (Owner, Result<E.Value, any Error>) -> Void
    ) -> Bool {
        offer { [weak self, weak owner, engine = client.engine] in
            guard let self, let owner else { return }
            take(Client(unowned: engine).start(endpoint, owner: owner, configure: configure, landed: landed))
        }
    }

    /// Cancels the call in flight and forgets those that wait.
    public func cancel() {
        waiting = []
        flying?.cancel()
    }

    func offer(_ launch: @escaping @MainActor () -> Void) -> Bool {
        guard isFlying else {
            launch()
            return true
        }
        switch rule {
        case .ignoreWhileFlying: return false
        case .replace:
            flying?.cancel()
            launch()
        case .queue:
            if waiting.count >= limit { return false }
            waiting.append(launch)
        }
        return true
    }

    func take(_ handle: CallHandle) {
        flying = handle
        handle.whenLanded { [weak self] in
            // LIFETIME: one hop to the main actor, after which the next call takes off.
            Task { @MainActor in self?.next() }
        }
    }

    private func next() {
        guard !isFlying, !waiting.isEmpty else { return }
        waiting.removeFirst()()
    }
}
