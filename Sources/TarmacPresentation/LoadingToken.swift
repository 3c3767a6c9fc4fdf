import TarmacCore

/// One call's share in an indication. It is added once and removed once, in whichever order the main actor runs.
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

    /// Adds the call as soon as the main actor is free. The call does not wait for it.
    nonisolated func begin() {
        // LIFETIME: one hop to the main actor.
        Task { @MainActor in self.countIn() }
    }

    /// Removes the call as soon as the main actor is free, because the owner is gone or the call was cancelled.
    nonisolated func drop() {
        // LIFETIME: one hop to the main actor.
        Task { @MainActor in self.countOut() }
    }

    /// Removes the call now. If the call ended before the main actor was free for its beginning, the beginning is still
    /// reported, so that every call on an existing screen has both ends, also a cached one.
    func end() {
        countIn()
        countOut()
    }

    private func countIn() {
        guard case .waiting = state else { return }
        // A host that is gone cannot show anything.
        let isGone = host != nil && host?.object == nil
        state = isGone ? .over : .counted(indicators.begin(presenter, on: host))
    }

    private func countOut() {
        defer { state = .over }
        if case .counted(let indicator) = state { indicators.end(indicator) }
    }
}
