import TarmacCore

/// The presentation of calls that their user sees as one: a batch, a chain, a graph, or what ``Client/presenting(host:_:)``
/// does.
///
/// An indication that one of its calls begins stays up until the whole ends. Of the errors of its calls one is presented, after
/// that. It has hooks of its own.
final class ScopePresentation: Attachment {
    // The scope keeps this.
    private unowned let scope: CallScope
    private var summary: CallSummary { scope.summary }
    private var parent: ScopePresentation? { scope.parent?[ScopePresentation.self] }
    private var owner: CallOwner? { scope.owner }
    /// The screen of its calls.
    let host: (any ObjectReference)?
    /// Who presents it in the place of its calls' presenters.
    let presenter: (any Presenter)?
    /// Whether the owner is told of the whole itself.
    private let isOwners: Bool
    private let hooks: [CallHooks]
    private let indicators: LoadingIndicators
    private let state = Locked(State())

    private struct State {
        var isOver = false
        var shown: [Shown] = []
        /// The first few, one of which is presented.
        var failures: [ErrorPrompt] = []
    }

    private struct Shown: Sendable {
        let presenter: any Presenter
        let host: (any ObjectReference)?
        let loading: OwnedLoading

        /// An object that is gone may have left its identity to another.
        func isOf(_ presenter: any Presenter, on host: (any ObjectReference)?) -> Bool {
            guard self.presenter.identity == presenter.identity, self.host?.id == host?.id else { return false }
            return !self.presenter.isGone && (self.host == nil || self.host?.object != nil)
        }
    }

    /// - Parameter binding: that of the client the scope is made with.
    init(
        _ scope: CallScope, in binding: CallBinding, on host: PresentationHost, presenter: (any Presenter)?, hooks: [CallHooks],
        indicators: LoadingIndicators
    ) {
        self.scope = scope
        self.hooks = hooks
        self.indicators = indicators
        isOwners = binding.isOwnersWhole
        let outer = binding.scope?[ScopePresentation.self]
        // Of a whole within a whole the outer one's.
        self.presenter = outer?.presenter ?? presenter
        self.host = host.reference(owner: outer.map(\.host) ?? binding.owner)
    }

    /// The presentation whose presenter this is.
    var presenting: ScopePresentation { parent?.presenter == nil ? self : parent?.presenting ?? self }

    // MARK: For its calls

    /// Keeps an indication up until the whole ends; `false` when that was long ago.
    func show(_ presenter: any Presenter, on host: (any ObjectReference)?) -> Bool {
        if let parent, parent.show(presenter, on: host) { return true }
        let (isOver, shown) = state.withLock { ($0.isOver, $0.shown) }
        // Objects are looked at outside the lock: the look may be the last to hold one. Two calls that both begin the same
        // indication are counted twice in it, and both times ended.
        if isOver || shown.contains(where: { $0.isOf(presenter, on: host) }) { return !isOver }
        let new = Shown(presenter: presenter, host: host, loading: OwnedLoading(presenter, on: host, of: owner, in: indicators))
        let isLate = state.withLock { state in
            if !state.isOver { state.shown.append(new) }
            return state.isOver
        }
        if !isLate { new.loading.begin() }
        return !isLate
    }

    /// Keeps an error of its calls until the whole ends; `false` when that was long ago.
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

    /// Ends it: the hooks, the indications, then the error, unless the whole was cancelled. Of several that failed at the same
    /// time it is the one the whole ends with, else the first.
    func end(_ outcome: CallOutcome) async {
        scope.end()
        let (shown, failures) = state.withLock { state in
            state.isOver = true
            defer { (state.shown, state.failures) = ([], []) }
            return (state.shown.map(\.loading), state.failures)
        }
        let failure = outcome.error.flatMap { error in failures.first { $0.isOf(error) } } ?? failures.first
        await hooks.willStop(summary, outcome) {
            guard !shown.isEmpty || failure != nil else { return nil }
            return {
                for loading in shown { loading.end() }
                if let failure, !self.scope.isCancelled, !Task.isCancelled { failure.present() }
            }
        }
        await didStop(outcome)
    }

    /// After the owner was told, as for a single call.
    private func didStop(_ outcome: CallOutcome) async {
        if hooks.isEmpty { return }
        guard isOwners, let handle = owner?.handle else { return await hooks.didStop(summary, outcome) }
        handle.whenDelivered { [hooks, summary] in await hooks.didStop(summary, outcome) }
    }
}
