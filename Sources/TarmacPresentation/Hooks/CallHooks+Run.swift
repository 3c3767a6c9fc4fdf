import TarmacCore

// Async and without an isolation of their own, so that they leave the actor a call was made on: what is told in the
// background is never told on the main actor.
extension [CallHooks] {
    func willStart(_ call: CallSummary) async {
        for hooks in self { hooks.willStart?(call) }
        guard contains(where: { $0.mainWillStart != nil }) else { return }
        await MainActor.run { for hooks in self { hooks.mainWillStart?(call) } }
    }

    /// - Parameter presentation: what else there is to do on the main actor, after the hooks; `nil` when there is nothing.
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

    // MARK: Where nobody is on the main actor

    /// Whether none of them wants the main actor.
    var areInBackground: Bool {
        allSatisfy { $0.mainWillStart == nil && $0.mainWillStop == nil && $0.mainDidStop == nil }
    }

    func willStartNow(_ call: CallSummary) {
        for hooks in self { hooks.willStart?(call) }
    }

    /// All moments after a landing in one.
    func stopNow(_ call: CallSummary, _ outcome: CallOutcome) {
        for hooks in self { hooks.willStop?(call, outcome) }
        for hooks in self { hooks.didStop?(call, outcome) }
    }
}
