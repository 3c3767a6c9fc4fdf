@_spi(TarmacRooms) import TarmacCore

/// The presentation of calls that the user sees as one: a batch, a chain, a graph, or the work of
/// ``Client/presenting(host:_:)``.
///
/// An indication that one of its calls begins stays until the group ends. One of the errors of its calls is presented
/// after that. The group has its own hooks.
final class ScopePresentation: Attachment {
    // The scope keeps this object.
    private unowned let scope: CallScope
    private var summary: CallSummary { scope.summary }
    private var parent: ScopePresentation? { scope.parent?[ScopePresentation.self] }
    private var owner: CallOwner? { scope.owner }
    /// The screen of its calls.
    let host: (any ObjectReference)?
    /// The presenter that replaces those of its calls.
    let presenter: (any Presenter)?
    /// Whether the owner receives the result of the group itself.
    private let isOwners: Bool
    private let hooks: [CallHooks]
    private let indicators: LoadingIndicators
    private let state = Locked(State())

    private struct State {
        var isOver = false
        var shown: [Shown] = []
        /// The first few failures, one of which is presented.
        var failures: [ErrorPrompt] = []
    }

    private struct Shown: Sendable {
        let presenter: any Presenter
        let host: (any ObjectReference)?
        let loading: OwnedLoading

        /// Whether it is the indication of a presenter on a host. An object that is gone may have left its identity to
        /// another.
        func isOf(_ presenter: any Presenter, on host: (any ObjectReference)?) -> Bool {
            guard self.presenter.identity == presenter.identity, self.host?.id == host?.id else { return false }
            return !self.presenter.isGone && (self.host == nil || self.host?.object != nil)
        }
    }

    /// - Parameter binding: the binding of the client that the scope is made with.
    init(
        _ scope: CallScope, in binding: CallBinding, on host: PresentationHost, presenter: (any Presenter)?, hooks: [CallHooks],
        indicators: LoadingIndicators
    ) {
        self.scope = scope
        self.hooks = hooks
        self.indicators = indicators
        isOwners = binding.isOwners
        let outer = binding.scope?[ScopePresentation.self]
        // In nested groups, the outer presenter takes precedence.
        self.presenter = outer?.presenter ?? presenter
        self.host = host.reference(owner: outer.map(\.host) ?? binding.owner)
    }

    /// The presentation that has the presenter.
    var presenting: ScopePresentation { parent?.presenter == nil ? self : parent?.presenting ?? self }

    // MARK: Use by its calls

    /// Keeps an indication until the group ends. Returns `false` if it has ended already.
    func show(_ presenter: any Presenter, on host: (any ObjectReference)?) -> Bool {
        if let parent, parent.show(presenter, on: host) { return true }
        let (isOver, shown) = state.withLock { ($0.isOver, $0.shown) }
        // Objects are accessed outside the lock, because the access may release the last reference. If two calls begin
        // the same indication at once, it is counted twice and ended twice.
        if isOver || shown.contains(where: { $0.isOf(presenter, on: host) }) { return !isOver }
        let new = Shown(presenter: presenter, host: host, loading: OwnedLoading(presenter, on: host, of: owner, in: indicators))
        let isLate = state.withLock { state in
            if !state.isOver { state.shown.append(new) }
            return state.isOver
        }
        if !isLate { new.loading.begin() }
        return !isLate
    }

    /// Keeps an error of its calls until the group ends. Returns `false` if it has ended already.
    func keep(_ failure: ErrorPrompt) -> Bool {
        if let parent, parent.keep(failure) { return true }
        return state.withLock { state in
            if !state.isOver, state.failures.count < Self.failureLimit { state.failures.append(failure) }
            return !state.isOver
        }
    }

    private static let failureLimit = 16

    // MARK: From start to end

    func begin() async {
        if let presenter, parent?.presenter == nil, !presenter.isOff { _ = show(presenter, on: host) }
        await hooks.willStart(summary)
    }

    /// Ends the group: the hooks, the indications, then the error, unless the group was cancelled. Of several failures,
    /// the one that the group ends with is presented, or else the first.
    func end(_ outcome: CallOutcome) async {
        scope.end()
        let (shown, failures) = state.withLock { state in
            state.isOver = true
            defer { (state.shown, state.failures) = ([], []) }
            return (state.shown, state.failures)
        }
        let failure = outcome.error.flatMap { error in failures.first { $0.isOf(error) } } ?? failures.first
        await hooks.willStop(summary, outcome) {
            guard !shown.isEmpty || failure != nil else { return nil }
            return {
                for indication in shown { indication.loading.end() }
                if let failure, !self.scope.isCancelled, !Task.isCancelled { failure.present() }
            }
        }
        await didStop(outcome)
    }

    /// Calls the last hooks, after the owner's callback, as for a single call.
    private func didStop(_ outcome: CallOutcome) async {
        if hooks.isEmpty { return }
        guard isOwners, let handle = owner?.handle else { return await hooks.didStop(summary, outcome) }
        handle.whenDelivered { [hooks, summary] in await hooks.didStop(summary, outcome) }
    }
}
