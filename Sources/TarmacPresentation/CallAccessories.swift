import TarmacCore

/// What is told of one call on its way: hooks and presenter.
struct CallAccessories: CallCompanion {
    private let context: CallContext
    private let hooks: [CallHooks]
    private let summary: CallSummary
    private let loading: OwnedLoading?
    /// Whether the hooks can be called where the call flies. A turn of the executor costs more than most hooks.
    private let isTold: Bool

    /// `nil` when there is nobody to tell: such a call pays for this look alone.
    ///
    /// - Parameter isolation: the actor the call flies on.
    init?(_ context: CallContext, on isolation: (any Actor)?) {
        let options = context.options, hooks = options.value(of: Hooks.self)
        if hooks.isEmpty, context.binding.presenter(options).isOff { return nil }
        self.context = context
        self.hooks = hooks
        isTold = isolation == nil && hooks.areInBackground
        summary = CallSummary(
            kind: .call, id: context.id, name: context.endpoint, service: context.service, tags: options.values.tags,
            userInfo: options.values.userInfo)
        loading = options.value(of: ShowsLoading.self) ? Self.loading(options, context) : nil
    }

    /// A share in an indication, unless the whole the call is part of keeps it up.
    private static func loading(_ options: ResolvedOptions, _ context: CallContext) -> OwnedLoading? {
        let binding = context.binding
        // A whole with a presenter of its own has begun its indication.
        if binding.presentation?.presenter != nil { return nil }
        let presenter = options.value(of: PresenterOption.self)
        if presenter.isOff { return nil }
        let host = options.value(of: PresentationHostOption.self).reference(owner: binding.host)
        if let whole = binding.presentation, whole.show(presenter, on: host) { return nil }
        return OwnedLoading(presenter, on: host, of: binding.owner, in: context.runtime.scope.client.state(Presentation.self).indicators)
    }

    // MARK: Here and now

    /// Begins; `false` when ``willStart()`` has to tell the hooks elsewhere.
    func startsNow() -> Bool {
        loading?.begin()
        if isTold { hooks.willStartNow(summary) }
        return isTold
    }

    /// Ends a call that landed; `false` when ``end(_:)`` has to.
    func landsNow(_ value: () -> CallOutcome) -> Bool {
        guard isTold, loading == nil, hooks.isEmpty || !context.binding.isOwners else { return false }
        if !hooks.isEmpty { hooks.stopNow(summary, value()) }
        return true
    }

    // MARK: Elsewhere

    func willStart() async { await hooks.willStart(summary) }

    /// Tells of the outcome before the caller hears of it: hooks, then the end of the indication, then the error.
    func end(_ outcome: CallOutcome) async {
        await hooks.willStop(summary, outcome) {
            let prompt = outcome.error.flatMap(prompt)
            guard loading != nil || prompt != nil else { return nil }
            return { [loading, context] in
                loading?.end()
                if !context.isCancelled, !Task.isCancelled { prompt?.present() }
            }
        }
        await didStop(outcome)
    }

    /// The error to present now; `nil` also when the whole keeps it.
    private func prompt(_ error: TarmacError) -> ErrorPrompt? {
        guard !context.isCancelled, !Task.isCancelled, let prompt = ErrorPrompt(error, context.options, context.binding) else { return nil }
        return context.binding.presentation?.keep(prompt) == true ? nil : prompt
    }

    /// After the owner was told; a call that is awaited has no later moment than this.
    private func didStop(_ outcome: CallOutcome) async {
        if hooks.isEmpty { return }
        guard context.binding.isOwners, let handle = context.binding.owner?.handle else { return await hooks.didStop(summary, outcome) }
        handle.whenDelivered { [hooks, summary] in await hooks.didStop(summary, outcome) }
    }
}

/// Makes the accessories of calls.
struct AccessoryProvider: CompanionProvider {
    func companion(of context: CallContext, on isolation: (any Actor)?) -> (any CallCompanion)? { CallAccessories(context, on: isolation) }
}

/// The indications that a client shows.
final class Presentation: ClientState {
    let indicators = LoadingIndicators()
    init(_ client: ClientScope) {}
}

extension Engine {
    /// What the client's calls show their user now.
    var indicators: LoadingIndicators { scope.state(Presentation.self).indicators }
}
