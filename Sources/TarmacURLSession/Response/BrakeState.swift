/// Decides when the task of a stream is suspended and resumed.
///
/// Several threads hold and release, so a release can overtake its hold. Therefore both are counted.
struct BrakeState {
    enum Step {
        case suspend
        case resume
    }

    private var holds = 0
    private var isSuspended = false

    mutating func hold() { holds += 1 }
    mutating func release() { holds -= 1 }

    /// Returns the step to the wanted state, or `nil` if the task is in that state.
    mutating func next() -> Step? {
        let isWanted = holds > 0
        guard isWanted != isSuspended else { return nil }
        isSuspended = isWanted
        return isWanted ? .suspend : .resume
    }
}
