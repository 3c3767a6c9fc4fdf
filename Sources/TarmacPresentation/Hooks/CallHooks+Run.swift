import TarmacCore

// Async and without their own isolation, so that they leave the actor of the call: background hooks never run on the
// main actor.
extension [CallHooks] {
    func willStart(_ call: CallSummary) async {
        for hooks in self { hooks.willStart?(call) }
        guard contains(where: { $0.mainWillStart != nil }) else { return }
        await MainActor.run { for hooks in self { hooks.mainWillStart?(call) } }
    }

    /// - Parameter presentation: further work on the main actor, after the hooks. `nil` if there is none.
    func willStop(
        _ call: CallSummary, _ outcome: CallOutcome, presentation: () -> (@MainActor @Sendable () -> Void)? = { nil }
    ) async {
        for hooks in self { hooks.willStop?(call, outcome) }
        let presentation = presentation()
        guard presentation != nil || contains(where: { $0.mainWillStop != nil }) else { return }
        await MainActor.run {
            for hooks in self { hooks.mainWillStop?(call, outcome) }
            presentation?()
        }
    }

    func didStop(_ call: CallSummary, _ outcome: CallOutcome) async {
        for hooks in self { hooks.didStop?(call, outcome) }
        guard contains(where: { $0.mainDidStop != nil }) else { return }
        await MainActor.run { for hooks in self { hooks.mainDidStop?(call, outcome) } }
    }

    // MARK: On the executor of the call

    /// Whether no hook needs the main actor.
    var areInBackground: Bool {
        allSatisfy { $0.mainWillStart == nil && $0.mainWillStop == nil && $0.mainDidStop == nil }
    }

    func willStartHere(_ call: CallSummary) {
        for hooks in self { hooks.willStart?(call) }
    }

    /// Calls all hooks for the end of a call.
    func stopHere(_ call: CallSummary, _ outcome: CallOutcome) {
        for hooks in self { hooks.willStop?(call, outcome) }
        for hooks in self { hooks.didStop?(call, outcome) }
    }
}
