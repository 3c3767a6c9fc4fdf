#if Tools
import Tarmac

/// Draws a ``ProgressLine`` on standard error, from a second on and ten times a second at most.
final class ProgressBar: Sendable {
    private struct State {
        var lastDrawn: ContinuousClock.Instant?
        var isOver = false
    }

    private let start: ContinuousClock.Instant
    private let columns: Int
    private let isOn: Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let draw: @Sendable (String) -> Void
    private let state = Locked(State())

    init(
        _ terminal: Terminal, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        draw: @escaping @Sendable (String) -> Void = Console.mark
    ) {
        isOn = terminal.showsProgress
        columns = terminal.columns
        self.now = now
        self.draw = draw
        start = now()
    }

    /// Told from any thread.
    func update(_ progress: TransferProgress) {
        guard isOn else { return }
        let instant = now()
        let isDue = state.withLock { state -> Bool in
            guard !state.isOver, instant - start >= .seconds(1) else { return false }
            if let last = state.lastDrawn, instant - last < .milliseconds(100) { return false }
            state.lastDrawn = instant
            return true
        }
        if isDue { draw("\r\u{1B}[K" + ProgressLine(progress: progress, elapsed: instant - start).text(columns: columns - 1)) }
    }

    /// Takes the line away.
    func end() {
        let wasDrawn = state.withLock { state in
            state.isOver = true
            defer { state.lastDrawn = nil }
            return state.lastDrawn != nil
        }
        if wasDrawn { draw("\r\u{1B}[K") }
    }
}
#endif
