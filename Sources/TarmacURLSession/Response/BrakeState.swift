/// Decides when the task that brings a stream is suspended and resumed (pure).
///
/// Calls to hold and to release come from several threads, so a release can overtake the hold before it: both are counted.
struct BrakeState {
    enum Step {
        case suspend
        case resume
    }

    private var holds = 0
    private var isSuspended = false

    mutating func hold() { holds += 1 }
    mutating func release() { holds -= 1 }

    /// Moves the task to the state that is wanted now; `nil` when it is in it.
    mutating func next() -> Step? {
        let isWanted = holds > 0
        guard isWanted != isSuspended else { return nil }
        isSuspended = isWanted
        return isWanted ? .suspend : .resume
    }
}
