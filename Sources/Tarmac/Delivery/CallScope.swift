/// Several calls that their user sees as one: a batch, a chain, a graph, or what ``Client/presenting(host:_:)`` does.
///
/// An indication that one of its calls begins stays up until the whole ends, and of the errors of its calls one is
/// presented, after that. It has hooks of its own and is cancelled as one.
final class CallScope: Sendable {
    let summary: CallSummary
    let parent: CallScope?
    /// The screen of its calls.
    let host: (any ObjectReference)?
    let owner: CallOwner?
    /// Who presents it in the place of its calls' presenters.
    let presenter: (any Presenter)?
    /// Whether the owner is told of the whole itself.
    private let isOwners: Bool
    private let hooks: [CallHooks]
    private let indicators: LoadingIndicators
    private let state = Locked(State())

    private struct State {
        var isCancelled = false
        var isOver = false
        var shown: [Shown] = []
        /// The first few, one of which is presented.
        var failures: [ErrorPrompt] = []
        var onCancel: [@Sendable () -> Void] = []
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

    init(
        _ summary: CallSummary, in binding: CallBinding, on host: PresentationHost, presenter: (any Presenter)? = nil, hooks: [CallHooks],
        indicators: LoadingIndicators
    ) {
        self.summary = summary
        self.hooks = hooks
        self.indicators = indicators
        parent = binding.scope
        owner = binding.owner
        isOwners = binding.isOwnersWhole
        // Of a whole within a whole the outer one's.
        self.presenter = binding.scope?.presenter ?? presenter
        self.host = host.reference(owner: binding.scope.map(\.host) ?? binding.owner)
    }

    // MARK: Cancelling

    /// Whether it or a whole it is part of was cancelled: no further call of it flies.
    var isCancelled: Bool { state.withLock { $0.isCancelled } || parent?.isCancelled ?? false }

    func cancel() {
        let actions = state.withLock { state in
            state.isCancelled = true
            defer { state.onCancel = [] }
            return state.onCancel
        }
        for action in actions { action() }
    }

    /// Runs `action` when it is cancelled, or at once if it was.
    func whenCancelled(_ action: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled, !state.isOver { state.onCancel.append(action) }
            return state.isCancelled
        }
        if isCancelled { action() }
    }

    /// The whole whose presenter this is.
    var presenting: CallScope { parent?.presenter == nil ? self : parent?.presenting ?? self }

    /// Whether it is the given one or part of it.
    func isPart(of scope: CallScope) -> Bool { self === scope || parent?.isPart(of: scope) ?? false }

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
        let (shown, failures) = state.withLock { state in
            state.isOver = true
            defer { (state.shown, state.failures, state.onCancel) = ([], [], []) }
            return (state.shown.map(\.loading), state.failures)
        }
        let failure = outcome.error.flatMap { error in failures.first { $0.isOf(error) } } ?? failures.first
        await hooks.willStop(summary, outcome) {
            guard !shown.isEmpty || failure != nil else { return nil }
            return {
                for loading in shown { loading.end() }
                if let failure, !self.isCancelled, !Task.isCancelled { failure.present() }
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
