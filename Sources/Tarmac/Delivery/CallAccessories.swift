/// What is told of one call on its way: hooks and presenter.
struct CallAccessories: Sendable {
    private let context: CallContext
    private let summary: CallSummary
    private let loading: OwnedLoading?

    private var values: OptionValues { context.options.values }
    private var binding: CallBinding { context.binding }

    /// `nil` when there is nobody to tell: such a call pays for this look alone.
    init?(_ context: CallContext, indicators: LoadingIndicators) {
        let values = context.options.values
        if values.hooks.isEmpty, values.presenter.isOff { return nil }
        self.context = context
        summary = CallSummary(
            kind: .call, id: context.id, name: context.endpoint, service: context.service, tags: values.tags, userInfo: values.userInfo)
        loading = Self.loading(values, context.binding, indicators)
    }

    /// A share in an indication, unless the whole the call is part of keeps it up.
    private static func loading(_ values: OptionValues, _ binding: CallBinding, _ indicators: LoadingIndicators) -> OwnedLoading? {
        guard values.showsLoading, !values.presenter.isOff else { return nil }
        let host = values.presentationHost.reference(owner: binding.host)
        if let scope = binding.scope, scope.show(values.presenter, on: host) { return nil }
        return OwnedLoading(values.presenter, on: host, of: binding.owner, in: indicators)
    }

    func willStart() async {
        loading?.begin()
        if !values.hooks.isEmpty { await values.hooks.willStart(summary) }
    }

    /// Tells of the outcome before the caller hears of it: hooks, then the end of the indication, then the error (QSP-35).
    func end(_ outcome: CallOutcome) async {
        await values.hooks.willStop(summary, outcome) {
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
        guard let prompt = ErrorPrompt(error, values: values, binding: binding) else { return nil }
        return binding.scope?.keep(prompt) == true ? nil : prompt
    }

    /// After the owner was told; a call that is awaited has no later moment than this.
    private func didStop(_ outcome: CallOutcome) async {
        let (hooks, summary) = (values.hooks, summary)
        if hooks.isEmpty { return }
        guard binding.isOwners, let handle = binding.owner?.handle else { return await hooks.didStop(summary, outcome) }
        handle.whenDelivered { await hooks.didStop(summary, outcome) }
    }
}
