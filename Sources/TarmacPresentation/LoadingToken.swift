import TarmacCore

/// One call's share in an indication: counted in once and out once, in whichever order the main actor gets to it.
@MainActor
final class LoadingToken {
    private enum State {
        case waiting
        case counted(LoadingIndicators.Indicator)
        case over
    }
    private var state = State.waiting
    private let indicators: LoadingIndicators
    private let presenter: any Presenter
    private let host: (any ObjectReference)?

    nonisolated init(_ presenter: any Presenter, on host: (any ObjectReference)?, in indicators: LoadingIndicators) {
        self.presenter = presenter
        self.host = host
        self.indicators = indicators
    }

    /// Counts in as soon as the main actor is free; the call does not wait for it.
    nonisolated func begin() {
        // LIFETIME: one hop to the main actor.
        Task { @MainActor in self.countIn() }
    }

    /// Counts out as soon as the main actor is free: the owner is gone, or the call was cancelled.
    nonisolated func drop() {
        // LIFETIME: one hop to the main actor.
        Task { @MainActor in self.countOut() }
    }

    /// Counts out now. A call that ended before the main actor was free for its beginning is told of all the same, so that
    /// every call on a screen that is there has both ends, a cached one too.
    func end() {
        countIn()
        countOut()
    }

    private func countIn() {
        guard case .waiting = state else { return }
        // A host that is gone has nothing to show anything on.
        let isGone = host != nil && host?.object == nil
        state = isGone ? .over : .counted(indicators.begin(presenter, on: host))
    }

    private func countOut() {
        defer { state = .over }
        if case .counted(let indicator) = state { indicators.end(indicator) }
    }
}
