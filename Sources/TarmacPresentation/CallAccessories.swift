import TarmacCore
import TarmacSupport

/// The hooks and the presenter of one call.
struct CallAccessories: CallCompanion {
    private let context: CallContext
    private let hooks: [CallHooks]
    private let summary: CallSummary
    private let loading: OwnedLoading?
    /// Whether the hooks can be called on the executor of the call. A hop to another executor costs more than most
    /// hooks.
    private let isTold: Bool

    /// Creates the accessories, or returns `nil` if there are none. Such a call pays only for this check.
    ///
    /// - Parameter isolation: the actor that the call runs on.
    init?(_ context: CallContext, on isolation: (any Actor)?) {
        let options = context.options, hooks = options.value(of: Settings.hooks)
        if hooks.isEmpty, context.binding.presenter(options).isOff { return nil }
        self.context = context
        self.hooks = hooks
        isTold = isolation == nil && hooks.areInBackground
        summary = CallSummary(
            kind: .call, id: context.id, name: context.endpoint, service: context.service, tags: options.values.tags,
            userInfo: options.values.userInfo)
        // The user did not start a refresh, and the waiting calls have their own indication.
        loading = options.value(of: Settings.showsLoading) && context.awaitedWork == nil ? Self.loading(options, context) : nil
    }

    /// Returns a share in an indication, unless the enclosing group keeps it.
    private static func loading(_ options: ResolvedOptions, _ context: CallContext) -> OwnedLoading? {
        let binding = context.binding
        // A group with its own presenter has begun its indication.
        if binding.presentation?.presenter != nil { return nil }
        let presenter = options.value(of: Settings.presenter)
        if presenter.isOff { return nil }
        let host = options.value(of: Settings.presentationHost).reference(owner: binding.host)
        if let whole = binding.presentation, whole.show(presenter, on: host) { return nil }
        return OwnedLoading(presenter, on: host, of: binding.owner, in: context.scope.client.state(Presentation.self).indicators)
    }

    /// Begins the indication and calls the hooks, in the background if they must not run where the call is.
    nonisolated(nonsending) func start() async {
        loading?.begin()
        if isTold { hooks.willStartHere(summary) } else { await hooks.willStart(summary) }
    }

    /// Reports the outcome before the caller receives it: the hooks, then the end of the indication, then the error.
    nonisolated(nonsending) func end(_ outcome: CallOutcome) async {
        // Most calls: nothing is shown, and no hook waits for the main actor or for the owner's callback.
        if isTold, loading == nil, outcome.error == nil, hooks.isEmpty || !context.binding.isOwners { return hooks.stopHere(summary, outcome) }
        await report(outcome)
    }

    private func report(_ outcome: CallOutcome) async {
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

    /// Returns the error to present now, or `nil`, also if the enclosing group keeps it.
    private func prompt(_ error: TarmacError) -> ErrorPrompt? {
        guard !context.isCancelled, !Task.isCancelled, context.awaitedWork == nil,
            let prompt = ErrorPrompt(error, of: context)
        else { return nil }
        return context.binding.presentation?.keep(prompt) == true ? nil : prompt
    }

    /// Calls the last hooks, after the owner's callback. For an awaited call, this is the latest possible point.
    private func didStop(_ outcome: CallOutcome) async {
        if hooks.isEmpty { return }
        guard context.binding.isOwners, let handle = context.binding.owner?.handle else { return await hooks.didStop(summary, outcome) }
        handle.whenDelivered { [hooks, summary] in await hooks.didStop(summary, outcome) }
    }
}

/// Creates the accessories of calls.
struct AccessoryProvider: CompanionProvider {
    func companion(of context: CallContext, on isolation: (any Actor)?) -> (any CallCompanion)? { CallAccessories(context, on: isolation) }
}

/// The indications of a client.
final class Presentation: ClientState {
    let indicators = LoadingIndicators()
    let causes: PresentedCauses
    init(_ client: ClientScope) { causes = PresentedCauses(client.time) }
}

extension Engine {
    /// The current indications of the client's calls.
    var indicators: LoadingIndicators { scope.state(Presentation.self).indicators }
}
