#if Tools
import Dispatch
import Tarmac
@_spi(TarmacRooms) import TarmacCore

/// Draws a ``ProgressLine`` on standard error, from a second on and ten times a second, whether anything moves or not.
final class ProgressBar: Sendable {
    private struct State {
        var progress = TransferProgress()
        var ticking: Task<Void, Never>?
        var isDrawn = false
        var isOver = false
    }
    private let start: ContinuousClock.Instant
    private let columns: Int
    private let isOn: Bool
    private let time: any TimeSource
    private let draw: @Sendable (String) -> Void
    private let state = Locked(State())
    /// One drawing after the other, so that no line appears after it was taken away.
    private let queue = DispatchQueue(label: "tarmac.progress-bar")

    init(_ terminal: Terminal, time: any TimeSource = .system, draw: @escaping @Sendable (String) -> Void = Console.mark) {
        isOn = terminal.showsProgress
        columns = terminal.columns
        self.time = time
        self.draw = draw
        start = time.now
    }

    /// Starts the clock that draws.
    func begin() {
        guard isOn else { return }
        // LIFETIME: `end` cancels it.
        let ticking = Task { await tick() }
        state.withLock { $0.ticking = ticking }
    }

    /// Called from any thread; the last value is drawn next.
    func update(_ progress: TransferProgress) { state.withLock { $0.progress = progress } }

    /// Writes something else to the terminal, on a line of its own.
    func makingRoom(for write: () -> Void) {
        queue.sync {
            takeAway()
            write()
        }
    }

    /// Takes the line away, for good.
    func end() {
        let ticking = state.withLock { state in
            state.isOver = true
            defer { state.ticking = nil }
            return state.ticking
        }
        ticking?.cancel()
        queue.sync { takeAway() }
    }

    private func tick() async {
        var due = start + .seconds(1)
        while (try? await time.sleep(until: due)) != nil {
            queue.sync { redraw() }
            due = time.now + .milliseconds(100)
        }
    }

    // MARK: On the queue

    private func redraw() {
        let progress = state.withLock { state -> TransferProgress? in
            guard !state.isOver else { return nil }
            state.isDrawn = true
            return state.progress
        }
        guard let progress else { return }
        draw("\r\u{1B}[K" + ProgressLine(progress: progress, elapsed: time.now - start).text(columns: columns - 1))
    }

    private func takeAway() {
        let wasDrawn = state.withLock { state in
            defer { state.isDrawn = false }
            return state.isDrawn
        }
        if wasDrawn { draw("\r\u{1B}[K") }
    }
}
#endif
