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
    private let hooks: [CallHooks]
    private let indicators: LoadingIndicators
    private let state = Locked(State())

    private struct State {
        var isCancelled = false
        var isOver = false
        var shown: [(presenter: ObjectIdentifier, host: ObjectIdentifier?, loading: OwnedLoading)] = []
        var failure: ErrorPrompt?
        var onCancel: [@Sendable () -> Void] = []
    }

    init(_ summary: CallSummary, in binding: CallBinding, on host: PresentationHost, hooks: [CallHooks], indicators: LoadingIndicators) {
        self.summary = summary
        self.hooks = hooks
        self.indicators = indicators
        parent = binding.scope
        owner = binding.owner
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

    /// Whether it is the given one or part of it.
    func isPart(of scope: CallScope) -> Bool { self === scope || parent?.isPart(of: scope) ?? false }

    // MARK: For its calls

    /// Keeps an indication up until the whole ends; `false` when that was long ago.
    func show(_ presenter: any Presenter, on host: (any ObjectReference)?) -> Bool {
        if let parent, parent.show(presenter, on: host) { return true }
        let (isOver, new) = state.withLock { state -> (Bool, OwnedLoading?) in
            if state.isOver { return (true, nil) }
            if state.shown.contains(where: { $0.presenter == presenter.identity && $0.host == host?.id }) { return (false, nil) }
            let loading = OwnedLoading(presenter, on: host, of: owner, in: indicators)
            state.shown.append((presenter.identity, host?.id, loading))
            return (false, loading)
        }
        new?.begin()
        return !isOver
    }

    /// Keeps the first error of its calls until the whole ends; `false` when that was long ago.
    func keep(_ failure: ErrorPrompt) -> Bool {
        if let parent, parent.keep(failure) { return true }
        return state.withLock { state in
            if !state.isOver, state.failure == nil { state.failure = failure }
            return !state.isOver
        }
    }

    // MARK: From start to end

    func begin() async { await hooks.willStart(summary) }

    /// Ends it: the hooks, the indications, then the error, unless the whole was cancelled.
    func end(_ outcome: CallOutcome) async {
        let (shown, failure) = state.withLock { state in
            state.isOver = true
            defer { (state.shown, state.failure, state.onCancel) = ([], nil, []) }
            return (state.shown.map(\.loading), state.failure)
        }
        await hooks.willStop(summary, outcome) {
            guard !shown.isEmpty || failure != nil else { return nil }
            return {
                for loading in shown { loading.end() }
                if let failure, !self.isCancelled, !Task.isCancelled { failure.present() }
            }
        }
        await hooks.didStop(summary, outcome)
    }
}
