/// A slot kept for a call that is woken to be sent again. However late its thread comes, no new call takes it: with a
/// token that wears out, a replay would else be refused over and over.
final class ReplayPlace: Sendable {
    private let lane: Dispatcher
    private let isKept = Locked(true)

    init(_ lane: Dispatcher) {
        self.lane = lane
        lane.expect()
    }

    /// The slot is claimed; returns whether it was still kept.
    func take() -> Bool {
        isKept.withLock { isKept in
            defer { isKept = false }
            return isKept
        }
    }

    deinit { if take() { lane.cease() } }
}
