import TarmacCore
import TarmacSupport

/// An error to present, with the values that decide whether it is still presented when the main actor is free.
struct ErrorPrompt: Sendable {
    private let error: TarmacError
    private let kind: PresentedError.Kind
    private let presenter: any Presenter
    private let host: (any ObjectReference)?
    private let binding: CallBinding
    private let causes: PresentedCauses
    private let start: Moment

    /// Creates a prompt, or returns `nil` for an error that is never presented.
    init?(_ error: TarmacError, of context: CallContext) {
        self.init(error, context.options, context.binding, context.scope.client.state(Presentation.self).causes, startedAt: context.start)
    }

    init?(_ error: TarmacError, _ options: ResolvedOptions, _ binding: CallBinding, _ causes: PresentedCauses, startedAt start: Moment) {
        let presenter = binding.presenter(options)
        guard !presenter.isOff, options.value(of: Settings.presentsErrors), let kind = PresentedError.Kind.of(error) else { return nil }
        self.error = error
        self.kind = kind
        self.binding = binding
        self.presenter = presenter
        self.causes = causes
        self.start = start
        host = binding.presentation?.presenter == nil ? options.value(of: Settings.presentationHost).reference(owner: binding.host) : binding.presentingHost
    }

    /// Whether it is the failure that a group ends with. The group's error also names the member.
    func isOf(_ error: TarmacError) -> Bool {
        let (own, other) = (self.error.context, error.context)
        return self.error.code == error.code && own?.request == other?.request && own?.duration == other?.duration
    }

    /// Presents the error, unless its owner or its host is gone.
    @MainActor func present() {
        let object = host?.object
        if binding.isSilent || host != nil && object == nil { return }
        guard causes.admits(error, startedAt: start, presenter) else { return }
        presenter.present(PresentedError(kind: kind, error: error, host: object))
    }
}

extension CallBinding {
    /// The presentation of the group that the call is part of.
    var presentation: ScopePresentation? { scope?[ScopePresentation.self] }

    /// Returns the presenter of a call: that of the group, or else its own.
    func presenter(_ options: ResolvedOptions) -> any Presenter { presentation?.presenter ?? options.value(of: Settings.presenter) }

    /// The screen of the group that has a presenter.
    fileprivate var presentingHost: (any ObjectReference)? { presentation?.presenting.host }

    /// The screen of a call that sets none.
    var host: (any ObjectReference)? { presentation.map(\.host) ?? owner }
}
